/** What the adapters ask of AWS. The contract suites hold them to it, on every engine. */

const table = { tasks: 'StorageTasks', sessions: 'StorageSessions', webhooks: 'StorageWebhooks' };
const on = (name: keyof typeof table, ...actions: readonly string[]) =>
  actions.map((action) => `${table[name]} dynamodb:${action}`);
const [read, change, put] = [['GetItem'], ['UpdateItem', 'GetItem'], ['PutItem', 'GetItem']];

/** What the adapters ask of AWS for each use of a store; where it is not said, one item is read. */
const needs: Readonly<Record<string, readonly string[]>> = {
  'tasks.create': on('tasks', 'PutItem'),
  'tasks.claim': on('tasks', ...change),
  'tasks.renew': on('tasks', 'UpdateItem'),
  'tasks.release': on('tasks', 'UpdateItem'),
  'tasks.record': on('tasks', ...change, 'PutItem'),
  'tasks.keepAnswer': on('tasks', 'PutItem'),
  'tasks.keepLate': on('tasks', ...change, 'PutItem'),
  'tasks.keepCheckpoint': on('tasks', ...put),
  'tasks.moveDue': on('tasks', 'UpdateItem'),
  'tasks.list': ['StorageTasks/index/newest dynamodb:Query', ...on('tasks', 'BatchGetItem')],
  'tasks.due': ['StorageTasks/index/due dynamodb:Query'],
  'sessions.create': on('sessions', 'PutItem'),
  'sessions.list': [
    'StorageSessions/index/newest dynamodb:Query',
    ...on('sessions', 'BatchGetItem', 'Query'),
  ],
  'sessions.putInput': on('sessions', 'PutItem'),
  'sessions.nameInput': on('sessions', 'PutItem'),
  'sessions.lastTurns': on('sessions', 'Query'),
  'sessions.turnsAfter': on('sessions', 'Query'),
  'sessions.lastInputs': on('sessions', 'Query'),
  'sessions.inputsAfter': on('sessions', 'Query'),
  'sessions.keepSnapshot': on('sessions', 'UpdateItem'),
  'sessions.putTurn': on('sessions', 'PutItem'),
  'sessions.takeTurn': on('sessions', 'UpdateItem'),
  'sessions.renewTurn': on('sessions', 'UpdateItem'),
  'sessions.addReply': on('sessions', 'UpdateItem'),
  'sessions.addQuick': on('sessions', 'UpdateItem'),
  'webhooks.putEndpoint': on('webhooks', 'PutItem'),
  'webhooks.keepUrl': on('webhooks', ...put),
  'webhooks.removeEndpoint': on('webhooks', 'DeleteItem', 'PutItem'),
  'webhooks.formerEndpoints': on('webhooks', 'Query'),
  'webhooks.rotate': on('webhooks', 'UpdateItem'),
  'webhooks.ownerSecret': on('webhooks', ...put),
  'webhooks.reopen': on('webhooks', ...change),
  'webhooks.deliveries': [
    'StorageWebhooks/index/newest dynamodb:Query',
    ...on('webhooks', 'BatchGetItem'),
  ],
  'webhooks.endpoints': on('webhooks', 'Query'),
  'webhooks.claim': on('webhooks', ...put, 'UpdateItem'),
  'webhooks.record': on('webhooks', ...change),
  'webhooks.addAttempt': on('webhooks', ...change),
  'webhooks.takeSlot': on('webhooks', ...change),
  'webhooks.freeSlot': on('webhooks', 'UpdateItem'),
  'webhooks.setHealth': on('webhooks', 'UpdateItem'),
  'webhooks.takeOverdue': [
    'StorageWebhooks/index/due dynamodb:Query',
    ...on('webhooks', 'BatchGetItem', 'UpdateItem'),
  ],
  'audit.list': on('webhooks', 'Query'),
  'audit.add': on('webhooks', 'PutItem'),
  'ci.bind': on('tasks', ...put),
  'ci.take': on('tasks', ...put),
  'ci.advance': on('tasks', ...put),
  'ci.find': on('tasks', ...read),
  'sweepMark.read': on('tasks', ...read),
  'sweepMark.write': on('tasks', 'PutItem'),
  'objects.put': ['StorageObjects/* s3:PutObject'],
  'objects.get': ['StorageObjects/* s3:GetObject'],
};

export const neededFor = (use: string): readonly string[] => {
  const store = use.split('.')[0] ?? '';
  return needs[use] ?? (store in table ? on(store as keyof typeof table, ...read) : [use]);
};
