import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createApp } from '../../functions/api/app.ts';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { outageText } from '../../functions/core/outage.ts';
import type { Log } from '../../functions/ports.ts';
import { openDoor, readAnswer, twoOwners } from '../api/door.ts';
import { legacy, modern } from '../mcp/wire.ts';
import { call, talk } from '../resume/talk.ts';
import { demoHouse, serveHouse, type RunningHouse } from '../running-house.ts';
import { testTool, type TestTool } from '../test-tool.ts';

const arn = 'arn:aws:dynamodb:eu-central-1:123456789012:table/Users';

/** As the AWS SDK throws it. */
const outage = () =>
  Object.assign(new Error(`not authorized to perform dynamodb:PutItem on ${arn}`), {
    name: 'AccessDeniedException',
    $fault: 'client',
    $metadata: { httpStatusCode: 400, attempts: 1 },
  });

/** A tool that meets so many outages before it is done. */
function needy(outages: number, said: TestTool = {}) {
  let runs = 0;
  return testTool({
    name: 'needy',
    ...said,
    async run() {
      runs += 1;
      if (runs <= outages) throw outage();
      return { runs };
    },
  });
}

const quick = { longRunning: false };
const broken = testTool({
  ...quick,
  name: 'broken',
  run: () => Promise.reject(new RangeError('out of range')),
});

describe('an outage inside a quick tool', () => {
  it('is 500 over HTTP without a word of it, which the log has', async () => {
    const { house } = openDoor({ tools: [needy(9, quick), broken] });
    const told: unknown[] = [];
    const log: Log = (...said) => void told.push(said);
    const app = createApp({ ...house.ports, log }, twoOwners);
    const start = async (tool: string) => {
      const headers = { authorization: 'Bearer key-of-alice', 'content-type': 'application/json' };
      const body = JSON.stringify({ tool, arguments: {} });
      return readAnswer(await app.request('/v1/tasks', { method: 'POST', headers, body }));
    };
    const { status, json, text } = await start('needy');
    expect([status, json.code]).toEqual([500, 'internal_error']);
    expect(text).not.toContain('arn:');
    const stack = expect.stringContaining('outage.test.ts');
    const fault = { tool: 'needy', error: 'AccessDeniedException', stack };
    expect(told[0]).toEqual(['error', 'quick tool met an outage', fault]);
    expect(JSON.stringify(told)).not.toContain('arn:');

    expect((await start('broken')).json).toMatchObject({ error: { message: 'out of range' } });
    const failure = { tool: 'broken', error: 'RangeError' };
    expect(told.at(-1)).toEqual(['warn', 'quick tool failed', failure]);
  });

  describe('over MCP', () => {
    let open: RunningHouse;
    beforeAll(async () => {
      open = await serveHouse(demoHouse({ tools: [needy(9, quick)] }), loopbackAuth);
    });
    afterAll(() => open.stop());

    it.each([
      ['2026-07-28', modern],
      ['2025-11-25', legacy],
    ] as const)('is an internal error of %s without a word of it', async (_, ask) => {
      const params = { name: 'needy', arguments: {} };
      const { answer, text } = await ask({ url: open.url }, 'tools/call', params);
      expect(answer.error?.code).toBe(-32_603);
      expect(text).not.toContain('arn:');
    });
  });

  it('is tried again in a turn where the tool allows it', async () => {
    const { house, say, requests } = await talk({
      tools: [needy(2, quick)],
      says: [{ calls: [call('call_1', 'needy')] }, { text: 'Done.' }],
    });
    await say('Go');
    await house.runFor(10 * 60_000);
    expect(requests[1]?.at(-1)).toMatchObject({
      callId: 'call_1',
      status: 'completed',
      value: { json: '{"runs":3}' },
    });
    expect(house.ports.resumes.size).toBe(0);
  });

  it('is not known to have done nothing where it does not', async () => {
    const { house, say, requests } = await talk({
      tools: [needy(9, { ...quick, idempotent: false })],
      says: [{ calls: [call('call_1', 'needy')] }, { text: 'I see.' }],
    });
    await say('Go');
    await house.runFor(10 * 60_000);
    expect(requests[1]?.at(-1)).toMatchObject({ status: 'failed', callId: 'call_1' });
    expect(JSON.stringify(requests)).toContain('may or may not');
    expect(JSON.stringify(requests)).not.toContain('arn:');
  });
});

describe('an outage inside a long-running tool', () => {
  it('is tried again', async () => {
    const { start, ask, house } = openDoor({ tools: [needy(2)] });
    const { json } = await start({ tool: 'needy', arguments: {} });
    await house.runFor(10 * 60_000);
    const view = (await ask(`/v1/tasks/${String(json.task_id)}`)).json;
    expect(view).toMatchObject({ status: 'completed', result: { runs: 3 } });
  });

  it('fails its task in the end, without a word of it', async () => {
    const { start, ask, house } = openDoor({ tools: [needy(9)] });
    const { json } = await start({ tool: 'needy', arguments: {} });
    await house.runFor(10 * 60_000);
    const view = (await ask(`/v1/tasks/${String(json.task_id)}`)).json;
    expect(view).toMatchObject({
      status: 'failed',
      attempt: 4,
      error: { code: 'tool_failed', message: outageText },
    });
    expect(house.facts.filter((fact) => fact === 'tool met an outage')).toHaveLength(4);
  });
});
