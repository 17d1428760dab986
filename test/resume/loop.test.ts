import { describe, expect, it } from 'vitest';
import { testTool } from '../test-tool.ts';
import { call, shapeOf, talk } from './talk.ts';

const minuteMs = 60_000;
/** Ends after so many minutes. */
const slow = (minutes: number, name = 'slow') =>
  testTool({
    name,
    async run(_input, task) {
      await sleepFor(minutes * minuteMs, task.signal);
      return { done: name };
    },
  });
let sleepFor: (ms: number, signal: AbortSignal) => Promise<void> = async () => {};
const quick = testTool({ name: 'quick', longRunning: false, run: async () => ({ fast: true }) });

async function talkSlowly(options: Parameters<typeof talk>[0]) {
  const talking = await talk(options);
  sleepFor = (ms, signal) => talking.house.clock.sleep(ms, signal);
  return talking;
}

describe('a session', () => {
  it('answers what the user says', async () => {
    const { house, say, requests, turns } = await talk({ says: [{ text: 'Hello!' }] });
    await say('Hi');
    await house.runFor(1000);
    expect(requests.map(shapeOf)).toEqual([['user: Hi']]);
    const [turn] = await turns();
    expect(turn).toMatchObject({
      number: 1,
      claim: { untilMs: 0 },
      intent: { trigger: 'user', inputsThrough: 1 },
      reply: { text: 'Hello!', finishReason: 'stop' },
    });
    expect(house.ports.resumes.size).toBe(0);
  });

  it('yields with a pending call, and the result takes the place of a placeholder never sent', async () => {
    const { house, say, requests, turns } = await talkSlowly({
      tools: [slow(8)],
      says: [{ text: 'Deploying.', calls: [call('call_abc123')] }, { text: 'Done.' }],
    });
    await say('Deploy');
    await house.runFor(2 * minuteMs);
    expect(requests).toHaveLength(1);
    expect((await turns())[0]?.reply).toMatchObject({ finishReason: 'input_required' });
    await house.runFor(8 * minuteMs);
    expect(requests.map(shapeOf)).toEqual([
      ['user: Deploy'],
      ['user: Deploy', 'assistant: Deploying.', 'call_abc123 completed'],
    ]);
    expect((await turns())[1]).toMatchObject({
      intent: { trigger: 'task', actor: 'call_abc123' },
      reply: { text: 'Done.', finishReason: 'stop' },
    });
  });

  it('goes on talking while a call is pending, and closes it at the end', async () => {
    const { house, say, requests } = await talkSlowly({
      tools: [slow(8)],
      says: [{ text: 'On it.', calls: [call('c1')] }, { text: 'Sunny.' }, { text: 'Done.' }],
      policy: { consolidation: 'append' },
    });
    await say('Deploy');
    await house.runFor(minuteMs);
    await say('How is the weather?');
    await house.runFor(10 * minuteMs);
    const before = ['user: Deploy', 'assistant: On it.', 'c1 working', 'user: How is the weather?'];
    expect(requests.slice(1).map(shapeOf)).toEqual([
      before,
      [...before, 'assistant: Sunny.', 'event c1'],
    ]);
  });

  it('runs quick calls at once, in request order beside what is pending', async () => {
    const { house, say, requests, turns } = await talkSlowly({
      tools: [slow(3), quick],
      says: [
        { text: 'Both.', calls: [call('q1', 'quick'), call('s1'), call('q2', 'quick')] },
        { text: 'Done.' },
      ],
    });
    await say('Go');
    await house.runFor(minuteMs);
    expect(requests).toHaveLength(1);
    expect((await turns())[0]?.quick).toMatchObject([{ callId: 'q1' }, { callId: 'q2' }]);
    await house.runFor(3 * minuteMs);
    expect(shapeOf(requests[1]).slice(2)).toEqual(['q1 completed', 's1 completed', 'q2 completed']);
  });

  it('goes round with quick calls until the model stops, or has gone round too often', async () => {
    const says = [{ text: '', calls: [call('q', 'quick')] }];
    const { house, say, turns } = await talk({ tools: [quick], says, policy: { turnsMax: 3 } });
    await say('Go');
    await house.runFor(5000);
    const made = await turns();
    expect(made.map(({ reply }) => reply?.finishReason)).toEqual([
      'tool_calls',
      'tool_calls',
      'max_turns',
    ]);
    const ids = made.flatMap(({ reply }) => reply?.calls.map(({ callId }) => callId) ?? []);
    expect(new Set(ids).size).toBe(3);
    await say('And now?');
    await house.runFor(5000);
    expect((await turns()).length).toBeGreaterThan(3);
  });

  it('waits for all calls made together, or tells each as it ends', async () => {
    const options = {
      tools: [slow(2, 'short'), slow(5, 'long')],
      says: [{ text: 'Two.', calls: [call('a', 'short'), call('b', 'long')] }, { text: 'ok' }],
    };
    const all = await talkSlowly(options);
    await all.say('Go');
    await all.house.runFor(3 * minuteMs);
    expect(all.requests).toHaveLength(1);
    await all.house.runFor(4 * minuteMs);
    expect(all.requests).toHaveLength(2);
    const each = await talkSlowly({ ...options, policy: { pending: 'each' } });
    await each.say('Go');
    await each.house.runFor(3 * minuteMs);
    expect(shapeOf(each.requests[1]).slice(2)).toEqual(['a completed', 'b working']);
    await each.house.runFor(4 * minuteMs);
    expect(shapeOf(each.requests[2]).at(-1)).toBe('event b');
  });

  it('runs three calls at once and lets the rest wait in order', async () => {
    const calls = ['a', 'b', 'c', 'd', 'e'].map((id) => call(id));
    const { house, say, look, requests } = await talkSlowly({
      tools: [slow(2)],
      says: [{ text: 'Five.', calls }, { text: 'Done.' }],
    });
    await say('Go');
    await house.runFor(minuteMs);
    expect((await look())?.tasks.size).toBe(3);
    await house.runFor(2 * minuteMs);
    expect((await look())?.tasks.size).toBe(5);
    await house.runFor(3 * minuteMs);
    expect(requests).toHaveLength(2);
  });
});

