import type { AuditEntry } from './core/audit.ts';
import type { DeliveryMessage } from './core/delivery-message.ts';
import type { Owner, SessionId, TaskId } from './core/ids.ts';
import type {
  DeliveryAttempt,
  DeliveryClaim,
  DeliveryKey,
  DeliveryRecord,
  WebhookDelivery,
} from './core/webhook-delivery.ts';
import type { WebhookAnswer } from './core/webhook-health.ts';
import type { Endpoint, EndpointHealth, EndpointKey, EndpointSecrets } from './core/webhook.ts';
import type { Page, PageRequest, Queue, QueueReader } from './ports.ts';

/** What the rules may ask of the world to tell others. */
export interface WebhookPorts {
  readonly webhooks: WebhookStore;
  readonly deliveries: Queue<DeliveryMessage>;
  readonly deadDeliveries: QueueReader;
  readonly outbound: Outbound;
  readonly audit: AuditStore;
  /** What webhooks are signed with: `whsec_` and enough chance that nobody guesses it. */
  readonly newWebhookSecret: () => string;
}

/**
 * Receivers of webhooks and the deliveries to them, owner-scoped, under the same rules as tasks: one
 * item, one condition per write, consistent reads.
 */
export interface WebhookStore extends EndpointStore {
  /** The owner's own secret; the given one becomes it when there is none. */
  ownerSecret(owner: Owner, fresh: string): Promise<string>;

  /** One of the few deliveries a receiver gets at once, until it is freed or its time is up. */
  takeSlot(key: EndpointKey, nowMs: number, untilMs: number): Promise<number | undefined>;
  freeSlot(key: EndpointKey, slot: number, untilMs: number): Promise<void>;

  claim(request: DeliveryClaim): Promise<WebhookDelivery | undefined>;
  record(
    key: DeliveryKey,
    fence: number,
    record: DeliveryRecord,
  ): Promise<WebhookDelivery | undefined>;
  /** Add an attempt to the log of one whose claim was lost: it was made all the same. */
  addAttempt(key: DeliveryKey, attempt: DeliveryAttempt): Promise<void>;
  /** Begin the schedule anew. */
  reopen(key: DeliveryKey, atMs: number): Promise<WebhookDelivery | undefined>;
  delivery(key: DeliveryKey): Promise<WebhookDelivery | undefined>;
  /** Newest first. */
  deliveries(key: EndpointKey, page: PageRequest): Promise<Page<WebhookDelivery>>;
  /** Pending deliveries whose message seems lost. Each is shown once, and later again. */
  takeOverdue(nowMs: number, limit: number): Promise<readonly WebhookDelivery[]>;
}

/** The receivers alone. */
export interface EndpointStore {
  /** Put a registered endpoint if its id is free. */
  putEndpoint(endpoint: Endpoint): Promise<boolean>;
  /** Put a URL that a task or a session names, or keep it for longer. */
  keepUrl(endpoint: Endpoint): Promise<void>;
  endpoint(key: EndpointKey): Promise<Endpoint | undefined>;
  /**
   * The registered ones, oldest first. They may be known from a while ago, but never from before the
   * given time: what was registered by then is among them.
   */
  endpoints(owner: Owner, knownSinceMs?: number): Promise<readonly Endpoint[]>;
  removeEndpoint(key: EndpointKey, atMs: number): Promise<boolean>;
  /** Ids of those that were removed while their deliveries are still kept. */
  formerEndpoints(owner: Owner): Promise<readonly string[]>;
  /** Refused when the current secret is another one by now. */
  rotate(key: EndpointKey, from: string, secrets: EndpointSecrets): Promise<boolean>;
  /** Refused when another has counted meanwhile, unless it must be so. */
  setHealth(key: EndpointKey, from: EndpointHealth, to: EndpointHealth): Promise<boolean>;
}

/** The way out of the house. It leads to public addresses only, and to this machine where it is one's own. */
export interface Outbound {
  /** Why nothing may be sent to a URL, in a sentence; nothing when it may. */
  check(url: string): Promise<string | undefined>;
  post(webhook: SignedPost): Promise<WebhookAnswer>;
}

export interface SignedPost {
  readonly url: string;
  readonly webhookId: string;
  readonly atMs: number;
  readonly body: string;
  /** Each signs. */
  readonly secrets: readonly string[];
}

/**
 * What an owner may want to know later, all together or about one session or task of theirs. Adding the
 * same again adds nothing.
 */
export interface AuditStore {
  add(owner: Owner, entry: AuditEntry, about?: SessionId | TaskId): Promise<void>;
  /** Newest first. */
  list(owner: Owner, page: PageRequest, about?: SessionId | TaskId): Promise<Page<AuditEntry>>;
}
