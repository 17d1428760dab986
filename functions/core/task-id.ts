import { createHmac } from 'node:crypto';
import { asTaskId, type Owner, type TaskId } from './ids.ts';

/** 192 bits: unguessable, and short enough for every client's limit on task ids. */
const idBytes = 24;

/** What makes two starts the same call: a client's idempotency key or the model's call id. */
export interface CallIdentity {
  readonly owner: Owner;
  readonly tool: string;
  readonly key: string;
}

/**
 * The id of a call with an identity. Starting twice finds the same task without a look-up, and the
 * server's secret keeps the id unguessable for whoever knows the key.
 */
export function taskIdFor(serverSecret: string, identity: CallIdentity): TaskId {
  const { owner, tool, key } = identity;
  const mac = createHmac('sha256', serverSecret).update(JSON.stringify(['task', owner, tool, key]));
  return taskIdFrom(mac.digest());
}

export const taskIdFrom = (bytes: Uint8Array): TaskId =>
  asTaskId(`task_${Buffer.from(bytes.subarray(0, idBytes)).toString('base64url')}`);
