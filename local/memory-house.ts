import type { Tool } from '../functions/core/tool.ts';
import type { Clock, Received, Verdict } from '../functions/ports.ts';
import { notify } from '../functions/notify/notify.ts';
import { resume } from '../functions/resume/resume.ts';
import { demoWait } from '../functions/tools/demo-wait.ts';
import { registry } from '../functions/tools/registry.ts';
import { work } from '../functions/worker/work.ts';
import { memoryPorts, type HousePorts, type PortOptions } from './memory-ports.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface HouseOptions extends PortOptions {
  /** How long a function lives; shorter than the work asked of it in tests of suspension. */
  readonly functionMs?: number;
  /** Every message is handled, and then handled again, as a standard queue may do. */
  readonly deliverTwice?: boolean;
}

export interface MemoryHouse {
  readonly ports: HousePorts;
  readonly clock: VirtualClock;
  /** What the log was told, and what a worker or resumer threw, oldest first. */
  readonly facts: readonly string[];
  readonly thrown: readonly unknown[];
  /** What became of work messages, and of rings. */
  readonly verdicts: readonly Verdict[];
  readonly ringVerdicts: readonly Verdict[];
  /** Handle work and rings until none is visible. A tool that sleeps needs `clock.advance` meanwhile. */
  pump(): Promise<void>;
  /** Let time pass with worker and resumer at their queues: they look every second and wait for nobody. */
  runFor(ms: number): Promise<void>;
}

const functionDefaultMs = 15 * 60_000;
const receiveBatch = 10;

/** The whole house on memory ports: the real rules and rooms, and a clock that moves when it is told to. */
export function memoryHouse(options: HouseOptions): MemoryHouse {
  const facts: string[] = [];
  const thrown: unknown[] = [];
  const verdicts: Verdict[] = [];
  const ringVerdicts: Verdict[] = [];
  const ports = memoryPorts(options, facts);
  const { clock } = ports;
  const room = (act: typeof work | typeof resume | typeof notify, told: Verdict[]) =>
    handlerOf(
      { act: (delivery, endsAtMs) => act(ports, delivery, endsAtMs), told, thrown },
      options,
      clock,
    );
  const handleWork = room(work, verdicts);
  const handleRing = room(resume, ringVerdicts);
  const handleDelivery = room(notify, []);
  const pump = async () => {
    for (;;) {
      const [messages, rings, deliveries] = await Promise.all([
        ports.work.receive(receiveBatch, 0),
        ports.resumes.receive(receiveBatch, 0),
        ports.deliveries.receive(receiveBatch, 0),
      ]);
      if (messages.length + rings.length + deliveries.length === 0) return;
      await Promise.all([
        ...messages.map(handleWork),
        ...rings.map(handleRing),
        ...deliveries.map(handleDelivery),
      ]);
    }
  };
  return {
    ports,
    clock,
    facts,
    thrown,
    verdicts,
    ringVerdicts,
    pump,
    async runFor(ms) {
      for (let leftMs = ms; leftMs > 0; leftMs -= 1000) {
        void pump();
        await clock.advance(Math.min(1000, leftMs));
      }
      void pump();
      await clock.advance(0);
    },
  };
}

/** The same with the tools of a local deployment: they need its ports, so they come second. */
export function demoMemoryHouse(options: HouseOptions): MemoryHouse {
  const house = memoryHouse({ ...options, tools: [] });
  const tools = house.ports.tools as Map<string, Tool>;
  const more = [demoWait(house.ports), ...(options.tools ?? [])];
  for (const [name, tool] of registry(house.ports, more)) tools.set(name, tool);
  return house;
}

interface Room {
  readonly act: (delivery: Received, functionEndsAtMs: number) => Promise<Verdict>;
  readonly told: Verdict[];
  readonly thrown: unknown[];
}

/** As the handler of a function does: what throws or is kept stays in the queue. */
function handlerOf({ act, told, thrown }: Room, options: HouseOptions, clock: Clock) {
  const { deliverTwice = false, functionMs = functionDefaultMs } = options;
  const handle = async (delivery: Received) => {
    try {
      const verdict = await act(delivery, clock.nowMs() + functionMs);
      told.push(verdict);
      if (verdict === 'done') await delivery.remove();
    } catch (error) {
      thrown.push(error);
    }
  };
  return async (delivery: Received) => {
    await handle(delivery);
    if (deliverTwice) await handle(delivery);
  };
}
