import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { inject, type TestContext } from 'vitest';
import type { TaskView } from '../../functions/tasks/view-task.ts';
import { readAnswer, type Answer } from '../api/door.ts';
import { builtFile } from '../built.ts';

/** On a busy CI machine a process may come too late: a second try is for tests that start one, and no others. */
export const onProcesses = { retry: process.env.CI ? 1 : 0 };

/** What outlives a failed test would hold its port and folder, so the test's end ends it. */
export type Test = Pick<TestContext, 'onTestFinished'>;

export interface Program {
  /** Wait until it has said this on stdout. */
  readonly says: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Send a signal and wait for the end: its exit code, or null after a kill. */
  readonly end: (signal: NodeJS.Signals) => Promise<number | null>;
  readonly ended: Promise<Ended>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started extends Program {
  readonly url: string;
  readonly readyMs: number;
  readonly ask: (path: string, json?: unknown) => Promise<Answer>;
  /** Start a long-running tool and say its task id. */
  readonly start: (tool: string, args: Record<string, unknown>) => Promise<string>;
  /** Read a task, and wait for its end for so many seconds. */
  readonly read: (taskId: string, waitS?: number) => Promise<TaskView>;
  /** Run a quick tool and say its result. */
  readonly run: (tool: string, args?: Record<string, unknown>) => Promise<unknown>;
}

const root = join(import.meta.dirname, '../..');

/** A folder of the test's own, gone when the test is over. */
export function newFolder({ onTestFinished }: Test): string {
  const folder = mkdtempSync(join(tmpdir(), 'boomerang-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  return folder;
}

/** Only what is said here, so that nothing set on this machine decides a test. */
const environment = (said: NodeJS.ProcessEnv): NodeJS.ProcessEnv => {
  const { PATH, HOME, TMPDIR } = process.env;
  return { PATH, HOME, ...(TMPDIR === undefined ? {} : { TMPDIR }), PORT: '0', ...said };
};

/** What starts a file of local/ in a process of its own: built, or as the scripts of package.json do it. */
export const commandFor = (file: string, asIs = false): readonly string[] =>
  asIs ? ['--import', 'tsx', file] : [builtFile(inject('builtPrograms'), file)];

export function launch(test: Test, file: string, env: NodeJS.ProcessEnv, asIs = false): Program {
  const child = spawn(process.execPath, commandFor(file, asIs), {
    cwd: root,
    env: environment(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => void (stderr += text));
  const ended = once(child, 'close').then(([code]): Ended => {
    return { code: code as number | null, stdout, stderr };
  });
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal);
    return (await ended).code;
  };
  test.onTestFinished(async () => void (await end('SIGKILL')));
  const says = async (pattern: RegExp) => {
    for (;;) {
      const match = pattern.exec(stdout);
      if (match) return match;
      if (child.exitCode !== null) throw new Error(`It ended before it said ${pattern}: ${stderr}`);
      await delay(10);
    }
  };
  return { says, end, ended };
}

/** `npm start`, once it says that it listens. */
export async function npmStart(test: Test, env: NodeJS.ProcessEnv, asIs = false): Promise<Started> {
  const beganMs = performance.now();
  const program = launch(test, 'local/main.ts', env, asIs);
  const [, url = ''] = await program.says(/^boomerang listening (http:\/\/\S+:\d+)$/m);
  const readyMs = performance.now() - beganMs;
  return { ...program, url, readyMs, ...clientOf(url) };
}

function clientOf(url: string): Pick<Started, 'ask' | 'start' | 'read' | 'run'> {
  const ask = async (path: string, json?: unknown) => {
    const headers = { 'content-type': 'application/json' };
    const post = { method: 'POST', headers, body: JSON.stringify(json) };
    return readAnswer(await fetch(`${url}${path}`, json === undefined ? {} : post));
  };
  const call = async (tool: string, args: Record<string, unknown>, status: number) => {
    const answer = await ask('/v1/tasks', { tool, arguments: args });
    if (answer.status !== status) throw new Error(`${tool} answered: ${answer.text}`);
    return answer.json;
  };
  return {
    ask,
    start: async (tool, args) => String((await call(tool, args, 202)).task_id),
    read: async (taskId, waitS = 0) => {
      const { json } = await ask(`/v1/tasks/${taskId}?wait_s=${waitS}`);
      return json as unknown as TaskView;
    },
    run: async (tool, args = {}) => (await call(tool, args, 200)).result,
  };
}
