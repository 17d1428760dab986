/** The tables and queues, as plain facts: infra/ deploys them and local/ makes the same ones. */

export interface TableDefinition {
  readonly partitionKey: KeyDefinition;
  readonly sortKey: KeyDefinition;
  readonly ttlAttribute?: string;
  /** Keys only: an index entry costs one write unit and never changes when the hot item does. */
  readonly indexes: readonly IndexDefinition[];
}

export interface KeyDefinition {
  readonly name: string;
  readonly type: 'S' | 'N';
}

interface IndexDefinition {
  readonly name: string;
  readonly partitionKey: KeyDefinition;
  readonly sortKey: KeyDefinition;
}

export interface QueueDefinition {
  /** How long a received message is hidden unless its receiver says otherwise. */
  readonly visibilityS: number;
  readonly receivesMax: number;
  /** Dead letters are looked at by every sweep; poison only once in this time. */
  readonly deadVisibilityS: number;
  readonly retentionS: number;
}

const text = (name: string): KeyDefinition => ({ name, type: 'S' });
const number = (name: string): KeyDefinition => ({ name, type: 'N' });

export const tables = {
  tasks: {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    ttlAttribute: 'ttl',
    indexes: [
      { name: 'due', partitionKey: text('shard'), sortKey: number('due') },
      { name: 'newest', partitionKey: text('owner'), sortKey: number('made') },
    ],
  },
  /** Nothing in it expires: a session is there until somebody deletes it. */
  sessions: {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    indexes: [{ name: 'newest', partitionKey: text('owner'), sortKey: number('made') }],
  },
  webhooks: {
    partitionKey: text('pk'),
    sortKey: text('sk'),
    ttlAttribute: 'ttl',
    indexes: [
      { name: 'due', partitionKey: text('shard'), sortKey: number('due') },
      { name: 'newest', partitionKey: text('line'), sortKey: number('made') },
    ],
  },
  users: { partitionKey: text('owner'), sortKey: text('id'), indexes: [] },
} as const satisfies Record<string, TableDefinition>;

/** The longest a Lambda may live. */
export const workerTimeoutS = 15 * 60;
/** Time for a few turns, each of which may wait four minutes for its model. */
export const resumeTimeoutS = 10 * 60;
/** One attempt waits fifteen seconds at most; the rest is for writing down what came of it. */
export const notifyTimeoutS = 60;

export const queues = {
  work: {
    visibilityS: 6 * workerTimeoutS,
    receivesMax: 5,
    deadVisibilityS: 60 * 60,
    retentionS: 14 * 24 * 60 * 60,
  },
  resumes: {
    visibilityS: 6 * resumeTimeoutS,
    receivesMax: 5,
    deadVisibilityS: 60 * 60,
    retentionS: 14 * 24 * 60 * 60,
  },
  webhooks: {
    visibilityS: 6 * notifyTimeoutS,
    receivesMax: 5,
    deadVisibilityS: 60 * 60,
    retentionS: 14 * 24 * 60 * 60,
  },
} as const satisfies Record<string, QueueDefinition>;
