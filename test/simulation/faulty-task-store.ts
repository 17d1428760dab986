import type { Task, TaskKey } from '../../functions/core/task.ts';
import type { TaskStore } from '../../functions/ports.ts';
import { perform } from './effect.ts';
import { checkChange, checkCheckpoint, type Change } from './invariants.ts';
import type { Life } from './life.ts';
import type { World } from './world.ts';

type Asked = Pick<Change, 'fence' | 'claimAtMs'>;

/** The store of the memory adapter, seen by one life: each write is watched before and after. */
export function faultyTaskStore(world: World, life: Life): TaskStore {
  const { store } = world;
  const act = <T>(name: string, apply: () => Promise<T>) => perform(world, life, { name, apply });
  const write = <T>(name: string, key: TaskKey, asked: Asked, apply: () => Promise<T>) =>
    act(`${name} ${key.taskId}`, () => watched(world, key, { name, ...asked }, apply));
  const noted = (task: Task | undefined) => {
    if (task?.state.status === 'input_required') life.rested.add(task.taskId);
    return task;
  };
  return {
    create: (start) => write('create', start, {}, () => store.create(start)),
    claim: (request) =>
      write('claim', request.start, { claimAtMs: request.nowMs }, () => store.claim(request)),
    renew: (key, fence, untilMs) =>
      write('renew', key, { fence }, () => store.renew(key, fence, untilMs)),
    release: (key, fence, release) =>
      write(`release ${release.why}`, key, { fence }, () => store.release(key, fence, release)),
    // Noted where it happens: the answer may be lost, and what was recorded holds all the same.
    record: (key, writer, event) =>
      write(`record ${event.kind}`, key, writer === 'anyone' ? {} : writer, async () =>
        noted(await store.record(key, writer, event)),
      ),
    get: async (key) => noted(await act(`get ${key.taskId}`, () => store.get(key))),
    result: (task) => act(`result ${task.taskId}`, () => store.result(task)),
    arguments: (task) => act(`arguments ${task.taskId}`, () => store.arguments(task)),
    part: (task, number) => act(`part ${task.taskId}`, () => store.part(task, number)),
    hasPart: (task, digest) => act(`has part ${task.taskId}`, () => store.hasPart(task, digest)),
    initial: (task) => act(`initial ${task.taskId}`, () => store.initial(task)),
    question: (task, name) => act(`question ${task.taskId}`, () => store.question(task, name)),
    keepAnswer: (key, name, answer) =>
      act(`keep answer ${key.taskId}`, () => store.keepAnswer(key, name, answer)),
    answer: (key, name) => act(`answer ${key.taskId}`, () => store.answer(key, name)),
    keepLate: (key, value) => write('keep late', key, {}, () => store.keepLate(key, value)),
    late: (task) => act(`late ${task.taskId}`, () => store.late(task)),
    keepCheckpoint: (key, fence, json) =>
      act(`keep checkpoint ${key.taskId} ${json}`, async () => {
        const kept = await store.keepCheckpoint(key, fence, json);
        if (kept) checkCheckpoint(world, key.taskId, fence);
        return kept;
      }),
    checkpoint: (key) => act(`checkpoint ${key.taskId}`, () => store.checkpoint(key)),
    list: (owner, page) => act('list', () => store.list(owner, page)),
    due: (window) => act('due', () => store.due(window)),
    moveDue: (key, dueMs) => write('move due', key, {}, () => store.moveDue(key, dueMs)),
  };
}

async function watched<T>(
  world: World,
  key: TaskKey,
  asked: Asked & { readonly name: string },
  apply: () => Promise<T>,
): Promise<T> {
  const before: Task | undefined = await world.store.get(key);
  const reply = await apply();
  const after = await world.store.get(key);
  if (after) checkChange(world, { ...asked, before, after, applied: Boolean(reply) });
  return reply;
}
