import { isDetailedTaskV2 } from '@modelcontextprotocol/ext-tasks/core/v2';
import { describe, expect, it } from 'vitest';
import { useStage, type Stage } from './stage.ts';
import { declaring, modern, tasksExtension, type Wire } from './wire.ts';

let stage: Stage;
let wire: Wire;
useStage('modern-tasks', 'hasty', (opened) => {
  stage = opened;
  wire = { url: stage.url, key: stage.key('alice'), capabilities: declaring };
});

const call = (args: Record<string, unknown>, over: Partial<Wire> = {}) =>
  modern({ ...wire, ...over }, 'tools/call', { name: 'demo_wait', arguments: args });
const get = (taskId: string) => modern(wire, 'tasks/get', { taskId });

/** Every answer about a task must be what the official schema says. */
async function settled(taskId: string) {
  for (;;) {
    const { result } = (await get(taskId)).answer;
    expect(isDetailedTaskV2(result)).toBe(true);
    if (result.status !== 'working') return result;
    await stage.clock.sleep(500);
  }
}

describe('a client of 2026-07-28', () => {
  it('is told of the extension, exactly, and not of the tasks of 2025', async () => {
    const { result } = (await modern(wire, 'server/discover')).answer;
    expect(result.capabilities.extensions).toEqual({ [tasksExtension]: {} });
    expect(result.capabilities).not.toHaveProperty('tasks');
    expect(result).toMatchObject({ resultType: 'complete', cacheScope: 'public', ttlMs: 60_000 });
    const { tools, cacheScope } = (await modern(wire, 'tools/list')).answer.result;
    expect(cacheScope).toBe('public');
    for (const tool of tools) expect(tool).not.toHaveProperty('execution');
  });

  it('gets a task at once, and its result inlined when it has ended', async () => {
    const { result } = (await call({ seconds: 3, progress: 3, result: { a: 1 } })).answer;
    expect(result).toMatchObject({
      resultType: 'task',
      taskId: expect.stringMatching(/^task_/),
      status: 'working',
      ttlMs: expect.any(Number),
      pollIntervalMs: 1000,
    });
    expect(result).not.toHaveProperty('content');
    expect(await settled(result.taskId)).toMatchObject({
      status: 'completed',
      statusMessage: '3 of 3',
      result: { resultType: 'complete', structuredContent: { a: 1 } },
    });
  });

  it('never gets a task unless this very request declares it', async () => {
    const { result } = (await call({ seconds: 0.1 }, { capabilities: {} })).answer;
    expect(result).toMatchObject({ resultType: 'complete', structuredContent: { waited_s: 0.1 } });
    const listed = { extensions: { [tasksExtension]: undefined } };
    const undeclared = await call({ seconds: 60 }, { capabilities: listed });
    expect(undeclared.answer.result.structuredContent).toMatchObject({ status: 'working' });
  });

  it.each(['tasks/get', 'tasks/update', 'tasks/cancel'])(
    'must declare it for %s',
    async (method) => {
      const { taskId } = (await call({ seconds: 0 })).answer.result;
      const refused = await modern({ ...wire, capabilities: {} }, method, { taskId });
      expect(refused.status).toBe(400);
      const data = { requiredCapabilities: declaring };
      expect(refused.answer.error).toMatchObject({ code: -32_021, data });
    },
  );

  it('must declare it for a tool that demands it', async () => {
    const params = { name: 'picky', arguments: {} };
    const refused = await modern({ ...wire, capabilities: {} }, 'tools/call', params);
    expect(refused.answer.error).toMatchObject({ code: -32_021 });
    expect((await modern(wire, 'tools/call', params)).answer.result.resultType).toBe('task');
  });

  it('finds what the tool said of its failure in a completed task, all else in a failed one', async () => {
    const fatal = (await call({ seconds: 0, outcome: 'fatal' })).answer.result;
    expect(await settled(fatal.taskId)).toMatchObject({
      status: 'completed',
      result: { isError: true, content: [{ text: expect.stringContaining('told to fail') }] },
    });
    const dead = (await call({ seconds: 0, outcome: 'crash_once', idempotent: false })).answer
      .result;
    expect(await settled(dead.taskId)).toMatchObject({
      status: 'failed',
      error: { code: -32_603, message: expect.stringContaining('outcome_unknown') },
    });
  });

  it('cancels a task, once and again', async () => {
    const { taskId } = (await call({ seconds: 3000 })).answer.result;
    for (const _ of [1, 2]) {
      const { result } = (await modern(wire, 'tasks/cancel', { taskId })).answer;
      const { _meta, ...rest } = result;
      expect(rest).toEqual({ resultType: 'complete' });
    }
    expect(await settled(taskId)).toMatchObject({ status: 'cancelled' });
  });

  it('may answer what was never asked', async () => {
    const { taskId } = (await call({ seconds: 3000 })).answer.result;
    const inputResponses = { nobody_asked: { action: 'accept', content: {} } };
    const { result } = (await modern(wire, 'tasks/update', { taskId, inputResponses })).answer;
    expect(result).toMatchObject({ resultType: 'complete' });
    expect((await get(taskId)).answer.result.status).toBe('working');
  });

  it('polls an old task less often', async () => {
    const { taskId } = (await call({ seconds: 3000 })).answer.result;
    const ageMs = 31_000;
    const bornMs = stage.clock.nowMs();
    while (stage.clock.nowMs() < bornMs + ageMs) await stage.clock.sleep(1000);
    expect((await get(taskId)).answer.result.pollIntervalMs).toBe(5000);
  });

  it('has its headers checked', async () => {
    const { taskId } = (await call({ seconds: 3000 })).answer.result;
    const wrong = { ...wire, headers: { 'mcp-name': 'another' } };
    const refused = await modern(wrong, 'tasks/get', { taskId });
    expect(refused).toMatchObject({ status: 400, answer: { error: { code: -32_020 } } });
    expect((await modern(wire, 'tasks/result', { taskId })).status).toBe(404);
  });
});

