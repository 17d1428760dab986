import { grantsOf } from './grants.ts';
import { statementsByRoom, synthesize } from './template.ts';

/**
 * The engines on one's own machine ask for no rights. What each room does to the stores while everything
 * breaks around it is seen in the simulation, and must be allowed to it on AWS.
 */

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
  'tasks.keepLate': on('tasks', ...change),
  'tasks.keepCheckpoint': on('tasks', ...put),
  'tasks.moveDue': on('tasks', 'UpdateItem'),
  'tasks.due': ['StorageTasks/index/due dynamodb:Query'],
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
  'audit.add': on('webhooks', 'PutItem'),
  'ci.bind': on('tasks', ...put),
  'ci.take': on('tasks', ...put),
  'ci.advance': on('tasks', 'UpdateItem'),
  'ci.find': on('tasks', ...read),
  'sweepMark.read': on('tasks', ...read),
  'sweepMark.write': on('tasks', 'PutItem'),
  'objects.put': ['StorageObjects/* s3:PutObject'],
  'objects.get': ['StorageObjects/* s3:GetObject'],
};

const neededFor = (use: string): readonly string[] => {
  const store = use.split('.')[0] ?? '';
  return needs[use] ?? (store in table ? on(store as keyof typeof table, ...read) : [use]);
};

/** Each room and what it needs a right for that it does not have. */
export function rightsMissing(seen: Iterable<string>): readonly string[] {
  const rooms = statementsByRoom(synthesize());
  return [...seen].flatMap((fact) => {
    const [, room = '', use] = /^(\w+) uses (\S+)$/.exec(fact) ?? [];
    if (use === undefined) return [];
    const granted = new Set(grantsOf(rooms.get(room) ?? []));
    const lacking = neededFor(use).filter((right) => !granted.has(right));
    return lacking.map((right) => `${room} lacks ${right} for ${use}`);
  });
}
