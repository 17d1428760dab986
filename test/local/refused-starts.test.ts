import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launch, newFolder, npmStart, onProcesses, type Test } from './npm-start.ts';

/** Start what must not start, and give the one sentence it says. */
async function refusal(test: Test, env: NodeJS.ProcessEnv): Promise<string> {
  const { code, stdout, stderr } = await launch(test, 'local/main.ts', env).ended;
  expect(code).toBe(1);
  expect(stdout).toBe('');
  expect(stderr).toMatch(/^[^\n]+[.]\n$/);
  return stderr.trimEnd();
}

describe('npm start refuses, in one sentence,', onProcesses, () => {
  it.concurrent('the port and the data folder of another one, which goes on', async (test) => {
    const DATA_DIR = newFolder(test);
    const { url, ask } = await npmStart(test, { DATA_DIR });
    const { port } = new URL(url);
    const said = await Promise.all([
      refusal(test, { DATA_DIR: newFolder(test), PORT: port }),
      refusal(test, { DATA_DIR }),
    ]);
    expect(said).toEqual([
      `Port ${port} is in use: stop what uses it, or choose another with PORT.`,
      `Another Boomerang uses the data folder ${DATA_DIR}: stop it, or choose another with DATA_DIR.`,
    ]);
    expect((await ask('/health')).status).toBe(200);
  });

  it.concurrent('a data folder that cannot be written', async (test) => {
    const file = join(newFolder(test), 'file');
    writeFileSync(file, '');
    const DATA_DIR = join(file, 'data');
    expect(await refusal(test, { DATA_DIR })).toBe(
      `The data folder ${DATA_DIR} cannot be written (ENOTDIR): choose another with DATA_DIR.`,
    );
  });

  it.concurrent('a data folder whose tables are damaged', async (test) => {
    const DATA_DIR = newFolder(test);
    mkdirSync(join(DATA_DIR, 'dynamo'));
    writeFileSync(join(DATA_DIR, 'dynamo/CURRENT'), 'garbage');
    expect(await refusal(test, { DATA_DIR })).toMatch(
      /^The data folder .+ is damaged \(.+\): move it away or restore it\.$/,
    );
  });

  it.concurrent('a data folder whose journal is damaged', async (test) => {
    const DATA_DIR = newFolder(test);
    const journal = join(DATA_DIR, 'queues.journal');
    const gone = JSON.stringify({ kind: 'gone', id: '1' });
    writeFileSync(journal, [gone, 'garbage', gone, ''].join('\n'));
    expect(await refusal(test, { DATA_DIR })).toBe(
      `${journal} is damaged at line 2: restore it or move it away.`,
    );
  });

  it.concurrent('a message for a queue that does not exist', async (test) => {
    const DATA_DIR = newFolder(test);
    const line = { kind: 'sent', id: '1', queue: 'nobodys', body: '{}', visibleAtMs: 0 };
    writeFileSync(join(DATA_DIR, 'queues.journal'), `${JSON.stringify(line)}\n`);
    expect(await refusal(test, { DATA_DIR })).toMatch(/holds a message for the queue "nobodys"/);
  });

  it.concurrent('a setting that makes no sense, before it makes anything', async (test) => {
    const DATA_DIR = join(newFolder(test), 'data');
    const said = await refusal(test, { DATA_DIR, PORT: 'http' });
    expect(said).toBe('PORT must be a whole number from 0 to 65535, not "http".');
    expect(existsSync(DATA_DIR)).toBe(false);
  });

  it.concurrent('an open door without keys', async (test) => {
    const said = await refusal(test, { DATA_DIR: newFolder(test), HOST: '0.0.0.0' });
    expect(said).toBe(
      'HOST=0.0.0.0 is open to others and nobody needs a key: set API_KEYS=owner:key, or leave HOST out.',
    );
  });
});
