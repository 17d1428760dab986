import type { EventPlace } from '../core/event-place.ts';
import type { SessionKey } from '../core/session.ts';
import type { Ports } from '../ports.ts';

/** Words as they are spoken. They have no place in the events: the turn carries the full text. */
export interface Spoken {
  readonly kind: 'text';
  readonly turn: number;
  readonly text: string;
}

/** What is being said in this process, until the reader has gone. */
export interface HeardText {
  /** Take what was said of turns that have not been told in full. */
  take(place: EventPlace): readonly Spoken[];
  /** Whether words of a turn have come that the reader has not looked for; true once for each turn. */
  isNewTurn(): boolean;
  /** Resolves when there is something to take, or at the signal. */
  next(over: AbortSignal): Promise<void>;
}

export function hearText(
  { live }: Pick<Ports, 'live'>,
  key: SessionKey,
  gone: AbortSignal,
): HeardText {
  const pieces: Spoken[] = [];
  let lookedFor = 0;
  let wake = () => {};
  live.hear(key, gone, (turn, text) => {
    pieces.push({ kind: 'text', turn, text });
    wake();
  });
  return {
    take: (place) => pieces.splice(0).filter(({ turn }) => !isTold(turn, place)),
    isNewTurn() {
      const newest = pieces.at(-1)?.turn ?? 0;
      if (newest <= lookedFor) return false;
      lookedFor = newest;
      return true;
    },
    next: (over) =>
      new Promise((resolve) => {
        if (pieces.length > 0 || over.aborted) return resolve();
        const done = () => {
          over.removeEventListener('abort', done);
          resolve();
        };
        wake = done;
        over.addEventListener('abort', done);
      }),
  };
}

/** The first event of a turn says that it runs, the second what was said. */
const isTold = (turn: number, place: EventPlace) =>
  turn < place.turn || (turn === place.turn && place.slot > 1);
