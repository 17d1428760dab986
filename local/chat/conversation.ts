import type { SessionStatus } from '../../functions/core/session-status.ts';
import type { Face, RunningCall } from './face.ts';
import type { ToldEvent } from './follow-events.ts';
import type { SessionClient } from './session-client.ts';
import { tellEvent, type Heard } from './tell-event.ts';

/** What is known of a session from its events, shown as they come. */
export interface Conversation {
  /** Calls under way, oldest first. */
  readonly running: readonly RunningCall[];
  /** Number of the last turn that was told. */
  readonly turns: number;
  readonly status: SessionStatus;
  /** Words that were typed here need not be told again. */
  expectInput(inputId: string): void;
  hear(event: ToldEvent): void;
  /** Resolves when everything heard so far is told. */
  told(): Promise<void>;
  refresh(): void;
}

export function converse(client: SessionClient, face: Face): Conversation {
  const heard: Heard = {
    client,
    face,
    ownInputs: new Set(),
    running: new Map(),
    arguments: new Map(),
    turns: 0,
    status: 'idle',
    spoken: { turn: 0, text: '' },
  };
  // Some events need a look at the server; the next one waits, so that the order stays.
  let telling = Promise.resolve();
  return {
    get running() {
      return [...heard.running.values()];
    },
    get turns() {
      return heard.turns;
    },
    get status() {
      return heard.status;
    },
    expectInput: (inputId) => void heard.ownInputs.add(inputId),
    hear(event) {
      telling = telling
        .then(() => tellEvent(heard, event))
        .catch((thrown: unknown) =>
          face.tell('note', `(${event.event} not told: ${String(thrown)})`),
        );
    },
    told: () => telling,
    refresh: () => face.show([...heard.running.values()]),
  };
}
