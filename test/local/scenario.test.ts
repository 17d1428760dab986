import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commandFor, onProcesses } from './npm-start.ts';
import { playScenario } from '../../local/scenario/play-scenario.ts';
import { readScenario } from '../../local/scenario/read-scenario.ts';
import { momentText } from '../../local/scenario/transcript.ts';
import { newFolder, type Test } from './npm-start.ts';

const root = join(import.meta.dirname, '../..');

/** `npm run scenario`, in a process of its own. */
async function run(...files: readonly string[]) {
  const args = [...commandFor('local/scenario/main.ts'), ...files];
  const running = promisify(execFile)(process.execPath, args, { cwd: root });
  return running.then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (failed: { code: number; stdout: string; stderr: string }) => failed,
  );
}

function written(test: Test, scenario: unknown): string {
  const file = join(newFolder(test), 'scenario.json');
  writeFileSync(file, typeof scenario === 'string' ? scenario : JSON.stringify(scenario));
  return file;
}

const hello = { title: 'Hello', steps: [{ at: 0, say: 'Hello' }] };
const step = (more: object) => ({ ...hello, steps: [...hello.steps, more] });

describe('npm run scenario', onProcesses, () => {
  it('prints the transcript, plain where nobody watches, and the same each time', async () => {
    const file = 'examples/scenarios/deploy.json';
    const [first, second] = await Promise.all([run(file), run(file)]);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    const stamp = /in \d+\.\d\d s/;
    expect(second.stdout.replace(stamp, '')).toBe(first.stdout.replace(stamp, ''));
    const lines = first.stdout.split('\n').map((line) => line.trimEnd());
    expect(lines).toContain('    0:00  you       Deploy v2.5.0 to staging');
    expect(lines).toContain(
      '    0:00  yields    waiting for call_abc123 (deploy_to_staging v2.5.0)',
    );
    expect(lines).toContain('    8:12  callback  deploy_to_staging v2.5.0  completed');
    expect(lines).toContain('                    Duration: 8 minutes 12 seconds.');
    expect(first.stdout).toMatch(
      /2 turns · 2 model requests · 1 call · 8:12 of scenario time in \d+\.\d\d s\n\n$/,
    );
    // oxlint-disable-next-line no-control-regex -- no colours in a pipe
    expect(first.stdout).not.toMatch(/\u001b/);
  });

  it('ends with 1 and one sentence when something expected did not come', async (test) => {
    const file = written(test, { ...hello, expect: { texts_include: ['Goodbye'] } });
    const { code, stderr } = await run(file);
    expect(code).toBe(1);
    expect(stderr).toBe('At 0:00 the model should have said "Goodbye", but it did 0 times.\n');
  });

  it('ends with 1 and one sentence without a file, or without one that is there', async () => {
    expect(await run()).toMatchObject({
      code: 1,
      stderr: 'Say which scenario: npm run scenario examples/scenarios/deploy.json.\n',
    });
    expect(await run('nowhere.json')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: 'The scenario nowhere.json cannot be played: there is no such file.\n',
    });
  });
});

it('the README shows what npm run scenario prints', async () => {
  const { moments } = await playScenario(
    readScenario(join(root, 'examples/scenarios/deploy.json')),
  );
  const page = { width: 100, paint: (_colour: string, text: string) => text };
  const printed = moments.map((moment) => momentText(moment, page)).join('');
  expect(readFileSync(join(root, 'README.md'), 'utf8')).toContain(`\`\`\`\n${printed}\`\`\``);
});

describe('a scenario file', () => {
  it.for([
    ['garbage', 'it is not JSON'],
    [[], 'invalid input: expected object, received array'],
    [{ ...hello, steps: [] }, 'steps: too small: expected array to have >=1 items'],
    [
      step({ at: 'soon', say: 'Hi' }),
      'step 2 at: neither a number of seconds nor a time such as "8m12s"',
    ],
    [step({ at: 1 }), 'step 2: it must do exactly one of say, respond, callback, cancel'],
    [step({ at: 1, say: 'Hi', cancel: { tool: 'x' } }), 'step 2: it must do exactly one of'],
    [step({ at: 1, cancel: {} }), 'step 2: it names no call by tool or call_id'],
    [step({ at: 1, shout: 'Hi' }), 'step 2: unrecognized key: "shout"'],
    [
      {
        ...hello,
        steps: [
          { at: 5, say: 'a' },
          { at: 4, say: 'b' },
        ],
      },
      'steps: they are not in the order',
    ],
    [{ ...hello, model: [{ when: { text: 'x' } }] }, 'in step 1 when is not {text_includes'],
    [{ ...hello, expect: { txts: [] } }, 'expect: unrecognized key: "txts"'],
  ] as const)('is refused in one sentence: %j', ([scenario, why], test) => {
    const file = written(test, scenario);
    expect(() => readScenario(file)).toThrow(`${file} cannot be played: ${why}`);
  });

  it.for([
    [{ session: { tools: ['nothing'] } }, /^The session was refused: .*tools\.0/],
    [step({ at: 1, cancel: { tool: 'x' } }), /^At 0:01 nobody has made a call of x\.$/],
    [step({ at: 1, expect: { turns: 3 } }), /^At 0:01 turns was expected to be 3, but it is 1\.$/],
    [
      step({ at: 1, expect: { texts_exclude: ['Hello'] } }),
      /^At 0:01 the model should not have said "Hello", but it did 1 times\.$/,
    ],
  ] as const)('fails where it goes wrong: %j', async ([more, why], test) => {
    const scenario = readScenario(written(test, { ...hello, ...more }));
    await expect(playScenario(scenario)).rejects.toThrow(why);
  });

  it('may expect a refusal', async (test) => {
    const steps = [
      { at: 0, say: 'Deploy v1.0.0 to staging' },
      { at: 1, cancel: { tool: 'deploy_to_staging' } },
      { at: 2, cancel: { tool: 'deploy_to_staging', answer: 'task_ended' } },
      { at: 3, callback: { tool: 'deploy_to_staging', status: 'failed', answer: 'task_ended' } },
    ];
    const played = await playScenario(readScenario(written(test, { ...hello, steps })));
    expect(played.moments.filter(({ who }) => who === 'cancelled')).toHaveLength(1);
  });
});
