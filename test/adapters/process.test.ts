import { describe, expect, it } from 'vitest';
import { newSessionId, processLiveText } from '../../functions/adapters/process.ts';
import { asOwner, asSessionId } from '../../functions/core/ids.ts';

const key = { owner: asOwner('alice'), sessionId: asSessionId('sess_1') };

describe('live text', () => {
  it('reaches everyone who hears the session, until they leave', () => {
    const live = processLiveText();
    const heard: string[] = [];
    const leaving = new AbortController();
    live.hear(key, leaving.signal, (turn, piece) => void heard.push(`a ${turn} ${piece}`));
    live.hear(key, AbortSignal.abort(), () => void heard.push('never'));
    live.hear(key, new AbortController().signal, (_turn, piece) => void heard.push(`b ${piece}`));
    live.say(key, 1, 'Hel');
    leaving.abort();
    live.say(key, 1, 'lo');
    expect(heard).toEqual(['a 1 Hel', 'b Hel', 'b lo']);
  });

  it('never reaches another session or owner', () => {
    const live = processLiveText();
    const heard: string[] = [];
    const { signal } = new AbortController();
    live.hear({ ...key, owner: asOwner('bob') }, signal, (_turn, piece) => void heard.push(piece));
    live.hear({ ...key, sessionId: asSessionId('sess_2') }, signal, () => void heard.push('other'));
    live.say(key, 1, 'secret');
    expect(heard).toEqual([]);
  });
});

it('makes session ids that nobody can guess', () => {
  const ids = new Set(Array.from({ length: 100 }, newSessionId));
  expect(ids.size).toBe(100);
  for (const id of ids) expect(id).toMatch(/^sess_[A-Za-z0-9_-]{32}$/);
});
