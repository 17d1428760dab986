import { delayMsMax } from '../core/limits.ts';
import { readWorkMessage, taskIdOf, type WorkMessage } from '../core/work-message.ts';
import type { Delivery, Ports, Verdict } from '../ports.ts';
import { checkTask } from './check-task.ts';
import { endTask } from './end-task.ts';
import { runTask, type RunNeeds } from './run-task.ts';
import { takeAnswer } from './take-answer.ts';
import { takeReport } from './take-report.ts';

/**
 * Do what one message asks. The message is the outbox: `done` means that nothing is left undone, so
 * whatever throws or is not settled keeps it.
 */
export async function work(
  ports: RunNeeds,
  delivery: Delivery,
  functionEndsAtMs: number,
): Promise<Verdict> {
  const read = readWorkMessage(delivery.body);
  if (read.kind !== 'ours') {
    ports.log('warn', 'message left in the queue', { why: read.kind });
    return 'keep';
  }
  const { message } = read;
  if (await putOff(ports, message)) return 'done';
  switch (message.kind) {
    case 'run': {
      const verdict = await runTask(ports, { message, delivery, functionEndsAtMs });
      ports.log('info', 'message handled', { taskId: taskIdOf(message), verdict });
      return verdict;
    }
    case 'answer':
      return takeAnswer(ports, message, { delivery, functionEndsAtMs });
    case 'ci':
      return takeReport(ports, message);
    case 'check':
      return checkTask(ports, message);
    case 'cancel':
    case 'expire':
    case 'poison':
    case 'finish':
      return endTask(ports, message);
  }
}

/** Waiting is not failing: a message before its time is sent again, so no receive is counted against it. */
async function putOff(
  ports: Pick<Ports, 'work' | 'clock'>,
  message: WorkMessage,
): Promise<boolean> {
  const waitMs = (message.notBeforeMs ?? 0) - ports.clock.nowMs();
  if (waitMs <= 0) return false;
  await ports.work.send([message], Math.min(waitMs, delayMsMax));
  return true;
}
