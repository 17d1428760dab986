import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openJournal } from '../../local/queue-journal.ts';
import { newFolder, type Test } from './npm-start.ts';

const bytesMax = 10_000;
const messageCalled = (id: string) => {
  return { id, queue: 'boomerang-work', body: 'ü'.repeat(100), visibleAtMs: 5 };
};

function open(test: Test) {
  const path = join(newFolder(test), 'queues.journal');
  const journal = openJournal(path, bytesMax);
  journal.takeOver();
  const pass = (from: number, to: number) => {
    for (let n = from; n < to; n += 1) {
      journal.sent(messageCalled(`m${n}`));
      journal.gone(`m${n}`);
    }
  };
  return { path, journal, pass };
}

const left = (path: string) => openJournal(path).leftovers.map(({ id }) => id);

describe('a journal that runs for long', () => {
  it('stays small, and keeps what is not deleted in its order', (test) => {
    const { path, journal, pass } = open(test);
    for (const id of ['a', 'b', 'c']) journal.sent(messageCalled(id));
    pass(0, 1000);
    journal.gone('b');
    journal.sent(messageCalled('d'));
    expect(statSync(path).size).toBeLessThan(bytesMax + 500);
    expect(left(path)).toEqual(['a', 'c', 'd']);
    expect(openJournal(path).leftovers[0]).toMatchObject(messageCalled('a'));
  });

  it('is whole after every single line, for whoever is killed there', (test) => {
    const { path, journal, pass } = open(test);
    journal.sent(messageCalled('a'));
    const copy = `${path}.copy`;
    for (let n = 0; n < 200; n += 1) {
      pass(n, n + 1);
      writeFileSync(copy, readFileSync(path));
      expect(left(copy)).toEqual(['a']);
    }
  });

  it('is not written anew while most of it is still open', (test) => {
    const { path, journal } = open(test);
    for (let n = 0; n < 100; n += 1) journal.sent(messageCalled(`m${n}`));
    const { ino } = statSync(path);
    for (let n = 0; n < 20; n += 1) journal.gone(`m${n}`);
    expect(statSync(path).ino).toBe(ino);
    expect(left(path)).toHaveLength(80);
  });

  it('is not written anew before it is the journal', (test) => {
    const path = join(newFolder(test), 'queues.journal');
    const journal = openJournal(path, bytesMax);
    for (let n = 0; n < 200; n += 1) {
      journal.sent(messageCalled(`m${n}`));
      journal.gone(`m${n}`);
    }
    expect(existsSync(path)).toBe(false);
    journal.takeOver();
    journal.sent(messageCalled('a'));
    expect(statSync(path).size).toBeLessThan(1000);
    expect(left(path)).toEqual(['a']);
  });
});
