import { EventSource } from 'eventsource';
import type { SessionEvent } from '../../functions/core/session-event.ts';
import type { SessionClient } from './session-client.ts';

/** What a stream tells beside what is durable: words as they are spoken. */
export type ToldEvent =
  | SessionEvent
  | {
      readonly event: 'text_delta';
      readonly data: { readonly turn: number; readonly text: string };
    };

const names = ['input', 'turn', 'call', 'progress', 'task', 'status', 'text_delta'] as const;

interface Listener {
  told(event: ToldEvent): void;
  /** The connection was lost, or is there again; the stream goes on where it was. */
  connected(isConnected: boolean): void;
  /** The server will not stream any more. */
  refused(status: number | undefined): void;
}

/** Follow a session from its first event on, through every loss of the connection. */
export function followEvents(
  { eventsUrl, headers }: Pick<SessionClient, 'eventsUrl' | 'headers'>,
  listener: Listener,
): { stop(): void } {
  const source = new EventSource(eventsUrl, {
    fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, ...headers } }),
  });
  for (const event of names) {
    source.addEventListener(event, (message) => {
      listener.told({ event, data: JSON.parse(String(message.data)) });
    });
  }
  source.addEventListener('open', () => listener.connected(true));
  source.addEventListener('error', ({ code }) => {
    if (source.readyState === EventSource.CLOSED) listener.refused(code);
    else listener.connected(false);
  });
  return { stop: () => source.close() };
}
