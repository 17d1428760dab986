import { describe, expect, it } from 'vitest';
import { nextStep, type Outlook } from '../../functions/core/drain.ts';
import { asTaskId } from '../../functions/core/ids.ts';
import { policyDefault, type Policy } from '../../functions/core/session.ts';
import type { Task } from '../../functions/core/task.ts';
import { delivery } from '../history/sample-history.ts';
import { openTask } from './sample-task.ts';
import { inputAt, longCall, openCall, turnWith } from './sample-turn.ts';

const nowMs = 100_000;

type Given = Partial<Omit<Outlook, 'policy'>> & { policy?: Partial<Policy> };

function outlook(rest: Given = {}): Outlook {
  const { policy, ...given } = rest;
  return {
    last: undefined,
    inputs: [],
    tasks: new Map(),
    nowMs,
    thresholdsOf: () => [25, 50, 75],
    ...given,
    policy: { ...policyDefault, ...policy },
  };
}

const tasksOf = (...tasks: readonly Task[]) => new Map(tasks.map((task) => [task.taskId, task]));
const working = (name: string, percent = 0): Task => ({
  ...openTask,
  taskId: asTaskId(`task_${name}`),
  progress: { percent, message: `${percent} %` },
});
const ended = (name: string, endedAtMs = nowMs): Task => ({
  ...working(name),
  updatedAtMs: endedAtMs,
  state: {
    status: 'failed',
    by: 'worker',
    endedAtMs,
    error: { code: 'tool_failed', message: 'no' },
  },
});
const timedOut = (name: string): Task => ({
  ...ended(name),
  state: {
    status: 'failed',
    by: 'worker',
    endedAtMs: nowMs,
    error: { code: 'timed_out', message: 'late' },
  },
});
const waitingTurn = (...names: readonly string[]) =>
  turnWith({}, { calls: names.map(longCall), finishReason: 'input_required' });

describe('a session with nothing to do', () => {
  it('rests before anybody spoke, and after the model did', () => {
    expect(nextStep(outlook())).toEqual({ kind: 'rest' });
    expect(nextStep(outlook({ last: turnWith() }))).toEqual({ kind: 'rest' });
  });

  it('rests while its calls are pending', () => {
    const last = waitingTurn('a');
    expect(nextStep(outlook({ last }))).toEqual({ kind: 'rest' });
    expect(nextStep(outlook({ last, tasks: tasksOf(working('a', 10)) }))).toEqual({ kind: 'rest' });
  });
});

describe('user input', () => {
  it('is answered once the user has been quiet for the debounce', () => {
    const inputs = [inputAt(nowMs - 200)];
    expect(nextStep(outlook({ inputs }))).toMatchObject({
      kind: 'turn',
      drain: { trigger: 'user', actor: 'input_2', inputs },
    });
    const typing = [inputAt(nowMs - 100)];
    expect(nextStep(outlook({ inputs: typing }))).toEqual({ kind: 'pause', untilMs: nowMs + 100 });
  });

  it('is never put off longer than two seconds', () => {
    const inputs = [inputAt(nowMs - 2000, 2), inputAt(nowMs - 10, 3)];
    expect(nextStep(outlook({ inputs })).kind).toBe('turn');
  });

  it('comes first, takes the ends with it, and leaves a row of who won', () => {
    const last = waitingTurn('a');
    const tasks = tasksOf(ended('a', nowMs - 250));
    const step = nextStep(outlook({ last, tasks, inputs: [inputAt(nowMs - 210)] }));
    expect(step).toMatchObject({
      kind: 'turn',
      drain: {
        trigger: 'user',
        news: [{ kind: 'end', call: { callId: 'call_a' } }],
        arbitrations: [
          { winner: 'user:input_2', loser: 'task:call_a', gapMs: 40, rule: 'user_first' },
        ],
      },
    });
  });

  it('leaves a row when a task was faster than the user, by how much', () => {
    const told = turnWith({ deliveries: [delivery('call_a')], beganAtMs: nowMs - 60 });
    const look = outlook({ last: told, inputs: [inputAt(nowMs)], policy: { debounceMs: 0 } });
    expect(nextStep(look)).toMatchObject({
      drain: {
        arbitrations: [
          { winner: 'task:call_a', loser: 'user:input_2', gapMs: 60, rule: 'first_come' },
        ],
      },
    });
  });

  it('leaves none for news that waits for others anyway', () => {
    const last = waitingTurn('a', 'b');
    const tasks = tasksOf(ended('a'), working('b'));
    const look = outlook({ last, tasks, inputs: [inputAt(nowMs)], policy: { debounceMs: 0 } });
    expect(nextStep(look)).toMatchObject({ drain: { arbitrations: [] } });
  });

  it('makes an end wait while the user is typing', () => {
    const look = { last: waitingTurn('a'), tasks: tasksOf(ended('a')), inputs: [inputAt(nowMs)] };
    expect(nextStep(outlook(look))).toEqual({ kind: 'pause', untilMs: nowMs + 200 });
  });
});

