import type { Ports } from '../ports.ts';
import { redriveDeadLetters, type LetterReport } from './dead-letters.ts';
import { resendOverdue } from './late-webhooks.ts';
import { lookAtDueTasks, type DueNeeds, type DueReport } from './due-tasks.ts';

type Needs = DueNeeds & Pick<Ports, 'deadWork' | 'deadResumes' | 'deadDeliveries'>;

type SweepReport = DueReport & LetterReport & { readonly overdue: number };

/**
 * The safety net. It looks only through its index and only sends: whatever it finds is settled by the
 * room that holds the message which will tell it.
 */
export async function sweep(ports: Needs): Promise<SweepReport> {
  const looks = [redriveDeadLetters(ports), lookAtDueTasks(ports), resendOverdue(ports)] as const;
  // What one of them cannot do must not keep the others from what they can.
  await Promise.allSettled(looks);
  const [letters, due, overdue] = await Promise.all(looks);
  const report = { ...due, ...letters, overdue };
  if (Object.values(report).some((count) => count > 0))
    ports.log('warn', 'sweep found work', report);
  return report;
}
