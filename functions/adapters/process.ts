import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { asSessionId } from '../core/ids.ts';
import type { SessionKey } from '../core/session.ts';
import { taskIdFor, taskIdFrom } from '../core/task-id.ts';
import type { Clock, LiveText, Ports, Signals } from '../ports.ts';

/** What a process itself gives: its clock, its chance, and word between its own parts. */

/** Node fires at once when asked for more than this (about 25 days). */
const timerMsMax = 2 ** 31 - 1;

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  async sleep(ms, signal) {
    try {
      for (let left = ms; left > 0; left -= timerMsMax) {
        await delay(Math.min(left, timerMsMax), undefined, signal ? { signal } : {});
      }
    } catch (thrown) {
      if (!signal?.aborted) throw thrown;
    }
  },
};

export function processSignals(): Signals {
  const emitter = new EventEmitter().setMaxListeners(0);
  return {
    raise: (taskId) => void emitter.emit(taskId),
    next: (taskId, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const done = () => {
          emitter.off(taskId, done);
          signal.removeEventListener('abort', done);
          resolve();
        };
        emitter.once(taskId, done);
        signal.addEventListener('abort', done);
      }),
  };
}

export function processLiveText(): LiveText {
  const emitter = new EventEmitter().setMaxListeners(0);
  const nameOf = ({ owner, sessionId }: SessionKey) => `${owner}#${sessionId}`;
  return {
    say: (key, turn, piece) => void emitter.emit(nameOf(key), turn, piece),
    hear(key, signal, heard) {
      if (signal.aborted) return;
      emitter.on(nameOf(key), heard);
      signal.addEventListener('abort', () => emitter.off(nameOf(key), heard), { once: true });
    },
  };
}

export const newTaskIds =
  (serverSecret?: string): Ports['newTaskId'] =>
  (identity) => {
    if (!identity) return taskIdFrom(randomBytes(24));
    if (!serverSecret) throw new Error('A call with an identity needs the server secret.');
    return taskIdFor(serverSecret, identity);
  };

/** Unguessable, like the id of a task. */
export const newSessionId = () => asSessionId(`sess_${randomBytes(24).toString('base64url')}`);

/** 256 bits, in the form that Standard Webhooks gives secrets. */
export const newWebhookSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

export const newToken = () => randomBytes(12).toString('base64url');
