import { asSessionId, asTaskId, type SessionId, type TaskId } from './ids.ts';

/** A place in an owner's list of tasks. The owner is not part of it: it comes from the request. */
export interface TaskPosition {
  readonly createdAtMs: number;
  readonly taskId: TaskId;
}

/** The same in an owner's list of sessions. */
interface SessionPosition {
  readonly createdAtMs: number;
  readonly sessionId: SessionId;
}

export const cursorText = ({ createdAtMs, taskId }: TaskPosition) => `${createdAtMs}.${taskId}`;

export const sessionCursorText = ({ createdAtMs, sessionId }: SessionPosition) =>
  `${createdAtMs}.${sessionId}`;

export function readCursor(text: string): TaskPosition | undefined {
  const match = /^(\d{1,15})\.(task_[A-Za-z0-9_-]{32})$/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { createdAtMs: Number(match[1]), taskId: asTaskId(match[2]) };
}

export function readSessionCursor(text: string): SessionPosition | undefined {
  const match = /^(\d{1,15})\.(sess_[A-Za-z0-9_-]{32})$/.exec(text);
  if (!match?.[1] || !match[2]) return undefined;
  return { createdAtMs: Number(match[1]), sessionId: asSessionId(match[2]) };
}
