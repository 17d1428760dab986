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
import type { Log, Ports } from '../functions/ports.ts';
import { notify } from '../functions/notify/notify.ts';
import { resume } from '../functions/resume/resume.ts';
import { sweep } from '../functions/sweep/sweep.ts';
import { work } from '../functions/worker/work.ts';
import { notifyTimeoutS, resumeTimeoutS, workerTimeoutS } from '../infra/definitions.ts';
import { sweepMsOf } from './local-settings.ts';
import { startPoller, type Polling } from './poller.ts';

/** As many as an account on AWS has by default: a tool that only waits must not hold up another's end. */
const concurrencyMax = 1000;

/**
 * How long a message stays away that was received and not yet held: its process may have been killed in
 * between. Lambda takes a function's whole life for it; here whoever receives begins at once.
 */
const unheldMsMin = 10_000;

type Needs = Omit<Ports, 'deadWork' | 'deadResumes' | 'deadDeliveries'>;

/** The rooms nobody calls: worker, resume and notify behind a poller each, the sweep on a timer. */
export function startRooms(env: NodeJS.ProcessEnv, ports: Needs): { stop(): void } {
  const { log, settings } = ports;
  const unheldMs = Math.max(unheldMsMin, settings.claimMs);
  const poll = (handleOne: HandleOne, hide: ReturnType<typeof workHider>, more: PollingMore) =>
    startPoller({
      handler: batchHandler(handleOne, { ...ports, hide }),
      concurrencyMax,
      log,
      ...more,
    });
  const worker = poll((delivery, endsAtMs) => work(ports, delivery, endsAtMs), workHider(env), {
    reader: workReader(env, unheldMs),
    timeoutMs: workerTimeoutS * 1000,
  });
  const resumer = poll(
    (delivery, endsAtMs) => resume(ports, delivery, endsAtMs),
    resumeHider(env),
    {
      reader: resumesReader(env, unheldMs),
      timeoutMs: resumeTimeoutS * 1000,
    },
  );
  const notifier = poll((delivery) => notify(ports, delivery), webhookHider(env), {
    reader: webhooksReader(env, webhookClaimMs),
    timeoutMs: notifyTimeoutS * 1000,
  });
  const dead = {
    deadWork: deadWorkReader(env),
    deadResumes: deadResumesReader(env),
    deadDeliveries: deadWebhooksReader(env),
  };
  const sweeping = repeat(sweepMsOf(env), () => sweep({ ...ports, ...dead }), log);
  return {
    stop() {
      worker.stop();
      resumer.stop();
      notifier.stop();
      clearInterval(sweeping);
    },
  };
}

type PollingMore = Pick<Polling, 'reader' | 'timeoutMs'>;

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
