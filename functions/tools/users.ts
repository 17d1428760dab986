import { createHash } from 'node:crypto';
import * as z from 'zod';
import { FatalError } from '../core/author-errors.ts';
import { pageLimitDefault, pageLimitMax } from '../core/limits.ts';
import type { Tool } from '../core/tool.ts';
import type { Ports, User } from '../ports.ts';
import { defineTool } from './define-tool.ts';

/** Quick tools on the demo's users, each owner's own. */

export const newUser = z.object({
  name: z.string().trim().min(1).max(200).describe('Full name'),
  email: z.email().max(320).describe('E-mail address'),
});
export const user = newUser.extend({ id: z.string() });
const userId = z.object({
  id: z.string().min(1).max(100).describe('The id a user was created with'),
});

/** The same call gives the same id, so a repeated one finds the user that is there. */
export const userIdFrom = (idempotencyKey: string, index = 0) =>
  `user_${createHash('sha256').update(`${idempotencyKey}.${index}`).digest('hex').slice(0, 20)}`;

const isSameUser = (a: User, b: User) => a.name === b.name && a.email === b.email;
const noSuchUser = (id: string) => new FatalError(`There is no user with the id "${id}".`);

export const userTools = ({ users }: Pick<Ports, 'users'>): readonly Tool[] => [
  defineTool({
    name: 'create_user',
    description: 'Create one user.',
    input: newUser,
    output: user,
    async run(input, task) {
      const wanted = { id: userIdFrom(task.idempotencyKey), ...input };
      const created = await users.create(task.owner, wanted);
      if (!isSameUser(created, wanted)) {
        throw new FatalError('This idempotency key was used before, for a user with other data.');
      }
      return created;
    },
  }),
  defineTool({
    name: 'read_user',
    description: 'Read one user by id.',
    input: userId,
    output: user,
    async run({ id }, task) {
      const found = await users.get(task.owner, id);
      if (!found) throw noSuchUser(id);
      return found;
    },
  }),
  defineTool({
    name: 'update_user',
    description: 'Change the name or the e-mail address of a user; what is left out stays.',
    input: userId.extend(newUser.partial().shape),
    output: user,
    async run({ id, ...fields }, task) {
      const changed = await users.change(task.owner, id, fields);
      if (!changed) throw noSuchUser(id);
      return changed;
    },
  }),
  defineTool({
    name: 'delete_user',
    description: 'Delete one user by id.',
    input: userId,
    output: z.object({ id: z.string(), deleted: z.literal(true) }),
    async run({ id }, task) {
      if (!(await users.remove(task.owner, id))) throw noSuchUser(id);
      return { id, deleted: true as const };
    },
  }),
  defineTool({
    name: 'list_users',
    description: 'List the users, a page at a time; a cursor in the answer leads to the next page.',
    input: z.object({
      limit: z.int().min(1).max(pageLimitMax).default(pageLimitDefault),
      cursor: z.string().min(1).max(100).optional(),
    }),
    output: z.object({ users: z.array(user), cursor: z.string().optional() }),
    async run(page, task) {
      const { items, cursor } = await users.list(task.owner, page);
      return { users: [...items], ...(cursor === undefined ? {} : { cursor }) };
    },
  }),
];
