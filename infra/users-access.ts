import type { RoomFunction } from './room-function.ts';
import type { Storage } from './storage.ts';

/**
 * Every tool may run in either room (quick ones inline in the api, any of them as a task in the worker), so
 * both may do to the demo's users whatever a tool may do.
 */
export function allowUsers(room: RoomFunction, { users }: Pick<Storage, 'users'>): void {
  room.allow(
    users.tableArn,
    'dynamodb:GetItem',
    'dynamodb:Query',
    'dynamodb:PutItem',
    'dynamodb:UpdateItem',
    'dynamodb:DeleteItem',
  );
}
