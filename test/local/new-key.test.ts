import { describe, expect, it } from 'vitest';
import { isWrongSetting } from '../../functions/adapters/settings.ts';
import { accessOf } from '../../local/local-settings.ts';
import { newKey, tellKey } from '../../local/new-key.ts';
import { launch } from './npm-start.ts';

describe('npm run keys -- new', () => {
  it('makes a key that only its own entry lets in', async () => {
    const [one, two] = [newKey('alice'), newKey('bob', '2099-01-01')];
    expect(one.key).toMatch(/^bmr_[0-9a-f]{12}\.[\w-]{43}$/);
    expect(one.entry).toMatch(/^alice:sha256:[0-9a-f]{64}$/);
    expect(two.entry).toMatch(/^bob:sha256:[0-9a-f]{64}@2099-01-01$/);
    const API_KEYS = [one.entry, two.entry].join(',');
    const { authenticate } = accessOf({ API_KEYS }, { publicUrl: '' });
    for (const [owner, { key }] of Object.entries({ alice: one, bob: two })) {
      const visitor = await authenticate(new Headers({ authorization: `Bearer ${key}` }));
      expect(visitor).toMatchObject({ ok: true, value: { owner } });
    }
  });

  it('shows the key once', () => {
    const made = newKey('alice');
    expect(tellKey(made).split(made.key)).toHaveLength(2);
    expect(tellKey(made)).toContain(made.entry);
  });

  it.each<[string, string?]>([
    ['al ice'],
    ['a:b'],
    ['alice,bob:x'],
    ['..'],
    ['alice', '2027-13-01'],
    ['alice', 'soon'],
  ])('refuses %s %s', (owner, until) => {
    expect(() => newKey(owner, until)).toThrow(expect.toSatisfy(isWrongSetting));
  });

  it.each(['xx', '2027', '2027-1-1', '2027-01-01@2028-01-01', '2027-13-01'])(
    'says that %s is no date',
    (until) => {
      expect(() => newKey('alice', until)).toThrow(/is no date/);
    },
  );

  it('says how it is used when it is used otherwise', async (test) => {
    const { code, stdout, stderr } = await launch(test, 'local/keys-main.ts', {}).ended;
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr).toMatch(/^Usage: npm run keys -- new <owner> .+\n$/);
  });
});
