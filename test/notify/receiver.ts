import { createServer, type Server, type Socket } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { webhookHeaders } from '../../functions/adapters/webhook-sender.ts';
import type { WebhookAnswer } from '../../functions/core/webhook-health.ts';
import type { Outbound, SignedPost } from '../../functions/ports.ts';

/** One webhook as it arrived. */
export interface Arrival extends SignedPost {
  readonly answer: WebhookAnswer;
}

export interface Receiver extends Outbound {
  readonly arrivals: readonly Arrival[];
  /** How many it had in its hands at once, at most. */
  readonly busiest: number;
}

type Answering = (post: SignedPost, nth: number) => WebhookAnswer | Promise<WebhookAnswer>;

/** Receives by a rule instead of the network. What it is given is signed and checked like the real thing. */
export function receiver(answering: Answering): Receiver {
  const arrivals: Arrival[] = [];
  const counts = new Map<string, number>();
  let busy = 0;
  let busiest = 0;
  return {
    arrivals,
    get busiest() {
      return busiest;
    },
    check: async () => undefined,
    async post(post) {
      const nth = (counts.get(post.webhookId) ?? 0) + 1;
      counts.set(post.webhookId, nth);
      busy += 1;
      busiest = Math.max(busiest, busy);
      const answer = await answering(post, nth);
      busy -= 1;
      arrivals.push({ ...post, answer });
      return answer;
    },
  };
}

export const answered = (status: number, retryAfterMs?: number): WebhookAnswer => ({
  kind: 'answered',
  status,
  ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
});

/** Whether a secret verifies what arrived, as the receiver's own library sees it at that time. */
export function verifies(secret: string, arrival: SignedPost): boolean {
  const headers = webhookHeaders(arrival);
  try {
    // The library compares with the clock of this machine, and the house has its own.
    const now = new Date();
    const fresh = { ...arrival, atMs: now.getTime() };
    new Webhook(secret).verify(arrival.body, webhookHeaders(fresh));
    return headers['webhook-id'] === arrival.webhookId;
  } catch {
    return false;
  }
}

export interface Canary {
  readonly port: number;
  readonly connections: number;
  stop(): Promise<void>;
}

/** Hears every connection, whatever is said on it. */
export async function canary(host: string, port = 0): Promise<Canary> {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    get connections() {
      return connections;
    },
    stop: () => new Promise((resolve) => void server.close(() => resolve())),
  };
}