describe('user input', () => {
  it('that comes close together is answered together', async () => {
    const { house, say, requests } = await talk();
    await say('one');
    await house.clock.advance(60);
    await say('two');
    await house.clock.advance(60);
    await say('three');
    await house.runFor(3000);
    expect(requests.map(shapeOf)).toEqual([['user: one', 'user: two', 'user: three']]);
  });

  it('that comes while the model speaks waits for its turn, and never makes two at once', async () => {
    const { house, say, requests, overlap } = await talk({ speaksMs: 5000 });
    await say('one');
    await house.runFor(2000);
    await say('two');
    await house.runFor(20_000);
    expect(requests.map(shapeOf)).toEqual([
      ['user: one'],
      ['user: one', 'assistant: ok', 'user: two'],
    ]);
    expect(overlap.most).toBe(1);
  });

  it('cuts in when the policy says so', async () => {
    const says = [{ text: 'Once upon a time' }];
    const options = { says, speaksMs: 20_000 };
    const cut = await talk({ ...options, policy: { doubleText: 'interrupt' as const } });
    await cut.say('Tell a story');
    await cut.house.runFor(3000);
    await cut.say('Stop');
    await cut.house.runFor(30_000);
    expect(shapeOf(cut.requests[1])).toEqual([
      'user: Tell a story',
      'assistant: Once ',
      'user: Stop',
    ]);
    const merged = await talk({ ...options, policy: { doubleText: 'merge' as const } });
    await merged.say('Tell a story');
    await merged.house.runFor(3000);
    await merged.say('about a fox');
    await merged.house.runFor(30_000);
    expect(shapeOf(merged.requests[1])).toEqual(['user: Tell a story', 'user: about a fox']);
  });

  it('said twice under one id is said once', async () => {
    const { house, say, requests } = await talk();
    await say('one', 'input_a');
    await say('one', 'input_a');
    await house.runFor(3000);
    expect(requests.map(shapeOf)).toEqual([['user: one']]);
    await expect(say('two', 'input_a')).rejects.toThrow('idempotency_conflict');
  });

  it('is refused while the model speaks, when the policy says so', async () => {
    const { house, say } = await talk({ speaksMs: 5000, policy: { doubleText: 'reject' } });
    await say('one');
    await house.runFor(1000);
    await expect(say('two')).rejects.toThrow('session_busy');
    await house.runFor(10_000);
    await say('two');
  });
});

describe('a model', () => {
  it('that is busy is asked again later, with the same words', async () => {
    const busy = { kind: 'busy', afterMs: 7000, detail: '429' } as const;
    const { house, say, requests, turns } = await talk({ says: [busy, { text: 'Sorry.' }] });
    await say('Hi');
    await house.runFor(5000);
    expect(requests).toHaveLength(1);
    await house.runFor(10_000);
    expect(requests[1]).toEqual(requests[0]);
    expect((await turns()).map(({ reply }) => reply?.text)).toEqual(['Sorry.']);
  });

  it('that refuses ends the turn with an error, and the next words go on', async () => {
    const no = { kind: 'refused', detail: 'no such model' } as const;
    const { house, say, requests, turns } = await talk({ says: [no, { text: 'Here.' }] });
    await say('Hi');
    await house.runFor(2000);
    expect((await turns())[0]?.reply).toMatchObject({ finishReason: 'error', cut: 'refused' });
    await say('Still there?');
    await house.runFor(2000);
    expect(shapeOf(requests[1])).toEqual(['user: Hi', 'user: Still there?']);
  });

  it('that calls what does not exist, or wrongly, is told so at once', async () => {
    const { house, say, requests } = await talk({
      says: [{ text: '', calls: [call('x', 'nothing')] }, { text: 'Sorry.' }],
    });
    await say('Go');
    await house.runFor(2000);
    expect(requests[1]?.at(-1)).toMatchObject({
      role: 'tool',
      status: 'failed',
      error: { message: expect.stringContaining('There is no tool named "nothing"') },
    });
  });
});
