import { firstPlace, readPlace } from '../../functions/core/event-place.ts';
import type { SessionKey } from '../../functions/core/session.ts';
import { readEvents } from '../../functions/sessions/read-events.ts';
import type { HousePorts } from '../memory-ports.ts';
import type { Moment, SeenCall, Tell } from './moment.ts';
import { tellEvent, tellQuickResults, type Story } from './tell-event.ts';

/** Turns a session's events into moments, each as it is seen. */
export interface Narrator {
  readonly moments: readonly Moment[];
  readonly calls: readonly SeenCall[];
  readonly tell: Tell;
  /** Tell what has happened since the last time. */
  catchUp(): Promise<void>;
}

export function narrate(
  ports: HousePorts,
  session: SessionKey,
  heard: (moment: Moment) => void,
): Narrator {
  const moments: Moment[] = [];
  const startMs = ports.clock.nowMs();
  const tell: Tell = (who, text) => {
    const moment = { atMs: ports.clock.nowMs() - startMs, who, text };
    moments.push(moment);
    heard(moment);
  };
  const story: Story = { ports, session, calls: [], tell, turn: undefined, waitsFor: '' };
  let place = firstPlace;
  return {
    moments,
    calls: story.calls,
    tell,
    async catchUp() {
      await tellQuickResults(story);
      for (;;) {
        const page = await readEvents(ports, session, place);
        if (!page.ok) throw new Error('The events of the scenario have lost their place.');
        const { events, cursor } = page.value;
        if (events.length === 0) return;
        for (const event of events) await tellEvent(story, event);
        place = readPlace(cursor) ?? place;
      }
    },
  };
}
