import { request, type IncomingMessage } from 'node:http';
import { describe, expect, it } from 'vitest';
import { bodyBytesMax } from '../../functions/core/limits.ts';
import { newFolder, npmStart, onProcesses } from './npm-start.ts';

/** Above what an item or a message carries, so it is kept as an object. */
const farBytes = 70_000;

describe('npm start', onProcesses, () => {
  it('makes 100 large starts with one key one task', async (test) => {
    const { ask, read } = await npmStart(test, { DATA_DIR: newFolder(test) });
    const call = {
      tool: 'demo_wait',
      arguments: { seconds: 0, result: 'x'.repeat(farBytes) },
      idempotency_key: 'once',
    };
    const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/v1/tasks', call)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(202);
    expect((await ask('/v1/tasks')).json.items).toHaveLength(1);
    expect(await read(String(answers[0]?.json.task_id), 25)).toMatchObject({
      status: 'completed',
      attempt: 1,
      result: call.arguments.result,
    });
  });

  it('says that it closes the connection of a body it does not read', async (test) => {
    const { url } = await npmStart(test, { DATA_DIR: newFolder(test) });
    const headers = { 'content-type': 'application/json', connection: 'keep-alive' };
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      const asking = request(`${url}/v1/tasks`, { method: 'POST', headers });
      asking.once('response', resolve).once('error', reject);
      asking.end('x'.repeat(bodyBytesMax + 1));
    });
    answer.resume();
    expect(answer.statusCode).toBe(413);
    expect(answer.headers.connection).toBe('close');
    // Whoever is still sending would find the connection gone, and no answer.
    const headersOnly = { 'content-type': 'application/json' };
    const huge = { method: 'POST', headers: headersOnly, body: 'x'.repeat(8 * bodyBytesMax) };
    for (let n = 0; n < 5; n += 1) {
      expect((await fetch(`${url}/v1/tasks`, huge)).status).toBe(413);
    }
  });
});
