import { correlationIdOf } from '../../functions/core/ci/correlation.ts';
import type { CiPhase, CiReport, CiRun } from '../../functions/core/ci/report.ts';
import { responseTo } from '../../functions/core/ci/response.ts';
import { workMessage } from '../../functions/core/work-message.ts';
import { retrying } from './clients.ts';
import type { Order } from './elsewhere.ts';
import { portsFor } from './faulty-ports.ts';
import { resultOf, type Input } from './tools.ts';
import { beginLife, pause, type World } from './world.ts';

export const runOf = ({ call, variant }: Input): CiRun => ({
  provider: 'github',
  repository: 'acme/app',
  runId: `${call} ${variant}`,
});

function reportOf(input: Input, phase: CiPhase, planted: readonly string[]): CiReport {
  const { provider, repository, runId } = runOf(input);
  return { provider, repository, runIds: [runId], planted, attempt: 1, phase, said: phase };
}

/** What a call of a tool comes to, by whatever way its end comes. */
export const endResultOf = (plan: object, input: Input): unknown =>
  'inCi' in plan ? ciResultOf(input) : resultOf(input);

/** What a task comes to when its run succeeds. */
function ciResultOf(input: Input): unknown {
  const response = responseTo(reportOf(input, 'succeeded', []));
  if (!('result' in response)) throw new Error('A run that succeeds has a result.');
  return response.result;
}

/**
 * A CI system that tells of one run: at once, so that its webhooks may come before the task has said which
 * run is its own; in any order; and each perhaps again.
 */
export async function runInCi(world: World, { taskId, input }: Order): Promise<void> {
  const { chance } = world;
  const planted = chance.happens(0.5) ? [correlationIdOf(taskId)] : [];
  const phases: readonly CiPhase[] = chance.happens(0.3)
    ? ['succeeded', 'running', 'queued']
    : ['queued', 'running', 'succeeded'];
  for (const phase of phases) {
    await pause(world, chance.between(1, chance.pick([50, 30_000])));
    const report = reportOf(input, phase, planted);
    for (let times = chance.between(1, 3); times > 0; times -= 1) await deliver(world, report);
  }
}

/** What the door does with a verified webhook; a system that gets no answer delivers it again. */
async function deliver(world: World, report: CiReport): Promise<void> {
  const ports = portsFor(world, beginLife(world, 'ci'));
  const deliveryId = `${report.runIds.join()} ${report.phase}`;
  await retrying(world, () => {
    const [token, receivedAtMs] = [ports.newToken(), ports.clock.nowMs()];
    return ports.work.send([workMessage({ kind: 'ci', report, deliveryId, token, receivedAtMs })]);
  });
}
