import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { jsonDepthMax } from '../../functions/core/limits.ts';
import { defineTool } from '../../functions/tools/define-tool.ts';
import { demoHouse, serveHouse, type RunningHouse } from '../running-house.ts';
import { testTool } from '../test-tool.ts';
import { openDoor } from './door.ts';
import { connectV1, type McpClient } from '../mcp/mcp-clients.ts';
import { modern } from '../mcp/wire.ts';

const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
const said = `it is nested deeper than ${jsonDepthMax} levels`;

/** A quick tool that takes anything and gives back something of that depth. */
const dig = defineTool({
  name: 'dig',
  description: 'Digs.',
  input: z.object({ levels: z.int().default(1), more: z.unknown().optional() }),
  run: ({ levels }) => nested(levels),
});

const asker = defineTool({
  name: 'asker',
  description: 'Asks before it begins.',
  longRunning: true,
  input: z.looseObject({ who: z.unknown() }),
  asksFirst: () => ({ who: { message: 'Who?', schema: {} } }),
  run: ({ who }) => ({ who }),
});

describe('arguments that are nested too deep', () => {
  it.each([3000, 400_000])('are 422 invalid_arguments over HTTP: %i levels', async (levels) => {
    const { ask, house } = openDoor({ tools: [dig] });
    for (const [tool, name] of [
      ['demo_wait', 'result'],
      ['dig', 'more'],
    ]) {
      const deep = '['.repeat(levels) + ']'.repeat(levels);
      const body = `{"tool":"${tool}","arguments":{"seconds":0,"${name}":${deep}}}`;
      const answer = await ask('/v1/tasks', { body });
      expect(answer.status).toBe(422);
      expect(answer.json).toMatchObject({ code: 'invalid_arguments', errors: [{ message: said }] });
    }
    expect(house.ports.work.size).toBe(0);
  });

  it('are taken up to the limit', async () => {
    const { start } = openDoor({ tools: [dig] });
    const result = nested(jsonDepthMax - 1);
    expect((await start({ tool: 'demo_wait', arguments: { seconds: 0, result } })).status).toBe(
      202,
    );
    expect((await start({ tool: 'dig', arguments: { more: result } })).status).toBe(200);
  });

  describe('over MCP', () => {
    let open: RunningHouse;
    let client: McpClient;
    beforeAll(async () => {
      open = await serveHouse(demoHouse({ tools: [dig, asker] }), loopbackAuth);
      client = await connectV1(`${open.url}/mcp`);
    });
    afterAll(async () => {
      await client.close();
      await open.stop();
    });

    it.each([
      ['demo_wait', { seconds: 0, result: nested(1000) }],
      ['dig', { more: nested(1000) }],
    ])('are the failure of the call of %s', async (tool, args) => {
      const answer = await client.call(tool, args);
      expect(answer.isError).toBe(true);
      expect(answer.content[0]?.text).toContain(said);
    });

    it.each([
      ['demo_wait', { requestState: 'sealed' }],
      ['asker', {}],
      ['asker', { requestState: 'sealed' }],
    ])(
      'are the failure of the call of %s with %j, before anything is asked',
      async (name, more) => {
        const params = { name, arguments: { seconds: 0, result: nested(4000) }, ...more };
        const wire = { url: open.url, capabilities: { elicitation: {} } };
        expect((await modern(wire, 'tools/call', params)).answer.result).toMatchObject({
          isError: true,
          content: [{ text: expect.stringContaining(said) }],
        });
      },
    );
  });
});

describe('the input schema of a caller’s own tool', () => {
  const creation = (levels: number) => {
    const schema = `{"type":"object","default":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    const tool = `{"name":"own","description":"Mine.","input_schema":${schema},"long_running":true}`;
    return { body: `{"tools":[${tool}]}` };
  };

  it.each([jsonDepthMax + 1, 5000])('is 400 when it has %i levels', async (levels) => {
    const { ask } = openDoor();
    const { status, json } = await ask('/v1/sessions', creation(levels));
    expect([status, json.code]).toEqual([400, 'invalid_request']);
    expect(json.errors).toEqual([{ path: 'tools.0.input_schema', message: said }]);
  });

  it('is taken up to the limit', async () => {
    const { ask } = openDoor();
    expect((await ask('/v1/sessions', creation(jsonDepthMax))).status).toBe(201);
  });
});

describe('a result that is nested too deep', () => {
  it.each([jsonDepthMax + 1, 3000])(
    'is the failure of its task, once: %i levels',
    async (levels) => {
      const deep = testTool({ run: async () => nested(levels) });
      const { house, start, ask } = openDoor({ tools: [deep] });
      const { json } = await start({ tool: 'slow', arguments: {} });
      await house.runFor(10_000);
      expect((await ask(`/v1/tasks/${String(json.task_id)}`)).json).toMatchObject({
        status: 'failed',
        attempt: 1,
        error: { code: 'tool_failed', message: `The result is not kept: ${said}.` },
      });
    },
  );

  it.each([jsonDepthMax + 1, 3000])('is the failure of a quick tool: %i levels', async (levels) => {
    const { start } = openDoor({ tools: [dig] });
    const { status, json } = await start({ tool: 'dig', arguments: { levels } });
    expect(status).toBe(200);
    expect(json).toEqual({
      status: 'failed',
      error: { code: 'tool_failed', message: `The result is not kept: ${said}.` },
    });
  });
});
