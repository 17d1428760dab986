import { describe, expect, it } from 'vitest';
import { isWrongSetting } from '../../functions/adapters/settings.ts';
import {
  accessOf,
  checkSettings,
  dataDirOf,
  hostOf,
  portOf,
  urlOf,
} from '../../local/local-settings.ts';
import { isStartProblem } from '../../local/start-problem.ts';

const problemOf = (env: NodeJS.ProcessEnv): unknown => {
  try {
    checkSettings(env);
    return undefined;
  } catch (thrown) {
    return thrown;
  }
};

describe('a wrong setting is refused in one sentence', () => {
  it.each([
    ['PORT', 'abc', /^PORT must be a whole number from 0 to 65535, not "abc"\.$/],
    ['PORT', '99999', /^PORT /],
    ['PORT', '80.5', /^PORT /],
    ['PORT', ' ', /^PORT /],
    ['PORT', '0x50', /^PORT /],
    ['CLAIM_S', 'x', /^CLAIM_S must be a number from 1 /],
    ['GRACE_MS', '-1', /^GRACE_MS must be a number from 0 /],
    ['SWEEP_S', '0', /^SWEEP_S must be a number from 0\.1 /],
    ['API_KEYS', 'bad', /^API_KEYS must read owner:key/],
    ['API_KEYS', '..:key1', /^API_KEYS must read owner:key/],
    ['API_KEYS', 'alice:key1,bob:key1', /^API_KEYS gives alice and bob the same key/],
    ['MODEL', 'nobody:1', /^MODEL is not right: A model is named /],
    ['MODEL', 'scripted:/nowhere.json', /^MODEL is not right: /],
    ['HOST', '0.0.0.0', /^HOST=0\.0\.0\.0 is open to others/],
    ['HOST', '::', /^HOST=:: is open to others/],
  ])('%s=%s', (name, value, said) => {
    const problem = problemOf({ [name]: value });
    expect(problem).toSatisfy((thrown) => isWrongSetting(thrown) || isStartProblem(thrown));
    expect(problem).toMatchObject({ message: expect.stringMatching(said) });
    expect(problem).toMatchObject({ message: expect.stringMatching(/^[^\n]+\.$/) });
    expect(problem).toMatchObject({ message: expect.not.stringContaining('key1') });
  });
});

describe('a setting', () => {
  it('that is empty is an unset one', () => {
    const names = [
      'HOST',
      'PORT',
      'DATA_DIR',
      'CLAIM_S',
      'GRACE_MS',
      'SWEEP_S',
      'API_KEYS',
      'MODEL',
    ];
    const empty = Object.fromEntries(names.map((name) => [name, '']));
    expect(problemOf(empty)).toBeUndefined();
    expect([hostOf(empty), portOf(empty), dataDirOf(empty)]).toEqual([
      '127.0.0.1',
      3000,
      '.boomerang',
    ]);
  });

  it('HOST=::1 is this machine, in brackets where a port follows', () => {
    expect(problemOf({ HOST: '::1' })).toBeUndefined();
    expect(urlOf('::1', 3000)).toBe('http://[::1]:3000');
    expect(urlOf('127.0.0.1', 3000)).toBe('http://127.0.0.1:3000');
  });

  it('API_KEYS may give one owner two keys, and one of them twice', async () => {
    const API_KEYS = 'alice:key1, alice:key2,alice:key1';
    const { authenticate } = accessOf({ API_KEYS }, { publicUrl: '' });
    for (const key of ['key1', 'key2']) {
      const headers = new Headers({ authorization: `Bearer ${key}` });
      expect(await authenticate(headers)).toMatchObject({ ok: true, value: { owner: 'alice' } });
    }
  });
});
