import { explainRefusedClaim, type ClaimRequest } from '../core/claim.ts';
import { delayMsMax, retriesDefault } from '../core/limits.ts';
import { ok } from '../core/result.ts';
import { beforeRun, type RetryRule } from '../core/retry.ts';
import { hasEnded, keyOf, type Task } from '../core/task.ts';
import type { WorkMessage } from '../core/work-message.ts';
import type { Delivery, Ports, Verdict } from '../ports.ts';
import { plantId } from '../tasks/ci-binding.ts';
import { readValue } from '../tasks/keep-value.ts';
import { tellAsked } from '../tasks/tell-asked.ts';
import { tellEnd } from '../tasks/tell-end.ts';
import { timedOut } from './end-task.ts';
import { runTool, type ToolRun } from './run-tool.ts';
import { fail, settle, type Attempt } from './settle.ts';

export type RunNeeds = Pick<
  Ports,
  | 'tasks'
  | 'objects'
  | 'ci'
  | 'audit'
  | 'work'
  | 'resumes'
  | 'webhooks'
  | 'deliveries'
  | 'tools'
  | 'clock'
  | 'signals'
  | 'sealer'
  | 'newToken'
  | 'settings'
  | 'log'
>;

export type RunMessage = Extract<WorkMessage, { kind: 'run' }>;

export interface Run {
  readonly message: RunMessage;
  readonly delivery: Delivery;
  readonly functionEndsAtMs: number;
}

/** Claim the task of one message, run its tool, record how it ended, and tell. */
export async function runTask(ports: RunNeeds, run: Run): Promise<Verdict> {
  // Read before the claim: what cannot be read must not look like a run that died.
  const input = await readValue(ports, run.message.start.arguments);
  const nowMs = ports.clock.nowMs();
  const untilMs = nowMs + ports.settings.claimMs;
  const request = { start: run.message.start, token: ports.newToken(), nowMs, untilMs };
  const claimed = await claim(ports, request, run.message);
  if (typeof claimed === 'string') return claimed;
  await hideForClaim(ports, run);
  return attempt(ports, run, { task: claimed, input });
}

/** Refused is not failed: a refusal is followed by a read, and only what the read shows is acted on. */
async function claim(
  ports: RunNeeds,
  request: ClaimRequest,
  message: RunMessage,
): Promise<Task | Verdict> {
  const claimed = await ports.tasks.claim(request);
  if (claimed) return claimed;
  const found = await ports.tasks.get(keyOf(request.start));
  if (!found) return 'keep';
  switch (explainRefusedClaim(found, request)) {
    case 'mine':
      return found;
    case 'ended':
      await tellEnd(ports, found);
      return 'done';
    case 'foreign':
      ports.log('warn', 'message dropped: other arguments', { taskId: found.taskId });
      return 'done';
    case 'handed off':
      return 'done';
    case 'asking':
      await tellAsked(ports, found);
      return 'done';
    case 'held': {
      const afterMs = Math.max(1000, found.claim.untilMs - request.nowMs);
      const again = { ...message, notBeforeMs: request.nowMs + afterMs };
      await ports.work.send([again], Math.min(afterMs, delayMsMax));
      return 'done';
    }
  }
}

/** Without it the message only stays hidden longer than it needs to. */
async function hideForClaim(ports: RunNeeds, { message, delivery }: Run): Promise<void> {
  try {
    await delivery.hide(ports.settings.claimMs);
  } catch {
    ports.log('warn', 'message not hidden', { taskId: message.start.taskId });
  }
}

async function attempt(
  ports: RunNeeds,
  run: Run,
  { task, input }: { readonly task: Task; readonly input: unknown },
): Promise<Verdict> {
  const tool = ports.tools.get(task.tool);
  const rule = tool ? tool.retryRule(input) : unknownToolRule;
  const now: Attempt = { task, rule, tool, run };
  if (ports.clock.nowMs() >= task.deadlineMs) return fail(ports, now, timedOut);
  const refused = beforeRun(task, rule);
  if (refused) return fail(ports, now, refused);
  // Before anyone is told the id: what it comes back in must find its task.
  if (tool?.external) await plantId(ports, keyOf(task), tool.source);
  const outcome = await runTool(ports, { task, input, run, tool: tool ?? missingTool(task.tool) });
  return settle(ports, now, outcome);
}

/** While a deployment rolls out, an older worker may meet a newer tool: it waits instead of failing. */
const unknownToolRule: RetryRule = { retries: retriesDefault, idempotent: true };

const missingTool = (name: string): ToolRun['tool'] => ({
  progressAt: [],
  checkInput: ok,
  checkResult: ok,
  run: () => Promise.reject(new Error(`This worker has no tool named ${name}.`)),
});

export const isOpen = (task: Task | undefined): task is Task =>
  task !== undefined && !hasEnded(task);
