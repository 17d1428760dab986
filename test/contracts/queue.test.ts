import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { memoryQueue } from '../../functions/adapters/memory-queue.ts';
import { systemClock } from '../../functions/adapters/process.ts';
import { sqsQueue, sqsReader } from '../../functions/adapters/sqs-queue.ts';
import type { Queue, QueueReader } from '../../functions/ports.ts';
import { makeQueue } from '../../local/make-resources.ts';
import { queueClient, queueEngines, titleOf } from './engines.ts';

interface QueueUnderTest {
  readonly queue: Queue<unknown>;
  readonly reader: QueueReader;
  /** Hides what it receives for three seconds, whatever the queue says. */
  readonly slowReader?: QueueReader;
  readonly dead: QueueReader;
  stop(): Promise<void>;
}

const definition = { visibilityS: 1, receivesMax: 2, deadVisibilityS: 30, retentionS: 3600 };

/** What every queue must do: at least once, hidden while it is held, dead after too many receives. */
function queueContract(name: string, open: () => Promise<QueueUnderTest>, missing?: string): void {
  describe.skipIf(missing)(titleOf('queue', name, missing), () => {
    let under: QueueUnderTest;
    beforeAll(async () => {
      under = await open();
    });
    afterAll(() => under.stop());

    const drain = async (reader: QueueReader) => {
      const seen: unknown[] = [];
      for (;;) {
        const got = await reader.receive(10, 0);
        if (got.length === 0) return seen;
        for (const one of got) {
          seen.push(JSON.parse(one.body));
          await one.remove();
        }
      }
    };

    it('carries twenty-five messages in batches, whatever characters they have', async () => {
      const sent = Array.from({ length: 25 }, (_, n) => ({ n, text: `ü\u0000\uffff😀${n}` }));
      await under.queue.send(sent);
      const seen = await drain(under.reader);
      expect(seen.toSorted(byNumber)).toEqual(sent);
    });

    it('delays a message', async () => {
      await under.queue.send([{ late: true }], 1000);
      expect(await under.reader.receive(10, 0)).toEqual([]);
      const [late] = await under.reader.receive(10, 3000);
      expect(late?.receives).toBe(1);
      await late?.remove();
    });

    it('hides what a reader receives as long as the reader says', async ({ skip }) => {
      if (!under.slowReader) return skip();
      await under.queue.send([{ slow: true }]);
      const [first] = await under.slowReader.receive(1, 1000);
      await systemClock.sleep(1500);
      expect(await under.reader.receive(1, 0)).toEqual([]);
      await first?.remove();
    });

    it('hides a held message, gives it again later, and kills it after two receives', async () => {
      await under.queue.send([{ poison: true }]);
      const [first] = await under.reader.receive(1, 1000);
      await first?.hide(2000);
      await systemClock.sleep(1200);
      expect(await under.reader.receive(1, 0)).toEqual([]);
      const [second] = await under.reader.receive(1, 3000);
      expect(second).toMatchObject({ body: '{"poison":true}', receives: 2 });
      await second?.hide(0);
      await systemClock.sleep(50);
      expect(await under.reader.receive(1, 0)).toEqual([]);
      const [letter] = await under.dead.receive(10, 1000);
      expect(letter?.body).toBe('{"poison":true}');
      await letter?.remove();
      expect(await under.dead.receive(10, 0)).toEqual([]);
    });
  });
}

const byNumber = (a: unknown, b: unknown) => numberOf(a) - numberOf(b);
const numberOf = (value: unknown) =>
  typeof value === 'object' && value !== null && 'n' in value ? Number(value.n) : -1;

queueContract('memory', async () => {
  const dead = memoryQueue<unknown>({ clock: systemClock, visibilityMs: 30_000 });
  const queue = memoryQueue<unknown>({
    clock: systemClock,
    visibilityMs: definition.visibilityS * 1000,
    dead: { queue: dead, receivesMax: definition.receivesMax },
  });
  return { queue, reader: queue, dead, stop: async () => {} };
});

for (const engine of queueEngines) {
  queueContract(
    engine.name,
    async () => {
      const { url: endpoint, stop } = await engine.start();
      const client = queueClient(endpoint);
      const { url, deadUrl } = await makeQueue(client, `contract-${Date.now()}`, definition);
      return {
        queue: sqsQueue({ client, url }),
        reader: sqsReader({ client, url }),
        slowReader: sqsReader({ client, url }, 3000),
        dead: sqsReader({ client, url: deadUrl }),
        stop,
      };
    },
    engine.missing,
  );
}
