import { wayFor } from '../core/consolidation.ts';
import type { Drain } from '../core/drain.ts';
import { wasCutShort } from '../core/late-result.ts';
import { correctableMax } from '../core/limits.ts';
import type { ModelProfile } from '../core/model.ts';
import type { TaskNews } from '../core/task-news.ts';
import { hasEnded, type Task } from '../core/task.ts';
import {
  callsOf,
  openCallsAfter,
  type Delivery,
  type Intent,
  type OpenCall,
  type Placeholder,
  type QuickResponse,
  type ShownValue,
} from '../core/turn.ts';
import { showValue } from '../core/untrusted-text.ts';
import type { Ports } from '../ports.ts';
import type { SessionLook } from '../sessions/look-at-session.ts';
import { readValue } from '../tasks/keep-value.ts';
import { openQuestions } from '../tasks/open-questions.ts';

type Needs = Pick<Ports, 'tasks' | 'objects' | 'newToken'>;

interface Draining {
  readonly look: SessionLook;
  readonly drain: Drain;
  readonly quick: readonly QuickResponse[];
  readonly profile: ModelProfile;
  readonly nowMs: number;
}

/** Everything the next turn adds to the history, read now so that rendering it needs nothing else. */
export async function buildIntent(ports: Needs, draining: Draining): Promise<Intent> {
  const { look, drain, quick } = draining;
  const last = look.turns.at(-1);
  const ended = new Set(drain.news.flatMap(({ kind, call }) => (kind === 'end' ? [call] : [])));
  const open = openCallsAfter(last).filter((call) => !isAmong(ended, call));
  const [deliveries, placeholders] = await Promise.all([
    Promise.all(drain.news.map((news) => deliver(ports, draining, news))),
    Promise.all(freshlyShown(open, look).map((call) => placeholder(ports, look, call))),
  ]);
  return {
    trigger: drain.trigger,
    actor: drain.actor,
    beganAtMs: draining.nowMs,
    nonce: ports.newToken().slice(0, 6),
    inputs: drain.inputs,
    inputsThrough: drain.inputs.at(-1)?.number ?? last?.intent.inputsThrough ?? 0,
    quick,
    placeholders,
    deliveries,
    open: open.map((call) => consume(call, drain.news, look.tasks.get(call.taskId))),
    correctable: correctableAfter(draining),
    arbitrations: drain.arbitrations,
  };
}

const isAmong = (calls: ReadonlySet<OpenCall>, { taskId }: OpenCall) =>
  [...calls].some((call) => call.taskId === taskId);

/** Calls of the last reply that are still open: the model is about to see their placeholders. */
function freshlyShown(open: readonly OpenCall[], { turns }: SessionLook): readonly OpenCall[] {
  const made = new Set(callsOf(turns.at(-1)).map(({ taskId }) => taskId));
  return open.filter(({ taskId }) => made.has(taskId));
}

async function placeholder(
  ports: Needs,
  { tasks }: SessionLook,
  { callId, taskId }: OpenCall,
): Promise<Placeholder> {
  const task = tasks.get(taskId);
  const initial = task && (await ports.tasks.initial(task));
  return { callId, taskId, ...(initial ? { initial: await shown(ports, initial) } : {}) };
}

async function deliver(ports: Needs, draining: Draining, news: TaskNews): Promise<Delivery> {
  const { call, task, kind } = news;
  const { callId, taskId, tool } = call;
  const base = { callId, taskId, tool, sequence: task.sequence, kind };
  switch (news.kind) {
    case 'end':
      return { ...base, way: wayOf(draining, call), ...(await endOf(ports, news.task)) };
    case 'progress': {
      const { percent = 0, message = '' } = task.progress ?? {};
      return { ...base, way: 'append', status: 'working', percent, message };
    }
    case 'partial': {
      const value = await shown(ports, await ports.tasks.part(task, news.part));
      const expected = task.resultsMax;
      const sequence = sequenceOfPart(task, news.part);
      const count = { received: news.part, expected };
      return { ...base, sequence, way: 'append', status: 'working', value, ...count };
    }
    case 'question': {
      const questions = await openQuestions(ports, task);
      const value = showValue(JSON.stringify(questions));
      return { ...base, way: 'append', status: 'working', value };
    }
    case 'correction': {
      const late = await ports.tasks.late(task);
      const value = late && (await shown(ports, late));
      const sequence = task.sequence + 1;
      const shownValue = value ? { value } : {};
      return { ...base, sequence, way: 'append', status: 'completed', ...shownValue };
    }
  }
}

/** Results that wait together keep apart: the newest has the number of the newest event, or the one before an end. */
const sequenceOfPart = (task: Task, part: number): number =>
  task.sequence - (hasEnded(task) ? 1 : 0) - (task.parts - part);

async function endOf(
  ports: Needs,
  task: Task,
): Promise<Pick<Delivery, 'status' | 'value' | 'error'>> {
  const { state } = task;
  if (state.status === 'failed') return { status: 'failed', error: state.error };
  if (state.status !== 'completed') return { status: 'cancelled' };
  return { status: 'completed', value: await shown(ports, await ports.tasks.result(task)) };
}

type Kept = Awaited<ReturnType<Ports['tasks']['result']>>;

const shown = async (ports: Needs, kept: Kept): Promise<ShownValue> =>
  showValue(kept.at === 'near' ? kept.json : JSON.stringify(await readValue(ports, kept)));

function wayOf({ look, profile, nowMs }: Draining, call: OpenCall): Delivery['way'] {
  const last = look.turns.at(-1);
  return wayFor({
    profile,
    policy: look.session.policy.consolidation,
    placeholderSent: call.turn !== last?.number,
    lastRequestAtMs: last?.intent.beganAtMs ?? 0,
    nowMs,
    snapshotCovers: call.turn <= (look.session.snapshot?.turn ?? 0),
  });
}

/** An open call after a turn has heard its news. */
function consume(call: OpenCall, news: readonly TaskNews[], task: Task | undefined): OpenCall {
  const own = news.filter((one) => one.call.taskId === call.taskId);
  if (!task || own.length === 0) return call;
  const told = own.some(({ kind }) => kind === 'progress');
  const asks = own.some(({ kind }) => kind === 'question');
  return {
    ...call,
    consumed: task.sequence,
    received: Math.max(call.received, ...own.map((one) => (one.kind === 'partial' ? one.part : 0))),
    toldPercent: told ? (task.progress?.percent ?? call.toldPercent) : call.toldPercent,
    tellings: call.tellings + (told ? 1 : 0),
    ...(asks ? { asked: task.asked } : {}),
  };
}

/** A real result may still come for what a timeout or a cancel has closed; it is shown once. */
function correctableAfter({ look, drain }: Draining): readonly OpenCall[] {
  const corrected = new Set(
    drain.news.flatMap(({ kind, call }) => (kind === 'correction' ? [call.taskId] : [])),
  );
  const before = look.turns.at(-1)?.intent.correctable ?? [];
  const closed = drain.news.flatMap((news) =>
    news.kind === 'end' && wasCutShort(news.task.state) ? [news.call] : [],
  );
  const left = [...before, ...closed].filter(({ taskId }) => !corrected.has(taskId));
  return left.slice(-correctableMax);
}
