import type { TypedResponse } from 'hono';
import { faultOf } from '../core/fault.ts';
import type { Log } from '../ports.ts';

/** Text that is sent as it comes. Typed, so that a route may only stream if it declares a text. */
export type StreamResponse<Format extends string> = Response & TypedResponse<string, 200, Format>;

/**
 * Nothing is asked of the source before its reader has taken what came before. A source that fails cuts
 * the connection: what has come so far must not look like all.
 */
export function streamText<Format extends string>(
  log: Log,
  headers: Readonly<Record<string, string>>,
  makeSource: (gone: AbortSignal) => AsyncIterator<string, void>,
): StreamResponse<Format> {
  const reader = new AbortController();
  const source = makeSource(reader.signal);
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await source.next();
        if (!done) controller.enqueue(encoder.encode(value));
        else if (!reader.signal.aborted) controller.close();
      } catch (thrown) {
        log('error', 'stream failed', { ...faultOf(thrown) });
        controller.error(thrown);
      }
    },
    cancel: () => reader.abort(),
  });
  return new Response(body, { status: 200, headers }) as StreamResponse<Format>;
}
