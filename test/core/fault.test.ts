import { describe, expect, it } from 'vitest';
import { faultOf } from '../../functions/core/fault.ts';

const secret = 'of a caller';

describe('what a log is told of an error', () => {
  it('is its name and where it was thrown', () => {
    const { error, stack } = faultOf(new TypeError(secret));
    expect(error).toBe('TypeError');
    expect(stack).toMatch(/^\S.*fault\.test\.ts:\d+:\d+\)? < /);
  });

  it.each([
    secret,
    `two lines\n${secret}`,
    `${secret}\n    at ${secret} (of-a-caller.ts:1:1)`,
    `Error: ${secret}`,
  ])('is never what it says: %j', (message) => {
    const { stack } = faultOf(new Error(message));
    expect(stack).toContain('fault.test.ts');
    expect(stack).not.toMatch(/of.a.caller/);
  });

  it('is never what it said before its message was changed', () => {
    const changed = Object.assign(new Error(`${secret}\n${secret}`), { message: 'another' });
    expect(faultOf(changed).stack).not.toContain(secret);
  });

  it.each([
    [secret, 'string'],
    [undefined, 'undefined'],
    [{ message: secret }, 'object'],
  ])('is only its type when %j is no error', (thrown, error) => {
    expect(faultOf(thrown)).toEqual({ error, stack: undefined });
  });

  it('is its name alone when it has no stack', () => {
    expect(faultOf(Object.assign(new Error(secret), { stack: undefined }))).toEqual({
      error: 'Error',
      stack: undefined,
    });
  });
});
