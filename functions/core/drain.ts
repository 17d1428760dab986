import { debounceMsMax, quietMs } from './limits.ts';
import type { Input, Policy } from './session.ts';
import { correctionOf, newsOf, type TaskNews } from './task-news.ts';
import type { Task } from './task.ts';
import {
  callsOf,
  isLong,
  openCallsAfter,
  type Arbitration,
  type Trigger,
  type Turn,
} from './turn.ts';

/** What a session looks like at one moment, as far as the next turn depends on it. */
export interface Outlook {
  readonly policy: Policy;
  readonly last: Turn | undefined;
  readonly inputs: readonly Input[];
  readonly tasks: ReadonlyMap<string, Task>;
  readonly nowMs: number;
  readonly thresholdsOf: (tool: string) => readonly number[];
}

/** Everything that enters the history with one turn: user input in order, then news of tasks. */
export interface Drain {
  readonly trigger: Trigger;
  readonly actor: string;
  readonly inputs: readonly Input[];
  readonly news: readonly TaskNews[];
  readonly arbitrations: readonly Arbitration[];
}

type NextStep =
  | { readonly kind: 'turn'; readonly drain: Drain }
  /** Look again then: the user may still be typing. */
  | { readonly kind: 'pause'; readonly untilMs: number }
  | { readonly kind: 'rest' };

/** Whether a turn begins now, and what it drains. The user comes first; a task's end waits for nobody. */
export function nextStep(outlook: Outlook): NextStep {
  const news = allNews(outlook);
  const typingUntilMs = typingUntil(outlook);
  if (typingUntilMs > outlook.nowMs) return { kind: 'pause', untilMs: typingUntilMs };
  const reason = reasonToSpeak(outlook, news);
  if (!reason) return pauseForProgress(outlook, news);
  const { inputs } = outlook;
  const arbitrations = arbitrate(outlook, news);
  return { kind: 'turn', drain: { ...reason, inputs, news, arbitrations } };
}

function allNews({ last, tasks, thresholdsOf }: Outlook): readonly TaskNews[] {
  const open = openCallsAfter(last);
  const news = open.flatMap((call) =>
    newsOf(call, tasks.get(call.taskId), thresholdsOf(call.tool)),
  );
  const correctable = last?.intent.correctable ?? [];
  return [...news, ...correctable.flatMap((call) => correctionOf(call, tasks.get(call.taskId)))];
}

/** Words that come close together are answered together, but never later than the cap. */
function typingUntil({ inputs, policy }: Outlook): number {
  const [first] = inputs;
  const newest = inputs.at(-1);
  if (!first || !newest) return 0;
  const cap = Math.max(debounceMsMax, policy.debounceMs);
  return Math.min(newest.atMs + policy.debounceMs, first.atMs + cap);
}

type Reason = Pick<Drain, 'trigger' | 'actor'>;

function reasonToSpeak(outlook: Outlook, news: readonly TaskNews[]): Reason | undefined {
  const { inputs, last } = outlook;
  const input = inputs.at(-1);
  if (input) return { trigger: 'user', actor: input.inputId };
  if (last?.reply?.finishReason === 'tool_calls') {
    return { trigger: last.intent.trigger, actor: last.intent.actor };
  }
  const telling = news.find((one) => mayStartTurn(outlook, one));
  return telling && { trigger: triggerOf(telling), actor: telling.call.callId };
}

function mayStartTurn(outlook: Outlook, one: TaskNews): boolean {
  switch (one.kind) {
    case 'partial':
    case 'question':
      return true;
    // Until its end is told it comes with that.
    case 'correction':
      return outlook.last?.intent.correctable.includes(one.call) ?? false;
    case 'end':
      return outlook.policy.pending === 'each' || wholeTurnEnded(outlook, one.call.turn);
    case 'progress':
      return outlook.policy.progress === 'interrupt' || isQuiet(outlook);
  }
}

/** Calls made together are answered together; what another turn asked for does not hold them up. */
function wholeTurnEnded({ last, tasks }: Outlook, turn: number): boolean {
  const together = openCallsAfter(last).filter((call) => call.turn === turn);
  return together.every(({ taskId }) => {
    const state = tasks.get(taskId)?.state;
    return state !== undefined && 'endedAtMs' in state;
  });
}

const isQuiet = ({ policy, last, nowMs }: Outlook) =>
  policy.progress === 'when_idle' && nowMs >= quietFrom(last);

/** Quiet begins some time after the user's last words were answered. */
function quietFrom(last: Turn | undefined): number {
  if (!last?.reply || last.intent.trigger !== 'user') return 0;
  return last.reply.atMs + quietMs;
}

/** Progress that only waits for quiet is looked at again when quiet has come. */
function pauseForProgress(outlook: Outlook, news: readonly TaskNews[]): NextStep {
  const waits = news.some(({ kind }) => kind === 'progress');
  if (!waits || outlook.policy.progress !== 'when_idle') return { kind: 'rest' };
  return { kind: 'pause', untilMs: quietFrom(outlook.last) };
}

function triggerOf({ kind, task }: TaskNews): Trigger {
  const { state } = task;
  // Whatever ended the call too soon, now it is the work itself that speaks.
  if (kind === 'correction') return 'task';
  if (state.status === 'failed' && state.error.code === 'timed_out') return 'timer';
  return 'by' in state && state.by === 'response' ? 'response' : 'task';
}

/**
 * Who raced with the user: news that would have begun a turn of its own had the user not come first, and
 * what the turn before was begun for while the user was about to speak.
 */
function arbitrate(outlook: Outlook, news: readonly TaskNews[]): readonly Arbitration[] {
  const { inputs, last, nowMs: atMs } = outlook;
  const [first] = inputs;
  const newest = inputs.at(-1);
  if (!first || !newest) return [];
  const lost = news
    .filter((one) => mayStartTurn(outlook, one))
    .map(({ task, call }) => ({
      atMs,
      winner: `user:${newest.inputId}`,
      loser: `task:${call.callId}`,
      gapMs: Math.abs(task.updatedAtMs - newest.atMs),
      rule: 'user_first',
    }));
  const won = begunWithoutUser(last).map((callId) => ({
    atMs,
    winner: `task:${callId}`,
    loser: `user:${first.inputId}`,
    gapMs: Math.abs(first.atMs - (last?.intent.beganAtMs ?? 0)),
    rule: 'first_come',
  }));
  // What came long before or after did not race; it only rides along.
  return [...won, ...lost].filter(({ gapMs }) => gapMs <= debounceMsMax);
}

/** Calls whose news the turn before was begun for. */
const begunWithoutUser = (last: Turn | undefined): readonly string[] =>
  last === undefined || last.intent.inputs.length > 0
    ? []
    : [...new Set(last.intent.deliveries.map(({ callId }) => callId))];

/** Whether the calls of a reply leave the session waiting for a task. */
export const waitsForTask = (turn: Turn): boolean => callsOf(turn).some(isLong);