describe('ends of tasks', () => {
  it('wake the model at once when nobody is typing', () => {
    const look = outlook({ last: waitingTurn('a'), tasks: tasksOf(ended('a')) });
    expect(nextStep(look)).toMatchObject({ kind: 'turn', drain: { trigger: 'task' } });
  });

  it('wait for the calls made with them, or not, as the policy says', () => {
    const look = { last: waitingTurn('a', 'b'), tasks: tasksOf(ended('a'), working('b')) };
    expect(nextStep(outlook(look))).toEqual({ kind: 'rest' });
    expect(nextStep(outlook({ ...look, policy: { pending: 'each' } })).kind).toBe('turn');
    expect(nextStep(outlook({ ...look, tasks: tasksOf(ended('a'), ended('b')) }))).toMatchObject({
      drain: { news: [{ call: { callId: 'call_a' } }, { call: { callId: 'call_b' } }] },
    });
  });

  it('do not wait for a call that waits for a slot in another turn', () => {
    const last = turnWith(
      { open: [openCall('old', { turn: 1 })] },
      { calls: [longCall('new')], finishReason: 'input_required' },
      { number: 2 },
    );
    const look = outlook({ last, tasks: tasksOf(ended('old')) });
    expect(nextStep(look)).toMatchObject({
      kind: 'turn',
      drain: { news: [{ kind: 'end', call: { callId: 'call_old' } }] },
    });
  });

  it('name a timeout as the timer’s', () => {
    const look = outlook({ last: waitingTurn('a'), tasks: tasksOf(timedOut('a')) });
    expect(nextStep(look)).toMatchObject({ drain: { trigger: 'timer', actor: 'call_a' } });
  });
});

describe('quick calls', () => {
  it('go on at once with whatever set the turn off', () => {
    const last = turnWith(
      { trigger: 'task', actor: 'call_x' },
      { calls: [], finishReason: 'tool_calls' },
    );
    expect(nextStep(outlook({ last }))).toMatchObject({
      kind: 'turn',
      drain: { trigger: 'task', actor: 'call_x' },
    });
  });
});

describe('progress', () => {
  const at = (percent: number, call = openCall('a'), policy: Partial<Policy> = {}) =>
    nextStep(
      outlook({
        last: turnWith({ trigger: 'task', open: [call] }, {}, { number: 2 }),
        tasks: tasksOf(working('a', percent)),
        policy,
      }),
    ).kind;

  it('starts a turn only when it crosses a threshold', () => {
    expect([0, 24, 25, 49].map((percent) => at(percent))).toEqual(['rest', 'rest', 'turn', 'turn']);
    const told = openCall('a', { toldPercent: 30, tellings: 1 });
    expect([30, 49, 50].map((percent) => at(percent, told))).toEqual(['rest', 'rest', 'turn']);
  });

  it('starts no more turns than the budget has', () => {
    expect(at(80, openCall('a', { toldPercent: 60, tellings: 4 }))).toBe('rest');
  });

  it('never starts one when the policy is silent, but rides along', () => {
    expect(at(80, openCall('a'), { progress: 'silent' })).toBe('rest');
    const look = outlook({
      last: turnWith({ open: [openCall('a')] }),
      tasks: tasksOf(working('a', 80)),
      inputs: [inputAt(nowMs - 500)],
      policy: { progress: 'silent' },
    });
    expect(nextStep(look)).toMatchObject({ drain: { news: [{ kind: 'progress' }] } });
  });

  it('waits for quiet after the user was answered, unless it may interrupt', () => {
    const look = {
      last: turnWith({ open: [openCall('a')] }, { atMs: nowMs - 500 }),
      tasks: tasksOf(working('a', 80)),
    };
    expect(nextStep(outlook(look))).toEqual({ kind: 'pause', untilMs: nowMs + 1500 });
    expect(nextStep(outlook({ ...look, policy: { progress: 'interrupt' } })).kind).toBe('turn');
  });
});
