import type { Failure } from './failure.ts';

/** What may be refused returns a Result. Bugs and outages throw instead. */
export type Result<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: Failure };

export const ok = <T>(value: T): Result<T> => ({ ok: true, value });
export const refuse = (failure: Failure): Result<never> => ({ ok: false, failure });
