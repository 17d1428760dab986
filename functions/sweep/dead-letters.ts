import { readDeliveryMessage, type DeliveryMessage } from '../core/delivery-message.ts';
import { deadLettersPerSweep, redrivesMax } from '../core/limits.ts';
import { readRing, type Ring } from '../core/ring.ts';
import { keyOf } from '../core/task.ts';
import {
  readWorkMessage,
  taskKeyOf,
  workMessage,
  type ReadMessage,
  type WorkMessage,
} from '../core/work-message.ts';
import type { Ports, Queue, QueueReader, Received } from '../ports.ts';

type Needs = Pick<
  Ports,
  'work' | 'deadWork' | 'resumes' | 'deadResumes' | 'deliveries' | 'deadDeliveries'
>;

export interface LetterReport {
  readonly redriven: number;
  readonly poison: number;
}

/** The dead letters of one queue, and the way back from them. */
interface DeadLetters<Message> {
  readonly dead: QueueReader;
  readonly live: Queue<Message>;
  readonly read: (body: string) => ReadMessage<Message>;
  /** What is sent instead of a message that will never come through. */
  readonly insteadOf: (message: Message) => readonly Message[];
}

export async function redriveDeadLetters(ports: Needs): Promise<LetterReport> {
  const work = await redriveAll<WorkMessage>({
    dead: ports.deadWork,
    live: ports.work,
    read: readWorkMessage,
    insteadOf: poisonOf,
  });
  const resumes = await redriveAll<Ring>({
    dead: ports.deadResumes,
    live: ports.resumes,
    read: readRing,
    // Its session still has all it was rung for: the next ring of any kind finds it.
    insteadOf: () => [],
  });
  const deliveries = await redriveAll<DeliveryMessage>({
    dead: ports.deadDeliveries,
    live: ports.deliveries,
    read: readDeliveryMessage,
    // Its delivery is still due: the sweep finds it by its time.
    insteadOf: () => [],
  });
  const reports = [work, resumes, deliveries];
  return {
    redriven: reports.reduce((sum, { redriven }) => sum + redriven, 0),
    poison: reports.reduce((sum, { poison }) => sum + poison, 0),
  };
}

async function redriveAll<Message extends Redriven>(
  letters: DeadLetters<Message>,
): Promise<LetterReport> {
  const counts = { redriven: 0, poison: 0 };
  for (let seen = 0; seen < deadLettersPerSweep;) {
    const received = await letters.dead.receive(10, 0);
    if (received.length === 0) break;
    seen += received.length;
    for (const letter of received) counts[await redrive(letters, letter)] += 1;
  }
  return counts;
}

interface Redriven {
  readonly redrives?: number;
}

/** Sent back up to three times. What dies again is poison: its task is failed, the letter stays for people. */
async function redrive<Message extends Redriven>(
  { live, read, insteadOf }: DeadLetters<Message>,
  letter: Received,
): Promise<'redriven' | 'poison'> {
  const found = read(letter.body);
  if (found.kind !== 'ours') return 'poison';
  const { message } = found;
  const redrives = (message.redrives ?? 0) + 1;
  if (redrives > redrivesMax) {
    const last = insteadOf(message);
    if (last.length > 0) await live.send(last);
    return 'poison';
  }
  await live.send([{ ...message, redrives }]);
  await letter.remove();
  return 'redriven';
}

/** A report is poison for no task, and a question is asked again by the next look. */
function poisonOf(message: WorkMessage): readonly WorkMessage[] {
  const key = message.kind === 'check' ? undefined : taskKeyOf(message);
  return key ? [workMessage({ kind: 'poison', ...keyOf(key) })] : [];
}
