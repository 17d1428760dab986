import { asOwner } from '../../functions/core/ids.ts';
import { keyOf, type Task } from '../../functions/core/task.ts';
import { answerTask } from '../../functions/tasks/answer-task.ts';
import { openQuestions } from '../../functions/tasks/open-questions.ts';
import { retrying } from './clients.ts';
import { portsFor } from './faulty-ports.ts';
import { recordOf } from './ledger.ts';
import { beginLife, pause, saw, type World } from './world.ts';

const lookEveryMs = 2_000;

/** People who are asked: they answer soon or late, twice, otherwise, or not at all. */
export async function keepAnswering(world: World): Promise<void> {
  const answering = new Set<string>();
  for (;;) {
    await pause(world, lookEveryMs);
    const { items } = await world.store.list(asOwner('ada'), { limit: 1000 });
    for (const task of items.filter(({ state }) => state.status === 'input_required')) {
      for (const { key } of await openQuestions({ ...world, tasks: world.store }, task)) {
        const name = `${task.taskId} ${key}`;
        if (answering.has(name)) continue;
        answering.add(name);
        void answerOne(world, task, key);
      }
    }
  }
}

async function answerOne(world: World, task: Task, key: string): Promise<void> {
  const { chance } = world;
  if (world.faultRate > 0 && chance.happens(0.1)) return saw(world, 'question left open');
  const ok = chance.happens(0.7);
  const tries = [ok, ...(chance.happens(0.4) ? [ok] : []), ...(chance.happens(0.2) ? [!ok] : [])];
  const lateMs = chance.pick([10, 5_000, world.faultRate > 0 ? 240_000 : 20_000]);
  await Promise.all(tries.map((value) => say(world, { task, key, value, lateMs })));
}

interface Saying {
  readonly task: Task;
  readonly key: string;
  readonly value: boolean;
  readonly lateMs: number;
}

async function say(world: World, { task, key, value, lateMs }: Saying): Promise<void> {
  await pause(world, world.chance.between(0, lateMs));
  recordOf(world.ledger, task.taskId).said.add(`${key} ${value}`);
  const life = beginLife(world, 'answerer');
  const ports = portsFor(world, life);
  await retrying(world, async () => {
    const answered = await answerTask(ports, keyOf(task), { key, value: { ok: value } });
    saw(world, `answer: ${answered.ok ? 'taken' : answered.failure.reason}`);
  });
  life.kill();
}
