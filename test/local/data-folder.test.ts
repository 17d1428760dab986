import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openDataFolder, serverSecret } from '../../local/data-folder.ts';
import { openJournal } from '../../local/queue-journal.ts';
import { isStartProblem } from '../../local/start-problem.ts';
import { newFolder } from './npm-start.ts';

/** Everything a start reads from its folder. */
async function openAll(path: string) {
  const folder = await openDataFolder(path);
  const secret = serverSecret(folder);
  const journal = openJournal(folder.journal);
  journal.takeOver();
  return { secret, journal };
}

const message = { id: 'm1', queue: 'boomerang-work', body: '{}', visibleAtMs: 5 };
const sent = JSON.stringify({ kind: 'sent', ...message });
const gone = JSON.stringify({ kind: 'gone', id: 'm0' });

/** What is wrong, and what a file holds then; a folder stands there where nothing is given. */
type Damage = readonly [file: string, text: string | undefined, said: RegExp];

describe('a data folder', () => {
  it.for<Damage>([
    ['dynamo', 'a file', /is damaged \(.*EEXIST/],
    ['dynamo/CURRENT', 'garbage', /is damaged \(Corruption/],
    ['dynamo/CURRENT', 'MANIFEST-000009\n', /is damaged \(.*MANIFEST-000009/],
    ['objects', 'a file', /cannot be written \(EEXIST\)/],
    ['server.secret', 'short', /server\.secret is damaged/],
    ['server.secret', undefined, /server\.secret cannot be used \(EISDIR\)/],
    ['queues.journal', undefined, /queues\.journal cannot be used \(EISDIR\)/],
    ['queues.journal', `${gone}\ngarbage\n${gone}\n`, /queues\.journal is damaged at line 2/],
    ['queues.journal', `null\n${gone}\n${gone}\n`, /queues\.journal is damaged at line 1/],
    ['queues.journal', `{"kind":"sent","id":"1"}\n${gone}\n${gone}\n`, /damaged at line 1/],
  ])('with a wrong %s (case %#) is refused in one sentence', async ([file, text, said], test) => {
    const path = newFolder(test);
    if (file.includes('/')) mkdirSync(join(path, 'dynamo'));
    if (text === undefined) mkdirSync(join(path, file));
    else writeFileSync(join(path, file), text);
    const thrown: unknown = await openAll(path).catch((problem: unknown) => problem);
    expect(thrown).toSatisfy(isStartProblem);
    expect(thrown).toMatchObject({ message: expect.stringMatching(said) });
    expect(thrown).toMatchObject({ message: expect.stringMatching(/^[^\n]+\.$/) });
  });

  it.for(['/proc/boomerang/data', '/proc'])('in %s is refused, and soon', async (path) => {
    const thrown: unknown = await openDataFolder(path).catch((problem: unknown) => problem);
    expect(thrown).toSatisfy(isStartProblem);
    expect(thrown).toMatchObject({ message: expect.stringMatching(/cannot be written \(E/) });
  });

  it('is made with all the folders above it', async (test) => {
    const path = join(newFolder(test), 'a/b/c');
    await openAll(path);
    expect(existsSync(join(path, 'server.secret'))).toBe(true);
  });

  it('keeps its secret', async (test) => {
    const path = newFolder(test);
    const { secret } = await openAll(path);
    expect((await openAll(path)).secret).toBe(secret);
  });
});

describe('the journal', () => {
  it('gives back what was sent and not deleted, in order', (test) => {
    const path = join(newFolder(test), 'queues.journal');
    const first = openJournal(path);
    for (const id of ['a', 'b', 'c']) first.sent({ ...message, id });
    first.gone('b');
    first.takeOver();
    first.close();
    const ids = openJournal(path).leftovers.map(({ id }) => id);
    expect(ids).toEqual(['a', 'c']);
  });

  it.for(['', '\n'])('forgives a last line that a kill has cut (%j)', (end, test) => {
    const path = join(newFolder(test), 'queues.journal');
    writeFileSync(path, `${gone}\n${sent}\n${sent.slice(0, 30)}${end}`);
    expect(openJournal(path).leftovers).toMatchObject([message]);
  });

  it('stays as it was until its leftovers have been sent again', (test) => {
    const path = join(newFolder(test), 'queues.journal');
    writeFileSync(path, `${sent}\n`);
    const journal = openJournal(path);
    journal.sent({ ...message, id: 'm2' });
    expect(readFileSync(path, 'utf8')).toBe(`${sent}\n`);
    journal.takeOver();
    expect(openJournal(path).leftovers).toMatchObject([{ id: 'm2' }]);
    expect(existsSync(path)).toBe(true);
  });
});
