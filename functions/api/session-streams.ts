import type { OpenAPIHono } from '@hono/zod-openapi';
import { firstPlace, readPlace, type EventPlace } from '../core/event-place.ts';
import type { Owner } from '../core/ids.ts';
import { streamRetryMs } from '../core/limits.ts';
import { ok, type Result } from '../core/result.ts';
import type { PlacedEvent } from '../core/session-events.ts';
import type { Session, SessionKey } from '../core/session.ts';
import { findSession } from '../sessions/find-session.ts';
import { followEvents, type Followed } from '../sessions/follow-events.ts';
import { readAudit } from '../sessions/read-audit.ts';
import { readEvents, wrongPlace } from '../sessions/read-events.ts';
import { streamText, type StreamResponse } from './byte-stream.ts';
import { failureResponse } from './failure-response.ts';
import type { ApiEnv, ApiNeeds } from './rest.ts';
import { sessionKey } from './session-key.ts';
import { auditRoute, eventsRoute } from './session-routes.ts';

/** What of a session is sent as it comes: its events, and its audit. */
export function addSessionStreams(
  app: OpenAPIHono<ApiEnv>,
  ports: ApiNeeds,
  streamMs: number,
): void {
  app.openapi(eventsRoute, async (c) => {
    const session = await find(ports, c.get('owner'), c.req.valid('param').id);
    if (!session.ok) return failureResponse(session.failure);
    const { format, after } = c.req.valid('query');
    // A reader who comes back says where it was, under the address it first came to.
    const place = placeGiven(c.req.header('last-event-id') || after || '');
    if (!place.ok) return failureResponse(place.failure);
    const page = await readEvents(ports, session.value, place.value);
    if (!page.ok) return failureResponse(page.failure);
    if (format !== 'json') return streamEvents(ports, session.value, place.value, streamMs);
    const { events, cursor } = page.value;
    return c.json({ events: events.map(showEvent), cursor }, 200);
  });

  app.openapi(auditRoute, async (c) => {
    const session = await find(ports, c.get('owner'), c.req.valid('param').id);
    if (!session.ok) return failureResponse(session.failure);
    const headers = { 'content-type': 'application/jsonl' };
    return streamText<'json'>(ports.log, headers, () => auditLines(ports, session.value));
  });
}

async function find(ports: ApiNeeds, owner: Owner, id: string): Promise<Result<Session>> {
  const key = sessionKey(owner, id);
  return key.ok ? findSession(ports, key.value) : key;
}

function placeGiven(text: string): Result<EventPlace> {
  const place = text === '' ? firstPlace : readPlace(text);
  return place ? ok(place) : wrongPlace;
}

const showEvent = ({ id, event, data }: PlacedEvent) => ({ id, event, data: { ...data } });

async function* auditLines(ports: ApiNeeds, key: SessionKey): AsyncGenerator<string, void> {
  for await (const rows of readAudit(ports, key)) {
    yield rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  }
}

const streamHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  // A proxy that collects an answer before it passes it on would hold back every event.
  'x-accel-buffering': 'no',
};

const streamEvents = (
  ports: ApiNeeds,
  key: SessionKey,
  from: EventPlace,
  streamMs: number,
): StreamResponse<'text'> =>
  streamText(ports.log, streamHeaders, (gone) => {
    const untilMs = ports.clock.nowMs() + streamMs;
    return frames(followEvents(ports, key, { from, gone, untilMs }));
  });

async function* frames(followed: AsyncIterable<Followed>): AsyncGenerator<string, void> {
  yield `retry: ${streamRetryMs}\n\n`;
  for await (const one of followed) yield frameOf(one);
}

function frameOf(one: Followed): string {
  switch (one.kind) {
    case 'event': {
      const { id, event, data } = one.event;
      return `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
    }
    case 'text': {
      const data = { turn: one.turn, text: one.text };
      return `event: text_delta\ndata: ${JSON.stringify(data)}\n\n`;
    }
    case 'quiet':
      return ': still here\n\n';
  }
}
