import type { TaskKey } from '../../functions/core/task.ts';
import { respondToTask, type TaskResponse } from '../../functions/tasks/respond-to-task.ts';
import { runInCi } from './ci-system.ts';
import { retrying } from './clients.ts';
import { portsFor } from './faulty-ports.ts';
import { resultOf, type Input } from './tools.ts';
import { beginLife, pause, saw, type World } from './world.ts';

/** What an external tool has set off. */
export interface Order extends TaskKey {
  readonly input: Input;
  readonly inCi: boolean;
}

/** A system that works elsewhere: it takes an order once, and reports by callback. */
export function beginElsewhere(world: World): void {
  const begun = new Set<string>();
  world.setOff = (order) => {
    if (begun.has(order.taskId)) return;
    begun.add(order.taskId);
    void (order.inCi ? runInCi(world, order) : workElsewhere(world, order));
  };
}

async function workElsewhere(world: World, { owner, taskId, input }: Order): Promise<void> {
  const { chance } = world;
  const ports = portsFor(world, beginLife(world, 'elsewhere'));
  const report = (response: TaskResponse) =>
    retrying(world, async () => {
      const task = await ports.tasks.get({ owner, taskId });
      const answer = task && (await respondToTask(ports, task, response, 'callback'));
      if (answer)
        saw(world, `callback: ${answer.ok ? answer.value.outcome : answer.failure.reason}`);
    });
  for (let beat = 1; beat <= input.times; beat += 1) {
    await pause(world, chance.between(100, 90_000));
    await report({ progress: { percent: 10 * beat, message: `beat ${beat}` } });
  }
  await pause(world, chance.between(100, 60_000));
  if (world.faultRate > 0 && chance.happens(0.15)) return saw(world, 'elsewhere fell silent');
  await report({ result: resultOf(input) });
  if (chance.happens(0.3)) await report({ result: resultOf(input) });
}
