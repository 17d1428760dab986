import { asOwner } from '../functions/core/ids.ts';
import { keyOf, type Task, type TaskKey } from '../functions/core/task.ts';
import { startTask, type StartRequest } from '../functions/tasks/start-task.ts';
import * as local from '../local/memory-house.ts';
import { testModel } from './test-model.ts';
import { testTool } from './test-tool.ts';

export type { HousePorts } from '../local/memory-ports.ts';
export { virtualClock, type VirtualClock } from '../local/virtual-clock.ts';

/** Its model says `ok` to everything, and its only tool gives back what it takes, unless a test has others. */
export type HouseOptions = Partial<local.HouseOptions>;

export interface MemoryHouse extends local.MemoryHouse {
  start(request?: Partial<StartRequest>): Promise<Task>;
  task(key: TaskKey): Promise<Task>;
}

export const alice = asOwner('alice');

export const memoryHouse = (options: HouseOptions = {}): MemoryHouse =>
  forTests(local.memoryHouse({ tools: [testTool()], ...plain(options) }));

/** The same with the tools of a local deployment. */
export const demoHouse = (options: HouseOptions = {}): MemoryHouse =>
  forTests(local.demoMemoryHouse(plain(options)));

/** Most tests want the handle as soon as the grace time is over. */
const plain = (options: HouseOptions): local.HouseOptions => ({
  model: testModel(),
  ...options,
  settings: { holdMs: 0, ...options.settings },
});

const plainStart: StartRequest = {
  owner: alice,
  tool: 'slow',
  arguments: {},
  caller: { kind: 'client' },
};

const forTests = (house: local.MemoryHouse): MemoryHouse => ({
  ...house,
  async start(request = {}) {
    const started = await startTask(house.ports, { ...plainStart, ...request });
    if (!started.ok) throw new Error(`The start was refused: ${started.failure.reason}.`);
    return started.value;
  },
  async task(key) {
    const found = await house.ports.tasks.get(keyOf(key));
    if (!found) throw new Error(`There is no task ${key.taskId}.`);
    return found;
  },
});
