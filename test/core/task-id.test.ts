import { describe, expect, it } from 'vitest';
import { asOwner, isOwnerName } from '../../functions/core/ids.ts';
import { taskIdFor, taskIdFrom, type CallIdentity } from '../../functions/core/task-id.ts';

const identity: CallIdentity = { owner: asOwner('alice'), tool: 'slow', key: 'k1' };

describe('taskIdFor', () => {
  it('gives one id to one identity', () => {
    expect(taskIdFor('secret', identity)).toBe(taskIdFor('secret', { ...identity }));
  });

  it.each([
    ['owner', 'secret', { ...identity, owner: asOwner('bob') }],
    ['tool', 'secret', { ...identity, tool: 'other' }],
    ['key', 'secret', { ...identity, key: 'k2' }],
    ['border between tool and key', 'secret', { ...identity, tool: 'slow","k', key: '1' }],
    ['server secret', 'another', identity],
  ])('gives another id to another %s', (_name, secret, other) => {
    expect(taskIdFor(secret, other)).not.toBe(taskIdFor('secret', identity));
  });

  it('is printable ASCII with at least 160 bits, within 128 characters', () => {
    expect(taskIdFor('secret', identity)).toMatch(/^task_[\w-]{27,123}$/);
  });
});

describe('taskIdFrom', () => {
  it('takes 24 bytes and no more', () => {
    const bytes = Uint8Array.from({ length: 32 }, (_, n) => n);
    expect(taskIdFrom(bytes)).toBe(taskIdFrom(bytes.subarray(0, 24)));
    expect(taskIdFrom(bytes)).not.toBe(taskIdFrom(bytes.subarray(0, 23)));
  });
});

describe('isOwnerName', () => {
  it.each(['alice', 'a.b@c-d_9', '.a', '..a', 'x'.repeat(64)])('takes %s', (name) => {
    expect(isOwnerName(name)).toBe(true);
  });

  it.each(['', 'a#b', 'a/b', 'a b', 'é', 'alice\n', '.', '..', '...', 'x'.repeat(65)])(
    'refuses %j',
    (name) => {
      expect(isOwnerName(name)).toBe(false);
    },
  );
});
