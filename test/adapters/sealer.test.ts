import { describe, expect, it } from 'vitest';
import { secretSealer } from '../../functions/adapters/sealer.ts';

const sealer = secretSealer('a secret of the tests, long enough');
const laterMs = 1000;

describe('a sealed value', () => {
  it.each([
    ['an object', { owner: 'alice', taskId: 'task_1', verbs: ['completed', 'failed'] }],
    ['unicode', 'ü\u0000\uffff😀\ud800'],
    ['a large one', 'x'.repeat(100_000)],
    ['null', null],
    ['a number', 0],
    ['nothing', undefined],
  ])('comes back as it was: %s', (_what, value) => {
    const sealed = sealer.seal('callback', value, laterMs);
    expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(sealer.open('callback', sealed, laterMs - 1)).toEqual({ kind: 'opened', value });
  });

  it('is over at its time, and still shows whose it was', () => {
    const sealed = sealer.seal('callback', { taskId: 'task_1' }, laterMs);
    const expired = { kind: 'expired', value: { taskId: 'task_1' } };
    expect(sealer.open('callback', sealed, laterMs)).toEqual(expired);
    expect(sealer.open('callback', sealed, laterMs + 1)).toEqual(expired);
  });

  it('opens for its purpose and its secret only', () => {
    const sealed = sealer.seal('callback', 1, laterMs);
    expect(sealer.open('cursor', sealed, 0)).toEqual({ kind: 'forged' });
    expect(secretSealer('another secret').open('callback', sealed, 0)).toEqual({ kind: 'forged' });
    expect(secretSealer('a secret of the tests, long enough').open('callback', sealed, 0)).toEqual({
      kind: 'opened',
      value: 1,
    });
  });

  it('shows nothing of itself and is never the same twice', () => {
    const value = { secret: 'of alice' };
    const sealed = sealer.seal('callback', value, laterMs);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('alice');
    expect(sealer.seal('callback', value, laterMs)).not.toBe(sealed);
  });

  it('is forged when any of its bits is changed', () => {
    const bytes = Buffer.from(sealer.seal('callback', { n: 1 }, laterMs), 'base64url');
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      const at = Math.floor(bit / 8);
      changed.writeUInt8(changed.readUInt8(at) ^ (1 << (bit % 8)), at);
      const text = changed.toString('base64url');
      expect(sealer.open('callback', text, 0)).toEqual({ kind: 'forged' });
    }
  });

  it.each(['', 'x', 'not sealed at all', 'ü'.repeat(60), 'A'.repeat(37), 'A'.repeat(38), '\u0000'])(
    'is forged when it says %j',
    (text) => {
      expect(sealer.open('callback', text, 0)).toEqual({ kind: 'forged' });
    },
  );

  it.each([' ', '=', '\n', '!'])('is forged with %j added, though it decodes the same', (more) => {
    const sealed = sealer.seal('callback', 1, laterMs);
    expect(sealer.open('callback', `${sealed}${more}`, 0)).toEqual({ kind: 'forged' });
  });
});
