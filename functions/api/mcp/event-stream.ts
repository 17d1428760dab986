import { faultOf } from '../../core/fault.ts';
import { streamCommentMs } from '../../core/limits.ts';
import type { Clock, Ports } from '../../ports.ts';

/** What a stream of JSON-RPC messages is written with. */
export interface EventWriter {
  /** An event without a message: names the place to come back to, and how soon. */
  prime(id: string, retryMs: number): void;
  message(message: object, id?: string): void;
}

const headers = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-cache, no-transform',
  'x-accel-buffering': 'no',
};

/** Answer with server-sent events until the writing is done or nobody reads any more. */
export function eventStream(
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  request: AbortSignal,
  write: (out: EventWriter, over: AbortSignal) => Promise<void>,
): Response {
  const closing = new AbortController();
  const over = AbortSignal.any([request, closing.signal]);
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      const put = (text: string) => {
        if (!over.aborted) controller.enqueue(new TextEncoder().encode(text));
      };
      void keepAlive(clock, over, () => put(': still here\n\n'));
      void write(writerOf(put), over)
        // The reader comes back by its last event id, or asks again; the task goes on either way.
        .catch((thrown: unknown) => log('error', 'mcp stream failed', { ...faultOf(thrown) }))
        .finally(() => {
          closing.abort();
          controller.close();
        })
        .catch(() => {
          // The reader has gone and the stream with it.
        });
    },
    cancel: () => closing.abort(),
  });
  return new Response(body, { headers });
}

const writerOf = (put: (text: string) => void): EventWriter => ({
  prime: (id, retryMs) => put(`id: ${id}\nretry: ${retryMs}\ndata: \n\n`),
  message(message, id) {
    const named = id === undefined ? '' : `id: ${id}\n`;
    put(`event: message\n${named}data: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`);
  },
});

async function keepAlive(clock: Clock, over: AbortSignal, comment: () => void): Promise<void> {
  while (!over.aborted) {
    await clock.sleep(streamCommentMs, over);
    comment();
  }
}
