import * as z from 'zod';
import { pageLimitMax } from '../core/limits.ts';
import type { Answer, TaskContext, Tool } from '../core/tool.ts';
import type { Page, Ports, User } from '../ports.ts';
import { defineTool } from './define-tool.ts';

type Needs = Pick<Ports, 'users'>;

const approval = z.object({ approve: z.boolean() });

/**
 * Approval of a dangerous tool: it asks first, and waits for the answer without a worker. Whatever is no
 * clear yes is a no.
 */
export const deleteAllUsers = (ports: Needs): Tool =>
  defineTool({
    name: 'delete_all_users',
    description: 'Delete every user. A person must approve it first.',
    longRunning: true,
    idempotent: true,
    input: z.object({}),
    output: z.object({ status: z.enum(['deleted', 'denied']), deleted: z.int() }),
    async run(_input, task) {
      const answer = await task.ask({
        key: 'approve',
        message: 'Delete every user? This cannot be undone.',
        for: 'user',
        schema: {
          type: 'object',
          properties: { approve: { type: 'boolean', title: 'Delete every user' } },
          required: ['approve'],
        },
      });
      if (!isApproved(answer)) return { status: 'denied' as const, deleted: 0 };
      return { status: 'deleted' as const, deleted: await deleteEach(ports, task) };
    },
  });

function isApproved(answer: Answer): boolean {
  if (answer.action !== 'accept') return false;
  const said = approval.safeParse(answer.content);
  return said.success && said.data.approve;
}

/** What a run before this one has deleted is not counted: it is gone. */
async function deleteEach({ users }: Needs, task: TaskContext): Promise<number> {
  const all: User[] = [];
  let page: Page<User> | undefined;
  do {
    page = await users.list(task.owner, { limit: pageLimitMax, cursor: page?.cursor });
    all.push(...page.items);
  } while (page.cursor !== undefined);
  let deleted = 0;
  for (const [index, { id }] of all.entries()) {
    if (await users.remove(task.owner, id)) deleted += 1;
    const gone = index + 1;
    if (gone % pageLimitMax === 0 || gone === all.length)
      await task.progress((100 * gone) / all.length, `${gone} gone`);
  }
  return deleted;
}
