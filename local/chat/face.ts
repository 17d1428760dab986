import type { Speaker } from '../talk/spoken-lines.ts';

/** How the session looks to the one who talks with it: a terminal, or plain lines. */
export interface Face {
  readonly tell: (who: Speaker, text: string) => void;
  /** The words of the model so far, while it speaks; empty when it is done. */
  speak(text: string): void;
  /** A call began, got on, or ended: these are under way. */
  show(calls: readonly RunningCall[]): void;
}

export interface RunningCall {
  readonly callId: string;
  readonly name: string;
  readonly sinceMs: number;
  percent: number | undefined;
  message: string;
  isCancelling: boolean;
}
