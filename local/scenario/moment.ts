import type { Speaker } from '../talk/spoken-lines.ts';

/** One line of the transcript. */
export interface Moment {
  /** Since the scenario began. */
  readonly atMs: number;
  readonly who: Speaker;
  readonly text: string;
}

export type Tell = (who: Speaker, text: string) => void;

export interface SeenCall {
  readonly callId: string;
  readonly tool: string;
  /** Tells it apart from others of its tool. */
  readonly name: string;
  /** None for a quick call. */
  readonly taskId: string | undefined;
  isOpen: boolean;
}
