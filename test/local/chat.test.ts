import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, it, type TestContext } from 'vitest';
import { demoSpeaker } from '../../functions/adapters/scripted-demo.ts';
import { scriptedModel } from '../../functions/adapters/scripted-model.ts';
import { loopbackAuth } from '../../functions/api/auth.ts';
import { openSession } from '../../local/chat/session-client.ts';
import { talkInTerminal } from '../../local/chat/talk-in-terminal.ts';
import { virtualClock } from '../house.ts';
import { demoHouse, serveHouse } from '../running-house.ts';
import { commandFor, onProcesses } from './npm-start.ts';
import { virtualTerminal } from './virtual-terminal.ts';

const root = join(import.meta.dirname, '../..');

/** A server on memory ports with the demo model; its time runs twenty times as fast as ours. */
async function startServer({ onTestFinished }: Pick<TestContext, 'onTestFinished'>) {
  const clock = virtualClock(Date.now());
  const model = scriptedModel('scripted', demoSpeaker(), clock);
  const running = await serveHouse(demoHouse({ clock, model }), loopbackAuth);
  onTestFinished(() => running.stop());
  return running.url;
}

/** `npm run chat` with these lines piped into it. */
async function pipe(lines: readonly string[], ...options: readonly string[]) {
  const args = [...commandFor('local/chat/main.ts'), ...options];
  const running = promisify(execFile)(process.execPath, args, { cwd: root });
  running.child.stdin?.end(lines.map((line) => `${line}\n`).join(''));
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  );
}

describe('npm run chat in a pipe', onProcesses, () => {
  it('says one line after another, and waits at the end for what is under way', async (test) => {
    const url = await startServer(test);
    const lines = ['hello', 'install redis in 40 seconds', 'what is 6 times 7?', '/calls', '/what'];
    const { code, stdout, stderr } = await pipe(lines, '--url', url);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const said = stdout.split('\n');
    const order = [
      'you       hello',
      'model     Hello! What shall I do for you?',
      'you       install redis in 40 seconds',
      'call      install_package  package: "redis", duration_s: 40',
      'you       what is 6 times 7?',
      'model     That makes 42. (The installation of redis is still under way.)',
      'result    install_package redis  status: "installed", package: "redis", stages: [4 entries]',
      'model     redis is installed: resolved dependencies, downloaded, unpacked and linked.',
    ].map((line) => said.indexOf(line));
    expect(order).not.toContain(-1);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(stdout).toMatch(/^call {6}install_package {2}call_\w+… {2}running/m);
    expect(stdout).toContain('note      /calls shows what is under way');
    for (const percent of [25, 50, 75, 100])
      expect(stdout).toMatch(new RegExp(` ${percent}%  inst`));
  });

  it('comes back to a session and tells what was said', async (test) => {
    const url = await startServer(test);
    const { sessionId } = await openSession({ url, key: undefined });
    await pipe(['list users'], '--url', url, '--session', sessionId);
    const { code, stdout } = await pipe(
      ['/history', '/quit'],
      '--url',
      url,
      '--session',
      sessionId,
    );
    expect(code).toBe(0);
    expect(stdout).toContain('you       list users');
    expect(stdout).toContain('There are no users yet. Shall I create some?');
  });

  it.for([
    [['--url', 'http://127.0.0.1:1'], /^No Boomerang answers at .*: start one with "npm start"/],
    [['--nonsense'], /^Use it so: npm run chat -- /],
  ] as const)('ends with 1 and one sentence: %j', async ([options, why]) => {
    const { code, stdout, stderr } = await pipe([], ...options);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(why);
    expect(stderr.trimEnd()).not.toContain('\n');
  });

  it('says so when there is no such session', async (test) => {
    const url = await startServer(test);
    const { stderr } = await pipe([], '--url', url, '--session', 'sess_none');
    expect(stderr).toMatch(/^There is no session: .+\n$/);
  });
});

/** A person at a terminal. */
async function sitDown(test: TestContext) {
  const client = await openSession({ url: await startServer(test), key: undefined });
  const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin });
  const terminal = virtualTerminal(100, 40);
  const write = (text: string) => terminal.write(text);
  const stdout = Object.assign(new PassThrough(), { columns: 100, rows: 40, write });
  const talking = talkInTerminal(client, {
    stdin: stdin as unknown as NodeJS.ReadStream,
    stdout: stdout as unknown as NodeJS.WriteStream,
    paint: (_colour, text) => text,
  });
  const sees = async (words: string) => {
    while (!terminal.screen.join('\n').includes(words)) await delay(10);
  };
  return { terminal, talking, sees, press: (keys: string) => void stdin.write(keys) };
}

const ctrlC = '\u0003';

describe('npm run chat in a terminal', onProcesses, () => {
  it('shows bars while a line is typed, cancels the newest call on Ctrl-C, and then leaves', async (test) => {
    const { terminal, talking, sees, press } = await sitDown(test);
    press('install redis in 3000 seconds\r');
    await sees('install_package redis');
    press('install nginx in 40 seconds\r');
    await sees('install_package nginx');
    press('a joke, ');
    await sees('25%  ');
    press('please\r');
    await sees('you       a joke, please');
    await sees('I threw a boomerang');
    await sees('nginx is installed');
    press(ctrlC);
    await sees('cancelled install_package redis');
    await sees('The installation of redis is cancelled.');
    press('never sent');
    press(ctrlC);
    await talking;
    const { screen } = terminal;
    expect(screen.at(-3)).toMatch(
      /^ {2}Come back with: npm run chat -- --url http:\/\/127.0.0.1:\d+ --session sess_/,
    );
    expect(screen.join('\n')).not.toContain('never sent');
    expect(screen.filter((line) => line.startsWith('you       a joke, please'))).toHaveLength(1);
    expect(screen.filter((line) => line.includes('░'))).toEqual([]);
  });

  it('says what goes on when the user leaves', async (test) => {
    const { terminal, talking, sees, press } = await sitDown(test);
    press('deploy v1.0.0 to staging\r');
    await sees('…  0:00  deploy_to_staging v1.0.0');
    press('/quit\r');
    await talking;
    expect(terminal.screen.at(-3)).toMatch(
      /^ {2}What is running goes on\. Come back with: npm run/,
    );
  });
});
