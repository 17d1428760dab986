import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readApiKeys } from '../../functions/adapters/api-keys.ts';
import { isWrongSetting } from '../../functions/adapters/settings.ts';
import { keyAuth } from '../../functions/api/auth.ts';
import { apiKeyText, digestOfKey, prefixIdOf } from '../../functions/core/api-key.ts';
import { asOwner } from '../../functions/core/ids.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const atMs = Date.parse('2026-12-31T23:59:59Z');

/** Ask with a key at a time, and hear whose it is or why it is refused. */
async function whoIs(settings: string, key: string, nowMs = atMs): Promise<string> {
  const authenticate = keyAuth(readApiKeys(settings), () => nowMs);
  const visitor = await authenticate(new Headers({ authorization: `Bearer ${key}` }));
  if (visitor.ok) return visitor.value.owner;
  expect(visitor.failure.reason).toBe('unauthorized');
  return 'detail' in visitor.failure ? visitor.failure.detail : '';
}

const unknown = 'This API key is not known.';

describe('a key that we make', () => {
  const key = apiKeyText('s'.repeat(43));
  const entry = `alice:sha256:${digestOfKey(key)}`;

  it('carries the beginning of its digest as its prefix id', () => {
    expect(key).toBe(`bmr_${sha256('s'.repeat(43)).slice(0, 12)}.${'s'.repeat(43)}`);
    expect(key.startsWith(`bmr_${prefixIdOf(digestOfKey(key))}.`)).toBe(true);
  });

  it('is known by its digest alone, and in clear', async () => {
    expect(await whoIs(entry, key)).toBe('alice');
    expect(await whoIs(`alice:${key}`, key)).toBe('alice');
  });

  it.each([
    ['another prefix id', `bmr_000000000000.${'s'.repeat(43)}`],
    ['another secret', `${key.slice(0, 17)}${'t'.repeat(43)}`],
    ['its digest', digestOfKey(key)],
    ['its entry', `sha256:${digestOfKey(key)}`],
    ['its prefix', key.slice(0, 17)],
  ])('is not replaced by %s', async (_, given) => {
    expect(await whoIs(entry, given)).toBe(unknown);
  });
});

describe('a key chosen elsewhere', () => {
  it('may stand in clear or as its digest, in either case', async () => {
    expect(await whoIs('alice:key1', 'key1')).toBe('alice');
    expect(await whoIs(`alice:sha256:${sha256('key1')}`, 'key1')).toBe('alice');
    expect(await whoIs(`alice:sha256:${sha256('key1').toUpperCase()}`, 'key1')).toBe('alice');
  });

  it('may contain what separates other things', async () => {
    for (const key of ['a:b:c', 'ab@cd', 'a.b.c', 'bmr_x.y', 'key@2027', '@@@@'])
      expect(await whoIs(`alice:${key}`, key)).toBe('alice');
  });

  it('is kept as a digest only', () => {
    expect(JSON.stringify(readApiKeys('alice:key1'))).not.toContain('key1');
  });
});

describe('keys', () => {
  it('of one owner are live together, so that one can take the place of another', async () => {
    const [before, after] = ['alice:old1', 'alice:new1'];
    for (const key of ['old1', 'new1'])
      expect(await whoIs(`${before},${after}`, key)).toBe('alice');
    expect(await whoIs(after, 'old1')).toBe(unknown);
  });

  it('stand in lines or between commas', async () => {
    const settings = 'alice:key1\r\n\n bob : key2 ,carol:key3\n';
    const owners = ['key1', 'key2', 'key3'].map((key) => whoIs(settings, key));
    expect(await Promise.all(owners)).toEqual(['alice', 'bob', 'carol']);
  });

  it('without an owner are those of the deployment, where there may be such', async () => {
    const source = { name: 'The API key secret', bareOwner: asOwner('default') };
    const keys = readApiKeys(`made-at-deploy\nalice:sha256:${sha256('key1')}`, source);
    expect(keys).toEqual([
      { owner: 'default', digest: sha256('made-at-deploy') },
      { owner: 'alice', digest: sha256('key1') },
    ]);
    expect(() => readApiKeys('made-at-deploy')).toThrow(/^API_KEYS must read/);
  });
});

describe('an expiry', () => {
  it.each([
    ['alice:key1@2027-01-01', 'key1'],
    [`alice:sha256:${sha256('key1')}@2027-01-01`, 'key1'],
    ['alice:key1@2027-01-01T00:00Z', 'key1'],
  ])('ends %s at its first instant', async (settings, key) => {
    expect(await whoIs(settings, key)).toBe('alice');
    const said = 'This API key expired on 2027-01-01T00:00:00.000Z.';
    expect(await whoIs(settings, key, atMs + 1000)).toBe(said);
    expect(await whoIs(settings, 'key2', atMs + 1000)).toBe(unknown);
  });

  it('ends one key and not the other of its owner', async () => {
    const settings = 'alice:old1@2026-01-01,alice:new1';
    expect(await whoIs(settings, 'old1')).toMatch(/expired/);
    expect(await whoIs(settings, 'new1')).toBe('alice');
  });
});

describe('an entry is refused', () => {
  it.each([
    ['key1', /^API_KEYS must read owner:key/],
    [':key1', /^API_KEYS must read owner:key/],
    ['alice:', /^API_KEYS must read owner:key/],
    ['alice:abc', /^API_KEYS must read owner:key/],
    ['alice:abc@2027-01-01', /^API_KEYS must read owner:key/],
    ['al ice:key1', /^API_KEYS must read owner:key/],
    ['alice:sha256:0123', /^API_KEYS must read owner:key/],
    [`alice:sha256:${sha256('key1')}0`, /^API_KEYS must read owner:key/],
    ['alice:key1@2027-13-01', /is no date/],
    ['alice:key1@2027-02-30', /is no date/],
    ['alice:key1,bob:key1', /gives alice and bob the same key/],
    [`alice:key1,bob:sha256:${sha256('key1')}`, /gives alice and bob the same key/],
    ['alice:key1,alice:key1@2027-01-01', /the same key of alice expire at two times/],
  ])('%s', (settings, said) => {
    const read = () => readApiKeys(settings);
    expect(read).toThrow(said);
    expect(read).toThrow(expect.toSatisfy(isWrongSetting));
    expect(read).not.toThrow(/key1/);
  });
});
