import { correlationIdOf } from '../core/ci/correlation.ts';
import type { Failure } from '../core/failure.ts';
import { asOwner, asTaskId, type TaskId } from '../core/ids.ts';
import { ok, refuse, type Result } from '../core/result.ts';
import type { Task, TaskKey } from '../core/task.ts';
import type { Callback } from '../core/tool.ts';
import type { Ports } from '../ports.ts';

const purpose = 'callback';
const verbs = ['progress', 'completed', 'failed'] as const;

type CallbackVerb = (typeof verbs)[number];

/** What a callback token allows: these reports, on this task, and nothing else. */
export interface CallbackGrant extends TaskKey {
  readonly verbs: readonly CallbackVerb[];
}

export const fullGrant = ({ owner, taskId }: TaskKey): CallbackGrant => ({ owner, taskId, verbs });

/** Where and with what right someone outside may report on a task. */
export function callbackFor(
  { sealer, settings }: Pick<Ports, 'sealer' | 'settings'>,
  { owner, taskId, deadlineMs }: Task,
): Callback {
  if (!settings.publicUrl) {
    throw new Error('A callback needs the address of this house: set PUBLIC_URL.');
  }
  const grant = fullGrant({ owner, taskId });
  return {
    url: `${settings.publicUrl}/callbacks/${taskId}`,
    token: sealer.seal(purpose, grant, deadlineMs),
    expiresAtMs: deadlineMs,
    correlationId: correlationIdOf(taskId),
  };
}

interface OpenedCallback {
  readonly grant: CallbackGrant;
  readonly isExpired: boolean;
}

/** Open a token that was shown for a task. Whatever is wrong with it but its age reads the same. */
export function openCallback(
  { sealer, clock }: Pick<Ports, 'sealer' | 'clock'>,
  token: string,
  taskId: TaskId,
): Result<OpenedCallback> {
  const opened = sealer.open(purpose, token, clock.nowMs());
  if (opened.kind === 'forged') return refuse(wrongToken);
  const grant = readGrant(opened.value);
  if (grant?.taskId !== taskId) return refuse(wrongToken);
  return ok({ grant, isExpired: opened.kind === 'expired' });
}

/** The same for a token that is not ours, one of another task, and a task that is not there. */
export const wrongToken: Failure = {
  reason: 'unauthorized',
  detail: 'Send the callback token of this task as "Authorization: Bearer <token>".',
};

function readGrant(value: unknown): CallbackGrant | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!('owner' in value && 'taskId' in value && 'verbs' in value)) return undefined;
  const { verbs: given } = value;
  if (!Array.isArray(given)) return undefined;
  return {
    owner: asOwner(String(value.owner)),
    taskId: asTaskId(String(value.taskId)),
    verbs: verbs.filter((verb) => given.includes(verb)),
  };
}
