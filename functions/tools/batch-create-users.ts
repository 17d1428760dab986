import * as z from 'zod';
import type { TaskContext, Tool } from '../core/tool.ts';
import type { Ports, User } from '../ports.ts';
import { defineTool } from './define-tool.ts';
import { newUser, user, userIdFrom } from './users.ts';

type Needs = Pick<Ports, 'users' | 'clock'>;

const checkpoint = z.object({ startedAtMs: z.number(), handled: z.int() });

/**
 * The async pattern: a slow loop that reports each user. A user's id derives from the task and its
 * place in the list, so a run that begins again after a crash writes the same users and no others.
 */
export const batchCreateUsers = ({ users, clock }: Needs): Tool =>
  defineTool({
    name: 'batch_create_users_async',
    description:
      'Create many users, one after another. A user that is not valid counts as failed and stops nobody.',
    longRunning: true,
    idempotent: true,
    input: z.object({
      users_data: z
        .array(z.unknown())
        .min(1)
        .max(10_000)
        .describe('The users to create, each {name, email}'),
      delay: z.number().min(0).max(60).default(0.5).describe('Seconds to wait before each user'),
    }),
    output: z.object({
      status: z.literal('completed'),
      total_requested: z.int(),
      successful: z.int(),
      failed: z.int(),
      created_users: z.array(user),
      duration_seconds: z.number(),
      message: z.string(),
    }),
    async run({ users_data: wanted, delay }, task) {
      const begun = checkpoint.safeParse(task.state);
      const { startedAtMs, handled } = begun.success
        ? begun.data
        : { startedAtMs: clock.nowMs(), handled: 0 };
      for (const [index, one] of wanted.entries()) {
        if (index < handled) continue;
        await clock.sleep(delay * 1000, task.signal);
        task.signal.throwIfAborted();
        const made = userAt(one, task, index);
        if (made) await users.create(task.owner, made);
        const count = index + 1;
        await task.checkpoint({ startedAtMs, handled: count });
        const what = made ? `Created ${made.name}` : 'Skipped a user that is not valid';
        await task.progress(
          (100 * count) / wanted.length,
          `${what} (${count} of ${wanted.length})`,
        );
      }
      const created = wanted.flatMap((one, index) => userAt(one, task, index) ?? []);
      return summary(created, wanted.length, clock.nowMs() - startedAtMs);
    },
  });

function userAt(one: unknown, task: TaskContext, index: number): User | undefined {
  const valid = newUser.safeParse(one);
  if (!valid.success) return undefined;
  return { id: userIdFrom(task.idempotencyKey, index), ...valid.data };
}

function summary(created: readonly User[], total: number, durationMs: number) {
  const successful = created.length;
  const failed = total - successful;
  return {
    status: 'completed' as const,
    total_requested: total,
    successful,
    failed,
    created_users: [...created],
    duration_seconds: Math.round(durationMs / 10) / 100,
    message: `Batch creation completed: ${successful} successful, ${failed} failed`,
  };
}
