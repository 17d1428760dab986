import { createApp, type AppOptions } from '../../functions/api/app.ts';
import type { MemoryHouse } from '../house.ts';
import { twoOwners } from './door.ts';
import type { SessionEvent } from './session-door.ts';

const over = { done: true, value: undefined } as const;

export interface Frame extends Partial<SessionEvent> {
  readonly comment?: string;
  readonly retry?: number;
}

export interface EventStream {
  readonly status: number;
  readonly headers: Headers;
  /** Everything that has come so far. */
  readonly frames: readonly Frame[];
  /** What has come and has a place. */
  readonly events: readonly SessionEvent[];
  readonly isOver: boolean;
  leave(): Promise<void>;
}

/** A reader of a session's events, as a browser would be one. */
export async function openStream(
  house: MemoryHouse,
  path: string,
  asking: { readonly lastEventId?: string; readonly options?: AppOptions } = {},
): Promise<EventStream> {
  const { lastEventId, options } = asking;
  const app = createApp(house.ports, twoOwners, options);
  const response = await app.request(path, {
    headers: {
      authorization: 'Bearer key-of-alice',
      ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
    },
  });
  const frames: Frame[] = [];
  const reader = (response.body ?? new ReadableStream()).getReader();
  let isOver = false;
  void (async () => {
    const decoder = new TextDecoder();
    for (let text = ''; ;) {
      const { done, value } = await reader.read().catch(() => over);
      if (done) break;
      text += decoder.decode(value, { stream: true });
      const whole = text.split('\n\n');
      text = whole.pop() ?? '';
      frames.push(...whole.map(readFrame));
    }
    isOver = true;
  })();
  return {
    status: response.status,
    headers: response.headers,
    frames,
    get events() {
      return frames.filter((frame): frame is SessionEvent => frame.id !== undefined);
    },
    get isOver() {
      return isOver;
    },
    leave: () => reader.cancel(),
  };
}

function readFrame(text: string): Frame {
  const frame: Record<string, unknown> = {};
  for (const line of text.split('\n')) {
    const [, field = '', value = ''] = /^([a-z]*): ?(.*)$/.exec(line) ?? [];
    if (field === '') frame.comment = value;
    else if (field === 'data') frame.data = JSON.parse(value);
    else frame[field] = field === 'retry' ? Number(value) : value;
  }
  return frame;
}
