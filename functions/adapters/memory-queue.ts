import { randomUUID } from 'node:crypto';
import { asciiJson } from '../core/ascii-json.ts';
import { delayMsMax } from '../core/limits.ts';
import type { Clock, Queue, QueueReader, Received } from '../ports.ts';

interface Letter {
  readonly messageId: string;
  readonly body: string;
  receives: number;
  visibleAtMs: number;
}

interface MemoryQueueOptions {
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  readonly visibilityMs: number;
  readonly dead?: { readonly queue: MemoryQueue<unknown>; readonly receivesMax: number };
}

export type MemoryQueue<Message> = Queue<Message> &
  QueueReader & {
    readonly size: number;
    /** When the next message can be received; never, if there is none. */
    readonly nextAtMs: number;
    sendBody(body: string): void;
  };

/** A standard queue in memory: visibility, delay, receive counts, and a dead-letter queue. */
export function memoryQueue<Message>(options: MemoryQueueOptions): MemoryQueue<Message> {
  const { clock, visibilityMs, dead } = options;
  const letters = new Set<Letter>();
  const put = (body: string, delayMs: number) =>
    letters.add({
      messageId: randomUUID(),
      body,
      receives: 0,
      visibleAtMs: clock.nowMs() + Math.ceil(Math.min(delayMs, delayMsMax) / 1000) * 1000,
    });
  const take = (limit: number): Received[] => {
    const visible = [...letters].filter(({ visibleAtMs }) => visibleAtMs <= clock.nowMs());
    for (const letter of visible) {
      if (!dead || letter.receives < dead.receivesMax) continue;
      letters.delete(letter);
      dead.queue.sendBody(letter.body);
    }
    const taken = visible.filter((letter) => letters.has(letter)).slice(0, limit);
    for (const letter of taken) {
      letter.receives += 1;
      letter.visibleAtMs = clock.nowMs() + visibilityMs;
    }
    return taken.map((letter) => received(letter));
  };
  const received = (letter: Letter): Received => ({
    messageId: letter.messageId,
    receiptHandle: `${letter.messageId}.${letter.receives}`,
    body: letter.body,
    receives: letter.receives,
    async hide(forMs) {
      letter.visibleAtMs = clock.nowMs() + forMs;
    },
    async remove() {
      letters.delete(letter);
    },
  });
  return {
    async send(messages, delayMs = 0) {
      for (const message of messages) put(asciiJson(message), delayMs);
    },
    sendBody: (body) => void put(body, 0),
    async receive(limit, waitMs) {
      const untilMs = clock.nowMs() + waitMs;
      for (;;) {
        const taken = take(limit);
        if (taken.length > 0 || clock.nowMs() >= untilMs) return taken;
        await clock.sleep(Math.min(20, untilMs - clock.nowMs()));
      }
    },
    get size() {
      return letters.size;
    },
    get nextAtMs() {
      return Math.min(...[...letters].map(({ visibleAtMs }) => visibleAtMs));
    },
  };
}
