import { readPlace, type EventPlace } from '../core/event-place.ts';
import type { SessionId, TaskId } from '../core/ids.ts';
import { streamCommentMs, waitFirstMs, waitStepMsMax } from '../core/limits.ts';
import type { PlacedEvent } from '../core/session-events.ts';
import type { SessionKey } from '../core/session.ts';
import type { Ports } from '../ports.ts';
import { hearText, type HeardText, type Spoken } from './hear-text.ts';
import { readEvents, type EventNeeds } from './read-events.ts';

type Needs = EventNeeds & Pick<Ports, 'clock' | 'signals' | 'live'>;

export type Followed =
  | { readonly kind: 'event'; readonly event: PlacedEvent }
  | Spoken
  /** A sign of life. */
  | { readonly kind: 'quiet' };

interface Following {
  readonly from: EventPlace;
  /** Aborts when the reader has gone. */
  readonly gone: AbortSignal;
  readonly untilMs: number;
}

/**
 * Events of a session as they happen. They are read again at growing steps, and at once when something
 * in this process says that there is more.
 */
export async function* followEvents(
  ports: Needs,
  key: SessionKey,
  { from, gone, untilMs }: Following,
): AsyncGenerator<Followed, void> {
  const { clock } = ports;
  const heard = hearText(ports, key, gone);
  let place = from;
  let open: readonly TaskId[] = [];
  let stepMs = waitFirstMs;
  let quietAtMs = clock.nowMs() + streamCommentMs;
  while (!gone.aborted && clock.nowMs() < untilMs) {
    // Listen before reading, or what happens between the two would go unheard.
    const listening = listen(ports, [key.sessionId, ...open], gone);
    const page = await readOn(ports, key, place);
    for (const event of page.events) yield { kind: 'event', event };
    place = page.place;
    open = page.open;
    const isRead = page.events.length === 0;
    if (isRead) yield* saidWhile(ports, { heard, place, listening, forMs: stepMs });
    stepMs = isRead ? Math.min(stepMs * 2, waitStepMsMax) : waitFirstMs;
    listening.stop();
    if (clock.nowMs() < quietAtMs) continue;
    yield { kind: 'quiet' };
    quietAtMs = clock.nowMs() + streamCommentMs;
  }
}

async function readOn(ports: Needs, key: SessionKey, from: EventPlace) {
  const read = await readEvents(ports, key, from);
  if (!read.ok) throw new Error('A stream has lost its place.');
  const { events, open, cursor } = read.value;
  return { events, open, place: readPlace(cursor) ?? from };
}

interface Waiting {
  readonly heard: HeardText;
  readonly place: EventPlace;
  readonly listening: Listening;
  readonly forMs: number;
}

/** Pass on what is being said until it is time to read again: a word of a new turn says so, too. */
async function* saidWhile(ports: Needs, waiting: Waiting): AsyncGenerator<Spoken, void> {
  const { heard, place, listening, forMs } = waiting;
  const time = Promise.race([listening.heard, ports.clock.sleep(forMs, listening.over)]);
  const timeUp = time.then(() => true);
  for (;;) {
    if (heard.isNewTurn()) return;
    yield* heard.take(place);
    const text = heard.next(listening.over).then(() => false);
    if (await Promise.race([timeUp, text])) return;
  }
}

interface Listening {
  readonly heard: Promise<unknown>;
  readonly over: AbortSignal;
  stop(): void;
}

function listen(
  { signals }: Needs,
  ids: readonly (SessionId | TaskId)[],
  gone: AbortSignal,
): Listening {
  const over = new AbortController();
  const stop = () => {
    gone.removeEventListener('abort', stop);
    over.abort();
  };
  gone.addEventListener('abort', stop);
  if (gone.aborted) stop();
  const heard = Promise.race(ids.map((id) => signals.next(id, over.signal)));
  return { heard, over: over.signal, stop };
}
