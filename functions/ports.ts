import type { BoundTask } from './core/ci/report.ts';
import type { ClaimRequest, Release } from './core/claim.ts';
import type { Owner, SessionId, TaskId } from './core/ids.ts';
import type { StoredValue } from './core/stored-value.ts';
import type { TaskPosition } from './core/cursor.ts';
import type { CallIdentity } from './core/task-id.ts';
import type { TaskEvent, Writer } from './core/task-event.ts';
import type { Task, TaskKey, TaskStart } from './core/task.ts';
import type { Tools } from './core/tool.ts';
import type { WorkMessage } from './core/work-message.ts';
import type { SessionPorts } from './session-ports.ts';
import type { WebhookPorts } from './webhook-ports.ts';

export type { LiveText, ReplyAdding, SessionStore, TurnTaking } from './session-ports.ts';
export type {
  AuditStore,
  EndpointStore,
  Outbound,
  SignedPost,
  WebhookStore,
} from './webhook-ports.ts';

/**
 * Everything the rules may ask of the world. A room names what it needs with `Pick<Ports, …>`, so its
 * first line says what it can touch, and infra/ grants exactly that.
 */
export interface Ports extends SessionPorts, WebhookPorts {
  readonly tasks: TaskStore;
  readonly objects: ObjectStore;
  readonly work: Queue<WorkMessage>;
  readonly deadWork: QueueReader;
  readonly sealer: Sealer;
  readonly sweepMark: SweepMark;
  readonly users: UserStore;
  readonly ci: CiStore;
  /** Where deployments run; undefined when nobody said. */
  readonly github: GitHub | undefined;
  readonly tools: Tools;
  readonly clock: Clock;
  readonly signals: Signals;
  /** The same identity gives the same id; without one the id is new. */
  readonly newTaskId: (identity?: CallIdentity) => TaskId;
  readonly newToken: () => string;
  readonly settings: Settings;
  readonly log: Log;
}

/** The few numbers a deployment may choose. */
export interface Settings {
  /** How long a worker holds a task without a sign of life. */
  readonly claimMs: number;
  /** A task that ends within this time answers inline instead of by handle. */
  readonly graceMs: number;
  /** How long a call over MCP is held after the grace time; zero gives its handle at once. */
  readonly holdMs: number;
  /** Where others reach this house, without a slash at the end; empty when nobody said. */
  readonly publicUrl: string;
  /** Whether a task shows its callback to whoever reads it: on one's own machine only. */
  readonly showCallback?: boolean;
  /** Who runs the house, where one owner does: what belongs to nobody stands in their audit. */
  readonly operator?: Owner | undefined;
  /** The waits before each attempt of a webhook. */
  readonly webhookScheduleMs: readonly number[];
}

/**
 * Tasks, owner-scoped. Each write is one conditional write of one item: it either applies and answers
 * with the task as it now is, or is refused and answers undefined. Reads are strongly consistent.
 */
export interface TaskStore {
  /** Put the task if its id is free. */
  create(start: TaskStart): Promise<boolean>;
  claim(request: ClaimRequest): Promise<Task | undefined>;
  renew(key: TaskKey, fence: number, untilMs: number): Promise<Task | undefined>;
  release(key: TaskKey, fence: number, release: Release): Promise<Task | undefined>;
  record(key: TaskKey, writer: Writer, event: TaskEvent): Promise<Task | undefined>;
  get(key: TaskKey): Promise<Task | undefined>;
  /** The result of a completed task. */
  result(task: Task): Promise<StoredValue>;
  /** What it was called with. */
  arguments(task: Task): Promise<StoredValue>;
  /** One of the results before the last, counted from one. */
  part(task: Task, number: number): Promise<StoredValue>;
  /** Whether one of them has this digest. */
  hasPart(task: Task, digest: string): Promise<boolean>;
  /** What the start of a task that was handed off gave back. */
  initial(task: Task): Promise<StoredValue | undefined>;
  /** A question that it has asked. */
  question(task: Task, name: string): Promise<StoredValue>;
  /** Keep the answer to a question, if it is the first. */
  keepAnswer(key: TaskKey, name: string, answer: StoredValue): Promise<boolean>;
  answer(key: TaskKey, name: string): Promise<StoredValue | undefined>;
  /** Keep the result of a task that was cut short, if it is the first; its end stays what it was. */
  keepLate(key: TaskKey, value: StoredValue): Promise<Task | undefined>;
  late(task: Task): Promise<StoredValue | undefined>;
  /** Refused when a later claim has kept one already. */
  keepCheckpoint(key: TaskKey, fence: number, json: string): Promise<boolean>;
  checkpoint(key: TaskKey): Promise<string | undefined>;
  /** Newest first. */
  list(owner: Owner, request: ListRequest): Promise<TaskList>;
  /** Tasks whose time to look lies in the window, in no order: their ends included. */
  due(window: DueWindow): Promise<Page<TaskKey>>;
  /** Let the sweep look at an open task later than it would. */
  moveDue(key: TaskKey, dueMs: number): Promise<Task | undefined>;
}

