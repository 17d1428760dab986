import { asCallId, asSessionId } from '../functions/core/ids.ts';
import type { Ring } from '../functions/core/ring.ts';
import type { Caller } from '../functions/core/task.ts';
import type { Received } from '../functions/ports.ts';
import { work } from '../functions/worker/work.ts';
import { memoryHouse, type HouseOptions, type HousePorts } from './house.ts';

export const session: Caller = {
  kind: 'session',
  sessionId: asSessionId('sess_1'),
  callId: asCallId('call_1'),
};

const functionMs = 15 * 60_000;

export interface RingingOptions extends HouseOptions {
  /** Put a fault between the rules and the queue of rings. */
  readonly sendRings?: () => Promise<void>;
}

/** A house whose rings are only written down: nobody resumes the session that they name. */
export function ringingHouse({ sendRings, ...options }: RingingOptions = {}) {
  const house = memoryHouse(options);
  const rings: Ring[] = [];
  const { size: _size, ...queue } = house.ports.resumes;
  const send = async (sent: readonly Ring[]) => {
    await sendRings?.();
    rings.push(...sent);
  };
  const ports: HousePorts = { ...house.ports, resumes: { ...queue, size: 0, send } };
  const thrown: unknown[] = [];
  const handle = async (received: Received) => {
    try {
      const verdict = await work(ports, received, house.clock.nowMs() + functionMs);
      if (verdict === 'done') await received.remove();
    } catch (error) {
      thrown.push(error);
    }
  };
  const handleAll = async () => {
    for (;;) {
      const batch = await ports.work.receive(10, 0);
      if (batch.length === 0) return;
      await Promise.all(batch.map(handle));
    }
  };
  /** Let time pass with a worker at its queue. */
  const runFor = async (ms: number) => {
    for (let leftMs = ms; leftMs > 0; leftMs -= 1000) {
      void handleAll();
      await house.clock.advance(Math.min(1000, leftMs));
    }
    void handleAll();
    await house.clock.advance(0);
  };
  return { house, ports, rings, thrown, handleAll, runFor };
}
