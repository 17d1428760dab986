import { execFile } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { newFolder, npmStart, onProcesses, type Started } from './npm-start.ts';

/** Five seconds are promised; twice that is allowed here, where other tests may need the machine. */
const readyMsMax = 10_000;
const stopMsMax = 3000;

const inShell = async (command: string) => {
  const { stdout } = await promisify(execFile)('bash', ['-c', command]);
  return JSON.parse(stdout) as Record<string, unknown>;
};

async function saysWhereThingsAre({ url, says }: Started, dataDir: string) {
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await says(new RegExp(`^ {2}MCP {3}${url}/mcp$`, 'm'));
  await says(new RegExp(`^ {2}API {3}${url}/v1 {3}\\(described at ${url}/openapi.json\\)$`, 'm'));
  await says(new RegExp(`^ {2}data {2}${dataDir}$`, 'm'));
  await says(new RegExp(`^ {2}claude mcp add --transport http boomerang ${url}/mcp$`, 'm'));
}

describe('npm start', onProcesses, () => {
  it('is ready within seconds and says what to do next, and what it says works', async (test) => {
    const DATA_DIR = newFolder(test);
    const started = await npmStart(test, { DATA_DIR }, true);
    expect(started.readyMs).toBeLessThan(readyMsMax);
    await saysWhereThingsAre(started, DATA_DIR);
    const { says, ask, end } = started;
    const [, startIt = ''] = await says(/^ {2}(curl -s .*-d .*)$/m);
    const handle = await inShell(startIt);
    const task_id = String(handle.task_id);
    expect(handle).toEqual({ task_id, status: 'working', poll_after_ms: 1000 });
    const [, readIt = ''] = await says(/^ {2}(curl -s .*wait_s=25.*)$/m);
    const read = await inShell(readIt.replace('<task_id>', task_id).replace('=25', '=0'));
    expect(read).toMatchObject({ task_id, tool: 'batch_create_users_async', status: 'working' });
    expect((await ask('/health')).json).toMatchObject({ status: 'ok' });
    // Someone waits and a task runs: neither may keep the process from ending.
    const waiting = inShell(readIt.replace('<task_id>', task_id)).catch(() => 'cut off');
    await delay(200);
    const beganMs = performance.now();
    expect(await end('SIGINT')).toBe(0);
    expect(performance.now() - beganMs).toBeLessThan(stopMsMax);
    expect(await waiting).toBe('cut off');
  });

  it('listens on the other loopback address too, and takes an empty setting for none', async (test) => {
    const env = { DATA_DIR: newFolder(test), SWEEP_S: '', API_KEYS: '' };
    const { url, ask } = await npmStart(test, { ...env, HOST: '::1' });
    expect(url).toMatch(/^http:\/\/\[::1\]:\d+$/);
    expect((await ask('/v1/tools')).status).toBe(200);
  });
});
