import { messageVersion, readMessage, type ReadMessage } from './work-message.ts';
import type { SessionKey } from './session.ts';
import type { TaskId } from './ids.ts';

/** Word to a session that it should look. It names tasks only so that they can be read side by side. */
export interface Ring extends SessionKey {
  readonly v: number;
  readonly kind: 'ring';
  readonly taskIds: readonly TaskId[];
  /** When it was first sent; copies keep it. */
  readonly sentAtMs: number;
  readonly notBeforeMs?: number;
  readonly redrives?: number;
}

export const ringFor = (
  { owner, sessionId }: SessionKey,
  sentAtMs: number,
  taskIds: readonly TaskId[] = [],
): Ring => ({ v: messageVersion, kind: 'ring', owner, sessionId, taskIds, sentAtMs });

export const readRing = (body: string): ReadMessage<Ring> => readMessage(body, isRing);

function isRing(value: object): value is Ring {
  return 'kind' in value && value.kind === 'ring' && 'owner' in value && 'sessionId' in value;
}