describe('subscriptions/listen', () => {
  const listen = (taskIds: string[], over: Partial<Wire> = {}) =>
    modern({ ...wire, ...over }, 'subscriptions/listen', { notifications: { taskIds } });
  const subscriptionId = { 'io.modelcontextprotocol/subscriptionId': 7 };

  it('tells each change of a task until it has ended', async () => {
    const { taskId } = (await call({ seconds: 4, progress: 4 })).answer.result;
    const { messages, answer } = await listen([taskId, `task_${'x'.repeat(32)}`]);
    expect(messages[0]).toMatchObject({
      method: 'notifications/subscriptions/acknowledged',
      params: { notifications: { taskIds: [taskId] }, _meta: subscriptionId },
    });
    const told = messages.slice(1, -1);
    expect(told.length).toBeGreaterThan(2);
    for (const { method, params } of told) {
      expect(method).toBe('notifications/tasks');
      expect(params).toMatchObject({ taskId, _meta: subscriptionId });
    }
    expect(told.at(-1)?.params).toMatchObject({ status: 'completed', result: expect.any(Object) });
    expect(answer).toMatchObject({
      id: 7,
      result: { resultType: 'complete', _meta: subscriptionId },
    });
  });

  it.each([[7], ['x'], [null], [[7]], [Array.from({ length: 101 }, String)]])(
    'takes nothing but task ids, and not too many (%o)',
    async (taskIds) => {
      const refused = await modern(wire, 'subscriptions/listen', { notifications: { taskIds } });
      expect(refused.answer).toMatchObject({ id: 7, error: { code: -32_602 } });
    },
  );

  it('acknowledges a task once that is named twice', async () => {
    const { taskId } = (await call({ seconds: 1 })).answer.result;
    const { messages } = await listen([taskId, taskId]);
    expect(messages[0]?.params?.notifications).toEqual({ taskIds: [taskId] });
  });

  it('honours no task of another owner, and no client that does not declare tasks', async () => {
    const { taskId } = (await call({ seconds: 3000 })).answer.result;
    const { messages } = await listen([taskId], { key: stage.key('bob') });
    expect(messages).toHaveLength(2);
    expect(messages[0]?.params?.notifications).toEqual({ taskIds: [] });
    const refused = await listen([taskId], { capabilities: {} });
    expect(refused).toMatchObject({ status: 400, answer: { error: { code: -32_021 } } });
    const misled = await listen([taskId], { headers: { 'mcp-method': 'tools/list' } });
    expect(misled).toMatchObject({ status: 400, answer: { error: { code: -32_020 } } });
  });
});
