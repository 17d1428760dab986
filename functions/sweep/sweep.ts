import type { Ports } from '../ports.ts';
import { redriveDeadLetters, type LetterReport } from './dead-letters.ts';
import { resendOverdue } from './late-webhooks.ts';
import { lookAtDueTasks, type DueNeeds, type DueReport } from './due-tasks.ts';

type Needs = DueNeeds & Pick<Ports, 'deadWork' | 'deadResumes' | 'deadDeliveries'>;

export type SweepReport = DueReport & LetterReport & { readonly overdue: number };

/**
 * The safety net. It looks only through its index and only sends: whatever it finds is settled by the
 * room that holds the message which will tell it.
 */
export async function sweep(ports: Needs): Promise<SweepReport> {
  const letters = await redriveDeadLetters(ports);
  const due = await lookAtDueTasks(ports);
  const overdue = await resendOverdue(ports);
  const report = { ...due, ...letters, overdue };
  if (Object.values(report).some((count) => count > 0))
    ports.log('warn', 'sweep found work', report);
  return report;
}
