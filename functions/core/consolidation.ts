import type { ModelProfile } from './model.ts';
import type { Policy } from './session.ts';
import type { Delivery, OpenCall, Turn } from './turn.ts';

export interface EndCircumstances {
  readonly profile: ModelProfile;
  readonly policy: Policy['consolidation'];
  readonly placeholderSent: boolean;
  readonly lastRequestAtMs: number;
  readonly nowMs: number;
  /** Whether the placeholder lies in the snapshot. */
  readonly snapshotCovers: boolean;
}

/** Where the end of a call goes. */
export function wayFor(end: EndCircumstances): Delivery['way'] {
  if (!end.placeholderSent) return 'bind';
  if (!end.profile.rewrites) return 'append';
  if (end.policy !== 'auto') return end.policy;
  const isCold = end.nowMs - end.lastRequestAtMs >= end.profile.cacheMs;
  return isCold || end.snapshotCovers ? 'replace' : 'append';
}

/**
 * A placeholder is sent for good as soon as an intent names it: that request may be under way. The turns
 * may begin after the one that named it.
 */
export function placeholderSent(call: OpenCall, turns: readonly Turn[]): boolean {
  const first = turns[0];
  if (first && first.number > call.turn + 1) return true;
  return turns.some(
    ({ number, intent }) =>
      number > call.turn && intent.placeholders.some(({ taskId }) => taskId === call.taskId),
  );
}
