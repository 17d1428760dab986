import { describe, expect, it } from 'vitest';
import { asOwner } from '../../functions/core/ids.ts';
import type { Tool } from '../../functions/core/tool.ts';
import { runQuick } from '../../functions/tasks/run-quick.ts';
import { testModel } from '../test-model.ts';
import { testTool } from '../test-tool.ts';
import { call, openSessions, ownTool } from '../api/session-door.ts';

/** Calls that wait for a slot, and results that come when nobody looks. */

const calls = [call('c1', 'approve'), call('c2', 'slow')];

function openWaiting(more: Parameters<typeof testTool>[0] = {}) {
  let runs = 0;
  const slow = testTool({
    name: 'slow',
    run: async () => {
      runs += 1;
      return { done: true };
    },
    ...more,
  });
  const sessions = openSessions([{ calls }], { tools: [slow] });
  const create = async () => {
    const policy = { slots: 1 };
    const session = await sessions.create({ tools: ['slow', ownTool('approve')], policy });
    await session.say('Go');
    return session;
  };
  return { ...sessions, create, runs: () => runs };
}

describe('a call that waits for a slot', () => {
  it('still waits after a response that was refused, and runs when its turn comes', async () => {
    const { create, settle, runs } = openWaiting({ checkResult: wantsDone });
    const session = await create();
    const refused = await session.respond({ call_id: 'c2', result: { nope: 1 } });
    expect(refused).toMatchObject({ status: 422, json: { code: 'result_schema_mismatch' } });
    expect(await session.view()).toMatchObject({
      pending: [{ call_id: 'c1' }, { call_id: 'c2', state: 'waiting' }],
    });
    await session.respond({ call_id: 'c1', result: 1 });
    await settle();
    expect(runs()).toBe(1);
    expect(await session.view()).toMatchObject({ status: 'idle', pending: [] });
  });

  it.each(['respond', 'cancel'] as const)(
    'runs all the same when whoever was to %s has died half-way',
    async (verb) => {
      const { create, house, settle, runs } = openWaiting();
      const session = await create();
      const { work } = house.ports;
      const send = () => Promise.reject(new Error('the queue is away'));
      Object.assign(house.ports, { work: { ...work, send } });
      const answer =
        verb === 'cancel'
          ? await session.cancel('c2')
          : await session.respond({ call_id: 'c2', result: { done: true } });
      expect(answer.status).toBe(500);
      Object.assign(house.ports, { work });
      await session.respond({ call_id: 'c1', result: 1 });
      await settle();
      expect(runs()).toBe(1);
      expect(await session.view()).toMatchObject({ status: 'idle', pending: [] });
    },
  );

  it('takes its results one by one, as when it runs', async () => {
    const { create } = openWaiting({ results: () => ({ min: 1, max: 3 }) });
    const session = await create();
    expect(await session.respond({ call_id: 'c2', result: { n: 1 } })).toMatchObject({
      status: 202,
      json: { outcome: 'partial', received: 1, expected: 3 },
    });
  });
});

const wantsDone: Tool['checkResult'] = (value) =>
  (value as { done?: boolean }).done === true
    ? { ok: true, value }
    : {
        ok: false,
        failure: {
          reason: 'invalid_arguments',
          tool: 'slow',
          flaws: [{ path: 'done', message: 'expected true' }],
        },
      };

describe('a late result that comes before its cancel was told', () => {
  it('is told with it, once', async () => {
    const made = [call('a', 'approve'), call('b', 'approve')];
    const { create, settle } = openSessions([{ calls: made }]);
    const session = await create({ tools: [ownTool('approve')] });
    await session.say('Go');
    await session.cancel('a');
    expect((await session.respond({ call_id: 'a', result: { late: 1 } })).status).toBe(409);
    await settle();
    expect(await session.view()).toMatchObject({ turns: 1 });
    await session.respond({ call_id: 'b', result: { b: 1 } });
    await settle();
    await session.say('And?');
    const history = JSON.stringify(await session.history());
    expect(history.match(/correction completed/g)).toHaveLength(1);
    expect(history).toContain('late');
  });
});

describe('a large result in a session', () => {
  const large = { text: 'say "hi" '.repeat(6000) };

  /** A model that reads on wherever it is told to. */
  function openReading() {
    const read: string[] = [];
    const model = testModel(({ entries }) => {
      const responses = entries.filter((entry) => entry.role === 'tool');
      const [report, last] = [responses[0], responses.at(-1)];
      if (!report || !last) return { calls: [call('r', 'report')] };
      if (!last.value) return {};
      const { json, cut } = last.value;
      const page = last === report ? { text: json } : (JSON.parse(json) as Page);
      if (last !== report || cut) read.push(page.text);
      const offset = last === report ? Buffer.byteLength(json) : page.next_offset;
      if (offset === undefined) return {};
      const args = { task_id: report.taskId, offset };
      return { calls: [call(`p${offset}`, 'read_result', args)] };
    });
    return { ...openSessions([], { model }), read };
  }

  interface Page {
    readonly text: string;
    readonly next_offset?: number;
  }

  it('is read to its end page by page, as the answers say', async () => {
    const { create, settle, read } = openReading();
    const session = await create({ tools: [ownTool('report')] });
    await session.say('Go');
    await session.respond({ call_id: 'r', result: large });
    await settle();
    expect(read.length).toBeGreaterThan(3);
    expect(read.join('')).toBe(JSON.stringify(large));
  });
});

describe('one of several results that is large', () => {
  it('is read on by its number, before the last has come and after', async () => {
    const { create, house, settle } = openSessions([{ calls: [call('a', 'review')] }]);
    const session = await create({ tools: [ownTool('review', { results: 2 })] });
    await session.say('Go');
    await session.respond({ call_id: 'a', result: { first: 'A'.repeat(10_000) } });
    await settle();
    const history = JSON.stringify(await session.history());
    const [, taskId = '', part = '', offset = ''] =
      /task_id \\\\*"(\w[\w-]*)\\\\*", part (\d) and offset (\d+)/.exec(history) ?? [];
    const args = { task_id: taskId, part: Number(part), offset: Number(offset) };
    const readOn = async () => {
      const tool = house.ports.tools.get('read_result');
      if (!tool) throw new Error('There is no such tool.');
      const owner = asOwner('alice');
      return runQuick(house.ports, {
        owner,
        tool,
        arguments: args,
        signal: AbortSignal.timeout(1000),
      });
    };
    const rest = { ok: true, value: { result: { text: expect.stringMatching(/^A+"}$/) } } };
    expect(await readOn()).toMatchObject(rest);
    await session.respond({ call_id: 'a', result: { second: 'B'.repeat(10_000) } });
    await settle();
    expect(await readOn()).toMatchObject(rest);
  });
});
