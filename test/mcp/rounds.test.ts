import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { roundsMax } from '../../functions/core/ladder.ts';
import { useStage, type Stage } from './stage.ts';

let stage: Stage;
useStage('rounds', 'long', (opened) => void (stage = opened));

const form = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] };
const times = <T>(count: number, each: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => each(at));

/** The official client of 2026-07-28, whose user answers whatever is asked. */
async function connect() {
  let asked = 0;
  const client = new Client(
    { name: 'a test', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    asked += 1;
    const [name = ''] = Object.keys(
      'requestedSchema' in params ? params.requestedSchema.properties : {},
    );
    return { action: 'accept', content: { [name]: `answer ${asked}` } };
  });
  const requestInit = { headers: { authorization: `Bearer ${stage.key('alice')}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${stage.url}/mcp`), { requestInit }),
  );
  return { client, asked: () => asked };
}

describe('a client that follows only so often', () => {
  it('gets the handle of a task that asks more, and goes on by it', async () => {
    const { client, asked } = await connect();
    const call = { name: 'interview', arguments: { asks: times(roundsMax + 3, () => form) } };
    const handle = (await client.callTool(call)).structuredContent;
    expect(handle).toMatchObject({
      status: 'input_required',
      input_requests: [{ key: `q${roundsMax}` }],
    });
    expect(asked()).toBe(roundsMax);
    const { task_id } = handle as { task_id: string };
    const wait = { name: 'wait_for_task', arguments: { task_id } };
    const { result } = (await client.callTool(wait)).structuredContent as { result: unknown };
    expect(result).toMatchObject({ heard: { length: roundsMax + 3 } });
    await client.close();
  });

  it('is not asked more often in all where questions come before the task as well', async () => {
    const { client, asked } = await connect();
    const first = times(5, (at) => `first${at}`);
    const call = { name: 'interview', arguments: { first, asks: times(6, () => form) } };
    const handle = (await client.callTool(call)).structuredContent;
    expect(handle).toMatchObject({ status: 'input_required', input_requests: [{ key: 'q4' }] });
    expect(asked()).toBe(roundsMax);
    await client.close();
  });

  it('begins with what its user has said by then where a tool asks more beforehand', async () => {
    const { client, asked } = await connect();
    const first = times(roundsMax + 3, (at) => `first${at}`);
    const call = { name: 'interview', arguments: { first, asks: [] } };
    const { structuredContent } = await client.callTool(call);
    expect(Object.keys(structuredContent ?? {})).toEqual([
      'first',
      ...first.slice(0, roundsMax),
      'heard',
    ]);
    expect(asked()).toBe(roundsMax);
    await client.close();
  });
});
