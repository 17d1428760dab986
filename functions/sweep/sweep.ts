import { deadLettersPerSweep, redrivesMax, sweepOverlapMs, sweepPage } from '../core/limits.ts';
import { hasEnded, keyOf, type TaskKey } from '../core/task.ts';
import { readWorkMessage, workMessage, type WorkMessage } from '../core/work-message.ts';
import type { Page, Ports, Received } from '../ports.ts';

type Needs = Pick<Ports, 'tasks' | 'work' | 'deadWork' | 'sweepMark' | 'clock' | 'log'>;

export interface SweepReport {
  readonly expired: number;
  readonly redriven: number;
  readonly poison: number;
}

/**
 * The safety net. It looks only through its index and only sends: whatever it finds is settled by the
 * worker, which holds the message that will tell it.
 */
export async function sweep(ports: Needs): Promise<SweepReport> {
  const letters = await redriveDeadLetters(ports);
  const expired = await expireOverdue(ports);
  const report = { expired, ...letters };
  if (expired + letters.redriven + letters.poison > 0)
    ports.log('warn', 'sweep found work', report);
  return report;
}

/**
 * Ask for the end of every open task whose time has come. The mark moves only after all sends were
 * acknowledged, so a sweep that dies is repeated by the next one.
 */
async function expireOverdue(ports: Needs): Promise<number> {
  const toMs = ports.clock.nowMs();
  const fromMs = (await ports.sweepMark.read()) - sweepOverlapMs;
  let expired = 0;
  let page: Page<TaskKey> | undefined;
  do {
    page = await ports.tasks.due({ fromMs, toMs, limit: sweepPage, cursor: page?.cursor });
    const found = await Promise.all(page.items.map((key) => ports.tasks.get(key)));
    const overdue = found.filter((task) => task && !hasEnded(task) && task.deadlineMs <= toMs);
    const messages = overdue.flatMap((task) =>
      task ? [workMessage({ kind: 'expire', ...keyOf(task) })] : [],
    );
    if (messages.length > 0) await ports.work.send(messages);
    expired += messages.length;
  } while (page.cursor);
  await ports.sweepMark.write(toMs);
  return expired;
}

async function redriveDeadLetters(ports: Needs): Promise<Omit<SweepReport, 'expired'>> {
  const counts = { redriven: 0, poison: 0 };
  for (let seen = 0; seen < deadLettersPerSweep;) {
    const letters = await ports.deadWork.receive(10, 0);
    if (letters.length === 0) break;
    seen += letters.length;
    for (const letter of letters) counts[await redrive(ports, letter)] += 1;
  }
  return counts;
}

/** Sent back up to three times. What dies again is poison: its task is failed, the letter stays for people. */
async function redrive(ports: Needs, letter: Received): Promise<'redriven' | 'poison'> {
  const read = readWorkMessage(letter.body);
  if (read.kind !== 'ours') return 'poison';
  const { message } = read;
  const redrives = (message.redrives ?? 0) + 1;
  if (redrives > redrivesMax) {
    await ports.work.send([poisonOf(message)]);
    return 'poison';
  }
  await ports.work.send([{ ...message, redrives }]);
  await letter.remove();
  return 'redriven';
}

const poisonOf = (message: WorkMessage): WorkMessage =>
  workMessage({ kind: 'poison', ...keyOf(message.kind === 'run' ? message.start : message) });
