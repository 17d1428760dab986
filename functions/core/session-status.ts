import { callsOf, isQuick, openCallsAfter, type FinishReason, type Turn } from './turn.ts';

export type SessionStatus = 'idle' | 'running' | 'input_required' | 'failed';

/** Replied to, and its quick calls are answered. */
export const isSettled = (turn: Turn): boolean =>
  turn.reply !== undefined && (turn.quick !== undefined || !callsOf(turn).some(isQuick));

/** What a settled turn leaves behind. Where the next turn follows by itself, the session goes on running. */
export function statusAfter(turn: Turn | undefined): SessionStatus {
  if (!turn) return 'idle';
  if (!turn.reply || goesOn(turn)) return 'running';
  if (turn.reply.finishReason === 'error') return 'failed';
  return openCallsAfter(turn).length > 0 ? 'input_required' : 'idle';
}

/** Quick calls are answered at once; so is a user who cut in. */
const goesOn = ({ reply }: Turn): boolean =>
  reply?.finishReason === 'tool_calls' || reply?.cut === 'merged' || reply?.cut === 'interrupted';

/** Why the session rests; nothing while it goes on. */
export type RestReason = Exclude<FinishReason, 'tool_calls'>;

export function restReasonOf(turn: Turn | undefined): RestReason | undefined {
  const reason = turn?.reply?.finishReason;
  return reason === 'tool_calls' ? undefined : reason;
}
