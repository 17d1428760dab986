import { faultOf } from '../core/fault.ts';
import { sweepHeldMsMax, sweepOverlapMs, sweepPage } from '../core/limits.ts';
import { ringFor, type Ring } from '../core/ring.ts';
import {
  hasEnded,
  keyOf,
  nextLookMs,
  timeUpAtMs,
  type EndedTask,
  type Task,
} from '../core/task.ts';
import type { TaskKey } from '../core/task.ts';
import { openCallsAfter } from '../core/turn.ts';
import { workMessage } from '../core/work-message.ts';
import type { Page, Ports } from '../ports.ts';
import { decodeTurn } from '../sessions/stored-turn.ts';
import { lateMs, noteUntold } from '../tasks/untold.ts';
import { tellIfUntold, type LateNeeds } from './late-webhooks.ts';

export type DueNeeds = LateNeeds &
  Pick<Ports, 'tasks' | 'work' | 'sessions' | 'resumes' | 'objects' | 'sweepMark'>;

export interface DueReport {
  readonly expired: number;
  readonly rung: number;
  /** Webhooks of ends that nobody was told of. */
  readonly untold: number;
  /** Tasks whose work was asked about. */
  readonly checked: number;
}

/**
 * Look at every task whose time has come. The mark moves only after all sends were acknowledged, so a
 * sweep that dies is repeated by the next one. A task that cannot be looked at holds up no other: it is
 * looked at again with the rest, for a while.
 */
export async function lookAtDueTasks(ports: DueNeeds): Promise<DueReport> {
  const toMs = ports.clock.nowMs();
  const markMs = await ports.sweepMark.read();
  const fromMs = markMs - sweepOverlapMs;
  const counts = { expired: 0, rung: 0, untold: 0, checked: 0 };
  const each = lookingAtEach(ports);
  let page: Page<TaskKey> | undefined;
  do {
    page = await ports.tasks.due({ fromMs, toMs, limit: sweepPage, cursor: page?.cursor });
    const tasks = await each.of(page.items, (key) => ports.tasks.get(key));
    const { expired, checked } = await expireOverdue(ports, tasks, toMs);
    counts.expired += expired;
    counts.checked += checked;
    const ended = tasks.filter(hasEnded);
    const rings = await each.of(ended, (task) => ringIfAwaited(ports, task, toMs));
    if (rings.length > 0) await ports.resumes.send(rings);
    counts.rung += rings.length;
    const untold = await each.of(ended, (task) => tellIfUntold(ports, task));
    counts.untold += untold.reduce((sum, count) => sum + count, 0);
  } while (page.cursor);
  const heldMs = toMs - (markMs || toMs);
  if (!each.failed() || heldMs > sweepHeldMsMax) await ports.sweepMark.write(toMs);
  return counts;
}

/** Ask the same of each; what fails is written down and left out. */
function lookingAtEach({ log }: Pick<DueNeeds, 'log'>) {
  let failures = 0;
  const failed = ({ taskId }: TaskKey, thrown: unknown) => {
    failures += 1;
    log('error', 'due task not looked at', { taskId, ...faultOf(thrown) });
  };
  return {
    failed: () => failures > 0,
    async of<Item extends TaskKey, Found>(
      items: readonly Item[],
      look: (item: Item) => Promise<Found | undefined>,
    ): Promise<readonly Found[]> {
      const looks = items.map(async (item) => {
        try {
          return await look(item);
        } catch (thrown) {
          failed(item, thrown);
          return undefined;
        }
      });
      return (await Promise.all(looks)).filter((one) => one !== undefined);
    },
  };
}

/** Ask for the end of every open task whose time is up; one that was heard of since is looked at later. */
async function expireOverdue(ports: DueNeeds, tasks: readonly Task[], nowMs: number) {
  const open = tasks.filter((task) => !hasEnded(task));
  const overdue = open.filter((task) => timeUpAtMs(task) <= nowMs);
  const messages = overdue.map((task) => workMessage({ kind: 'expire', ...keyOf(task) }));
  const early = open.filter((task) => timeUpAtMs(task) > nowMs);
  const checks = await askAbout(ports, early, nowMs);
  if (messages.length > 0) await ports.work.send(messages);
  return { expired: messages.length, checked: checks };
}

/**
 * Have asked how the work stands of which nothing was heard, where its tool knows whom to ask. Sent first
 * and moved then: a sweep that dies between the two asks twice, and that harms nobody.
 */
async function askAbout(ports: DueNeeds, early: readonly Task[], nowMs: number): Promise<number> {
  // The overlap of two sweeps shows a task again that was moved already.
  const asked = early.filter((task) => task.checkMs !== undefined && task.dueMs <= nowMs);
  const messages = asked.map((task) => workMessage({ kind: 'check', ...keyOf(task) }));
  if (messages.length > 0) await ports.work.send(messages);
  await Promise.all(early.map((task) => ports.tasks.moveDue(keyOf(task), nextLookMs(task, nowMs))));
  return messages.length;
}

/** An end is told by whoever recorded it; if that was lost, its session still waits for it here. */
async function ringIfAwaited(
  ports: DueNeeds,
  task: EndedTask,
  nowMs: number,
): Promise<Ring | undefined> {
  const { owner, taskId, caller } = task;
  if (caller.kind !== 'session') return undefined;
  const session = { owner, sessionId: caller.sessionId };
  const [record] = await ports.sessions.lastTurns(session, 1);
  const last = record && (await decodeTurn(ports, record));
  const open = openCallsAfter(last);
  const call = open.find((one) => one.taskId === taskId);
  if (!call) return undefined;
  const forMs = lateMs(ports, task);
  // With others of its turn it may well wait for them; alone it should long have been told.
  const isAlone = open.filter(({ turn }) => turn === call.turn).length === 1;
  if (forMs !== undefined && isAlone) noteUntold(ports, task, { to: 'inbox', forMs });
  return ringFor(session, nowMs, [taskId]);
}
