/** The two signals a tool's author has. Whatever else a tool throws is retried as the tool allows. */

/** Stop: trying again cannot help. */
export class FatalError extends Error {
  override readonly name = 'FatalError';
}

/** Not now: nothing was done, try again after so many milliseconds. Does not count as a failure. */
export class RetryAfterError extends Error {
  override readonly name = 'RetryAfterError';
  readonly afterMs: number;

  constructor(afterMs: number, message = 'not now') {
    super(message);
    this.afterMs = afterMs;
  }
}

/**
 * Thrown by a demonstration that wants its worker dead: nothing is recorded and the message stays,
 * exactly as after a kill.
 */
export const workerDeath: unique symbol = Symbol('worker death');
