import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findNode22 } from '../conformance/suite.ts';
import { useStage } from './stage.ts';

/**
 * The Inspector of today, which needs a newer Node than the product: `.ci/run` installs both and names them.
 * Elsewhere only the older Inspector is driven, among the other clients.
 */
const { INSPECTOR: inspector = '' } = process.env;
const node = findNode22();
const isHere = inspector !== '' && node !== undefined;

let url: string;
useStage('inspector', 'open', (stage) => {
  url = stage.url;
});
let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'boomerang-home-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Said {
  readonly result?: {
    readonly tools?: readonly { readonly name: string }[];
    readonly structuredContent?: Record<string, unknown>;
    readonly isError?: boolean;
  };
}

/** The first line it prints: what the server answered. */
function inspect(era: string, ...args: readonly string[]): Promise<Said> {
  const door = ['--cli', `${url}/mcp`, '--transport', 'http', '--protocol-era', era];
  const all = [inspector, ...door, '--format', 'json', ...args];
  return new Promise((resolve, reject) => {
    const env = { ...process.env, HOME: home };
    // It exits with an error for a tool that failed, too, but only after it has said so.
    execFile(node ?? '', all, { env }, (_error, stdout, stderr) => {
      const [first = ''] = stdout.split('\n');
      if (first.startsWith('{')) resolve(JSON.parse(first) as Said);
      else reject(new Error(stderr || stdout));
    });
  });
}

const call = (era: string, name: string, ...args: readonly string[]) =>
  inspect(
    era,
    '--method',
    'tools/call',
    '--tool-name',
    name,
    ...args.flatMap((arg) => ['--tool-arg', arg]),
  );

describe.skipIf(!isHere).each(['modern', 'legacy'])('the Inspector 2 (%s)', (era) => {
  it.concurrent('lists the tools and runs a quick one', async () => {
    const listed = await inspect(era, '--method', 'tools/list');
    expect(listed.result?.tools?.map(({ name }) => name)).toContain('demo_wait');
    const { result } = await call(era, 'list_users');
    expect(result?.structuredContent).toMatchObject({ users: expect.any(Array) });
  });

  it.concurrent(
    'gets the result of a long-running tool, or its handle where it has no tasks',
    async () => {
      const { result } = await call(era, 'demo_wait', 'seconds=15');
      expect(result?.structuredContent).toMatchObject(
        era === 'modern' ? { waited_s: 15 } : { status: 'working', task_id: expect.any(String) },
      );
    },
  );

  it.concurrent('is told that a tool failed', async () => {
    const { result } = await call(era, 'demo_wait', 'seconds=0', 'outcome=fatal');
    expect(result).toMatchObject({ isError: true });
  });
});