/** Makes values opaque to whoever carries them: nobody can read, forge or outlive one. */
export interface Sealer {
  seal(purpose: string, value: unknown, expiresAtMs: number): string;
  open(purpose: string, sealed: string, nowMs: number): Opened;
}

export type Opened =
  | { readonly kind: 'opened'; readonly value: unknown }
  | { readonly kind: 'expired'; readonly value: unknown }
  | { readonly kind: 'forged' };

/** Where a list of tasks goes on: after this one, in order of birth. */
export interface ListRequest {
  readonly limit: number;
  readonly after?: TaskPosition | undefined;
}

/** Only a missing `last` says that this was the last page. */
export interface TaskList {
  readonly items: readonly Task[];
  readonly last?: TaskPosition;
}

export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Only a missing cursor says that this was the last page. */
export interface Page<T> {
  readonly items: readonly T[];
  readonly cursor?: string;
}

export interface DueWindow extends PageRequest {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Up to where the sweep has looked, so that an entry is looked at once and never missed. */
export interface SweepMark {
  read(): Promise<number>;
  write(sweptUntilMs: number): Promise<void>;
}

/** Far values: S3 on AWS, files locally. Written once under a key that names their digest. */
export interface ObjectStore {
  put(key: string, text: string): Promise<void>;
  get(key: string): Promise<string>;
}

export interface Queue<Message> {
  send(messages: readonly Message[], delayMs?: number): Promise<void>;
}

/** The receiving side of a queue, for whoever polls it: the sweep its dead letters, `npm start` all. */
export interface QueueReader {
  receive(limit: number, waitMs: number): Promise<readonly Received[]>;
}

export interface Received extends Delivery {
  readonly messageId: string;
  /** Names this receive; whoever holds it may hide or delete the message. */
  readonly receiptHandle: string;
  remove(): Promise<void>;
}

/** One message as its room sees it: what it says, and the hold on it. */
export interface Delivery {
  readonly body: string;
  /** How often it was received, this time included. */
  readonly receives: number;
  /** Hide the message from other receivers for so long from now. */
  hide(forMs: number): Promise<void>;
}

/** What becomes of a message: deleted, or left in the queue to come again. */
export type Verdict = 'done' | 'keep';

export interface Clock {
  nowMs(): number;
  /** Ends early, without a throw, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Word that a task or session changed, within this process only: saves a re-read, decides nothing. */
export interface Signals {
  raise(id: TaskId | SessionId): void;
  /** Resolves when the id is raised or the signal aborts. */
  next(id: TaskId | SessionId, signal: AbortSignal): Promise<void>;
}

/** What connects CI runs with tasks. A name is a planted id, a run, or a delivery. */
export interface CiStore {
  /** Bind a name to a task if nobody has it; answers with the task that has it now. */
  bind(name: string, key: BoundTask): Promise<BoundTask>;
  find(name: string): Promise<BoundTask | undefined>;
  /** Take a delivery before anyone else does; the same taker may take it again. */
  take(name: string, taker: string): Promise<boolean>;
  /** Move a mark forward; refused when it is further already. */
  advance(name: string, to: number): Promise<boolean>;
}

/** One workflow of one repository. */
export interface GitHub {
  readonly repository: string;
  readonly workflow: string;
  dispatch(inputs: Readonly<Record<string, string>>, signal: AbortSignal): Promise<void>;
  /** The newest dispatched runs of the workflow, as the API and its webhooks show them. */
  runs(signal: AbortSignal): Promise<readonly unknown[]>;
  /** Give it time. */
  pause(ms: number, signal: AbortSignal): Promise<void>;
}

/** The demo's own table. */
export interface UserStore {
  /** Put the user if its id is free; answers with whoever has the id now. */
  create(owner: Owner, user: User): Promise<User>;
  get(owner: Owner, id: string): Promise<User | undefined>;
  /** Change only the given fields, in one write; undefined when there is no such user. */
  change(owner: Owner, id: string, fields: UserFields): Promise<User | undefined>;
  remove(owner: Owner, id: string): Promise<boolean>;
  list(owner: Owner, page: PageRequest): Promise<Page<User>>;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
}

export interface UserFields {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** One JSON line per fact. Never a value of a caller: names, ids and counts only. */
export type Log = (level: 'info' | 'warn' | 'error', fact: string, data?: LogData) => void;
export type LogData = { readonly [key: string]: string | number | boolean | undefined };
