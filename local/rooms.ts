import { batchHandler, type HandleOne } from '../functions/adapters/sqs-batch.ts';
import {
  deadResumesReader,
  deadWebhooksReader,
  deadWorkReader,
  resumeHider,
  resumesReader,
  webhookHider,
  webhooksReader,
  workHider,
  workReader,
} from '../functions/adapters/store-ports.ts';
import { webhookClaimMs } from '../functions/core/webhook-limits.ts';
import type { Log, Ports, QueueReader } from '../functions/ports.ts';
import { notify } from '../functions/notify/notify.ts';
import { resume } from '../functions/resume/resume.ts';
import { sweep } from '../functions/sweep/sweep.ts';
import { work } from '../functions/worker/work.ts';
import { notifyTimeoutS, resumeTimeoutS, workerTimeoutS } from '../infra/definitions.ts';
import { sweepMsOf } from './local-settings.ts';
import { startPoller } from './poller.ts';

/** As many as an account on AWS has by default: a tool that only waits must not hold up another's end. */
const concurrencyMax = 1000;

/**
 * How long a message stays away that was received and not yet held: its process may have been killed in
 * between. Lambda takes a function's whole life for it; here whoever receives begins at once.
 */
const unheldMsMin = 10_000;

type Dead = Pick<Ports, 'deadWork' | 'deadResumes' | 'deadDeliveries'>;
type Needs = Omit<Ports, keyof Dead>;

/** The receiving side of a queue, and how a message of it is kept hidden. */
export interface RoomQueue {
  readonly reader: QueueReader;
  readonly hide: (receiptHandle: string, forMs: number) => Promise<void>;
}

interface RoomQueues {
  readonly work: RoomQueue;
  readonly resumes: RoomQueue;
  readonly webhooks: RoomQueue;
  readonly dead: Dead;
}

export function queuesOf(env: NodeJS.ProcessEnv, claimMs: number): RoomQueues {
  const unheldMs = Math.max(unheldMsMin, claimMs);
  return {
    work: { reader: workReader(env, unheldMs), hide: workHider(env) },
    resumes: { reader: resumesReader(env, unheldMs), hide: resumeHider(env) },
    webhooks: { reader: webhooksReader(env, webhookClaimMs), hide: webhookHider(env) },
    dead: {
      deadWork: deadWorkReader(env),
      deadResumes: deadResumesReader(env),
      deadDeliveries: deadWebhooksReader(env),
    },
  };
}

/** The rooms nobody calls: worker, resume and notify behind a poller each, the sweep on a timer. */
export function startRooms(
  env: NodeJS.ProcessEnv,
  ports: Needs,
  queues: RoomQueues = queuesOf(env, ports.settings.claimMs),
): { stop(): void } {
  const { log } = ports;
  const poll = ({ reader, hide }: RoomQueue, timeoutS: number, handleOne: HandleOne) =>
    startPoller({
      reader,
      handler: batchHandler(handleOne, { ...ports, hide }),
      timeoutMs: timeoutS * 1000,
      concurrencyMax,
      log,
    });
  const pollers = [
    poll(queues.work, workerTimeoutS, (delivery, endsAtMs) => work(ports, delivery, endsAtMs)),
    poll(queues.resumes, resumeTimeoutS, (delivery, endsAtMs) => resume(ports, delivery, endsAtMs)),
    poll(queues.webhooks, notifyTimeoutS, (delivery) => notify(ports, delivery)),
  ];
  const sweeping = repeat(sweepMsOf(env), () => sweep({ ...ports, ...queues.dead }), log);
  return {
    stop() {
      for (const poller of pollers) poller.stop();
      clearInterval(sweeping);
    },
  };
}

/** One at a time: a sweep that takes longer than its interval is not overtaken by the next. */
function repeat(everyMs: number, act: () => Promise<unknown>, log: Log): NodeJS.Timeout {
  let busy = false;
  return setInterval(() => {
    if (busy) return;
    busy = true;
    act()
      .catch((thrown: unknown) => log('error', 'sweep failed', { error: String(thrown) }))
      .finally(() => {
        busy = false;
      });
  }, everyMs);
}
