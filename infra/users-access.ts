import type { RoomFunction } from './room-function.ts';
import type { Storage } from './storage.ts';

/**
 * Tools run in three rooms (quick ones inline in the api and in resume, any of them as a task in the
 * worker), so each of these may do to the demo's users whatever a tool may do.
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
