import type { TaskPosition } from '../core/cursor.ts';
import { cursorText } from '../core/cursor.ts';
import type { Owner } from '../core/ids.ts';
import { hasExpired, type Task, type TaskStatus } from '../core/task.ts';
import type { Ports } from '../ports.ts';
import { summarizeTask, type TaskView } from './view-task.ts';

type Needs = Pick<Ports, 'tasks' | 'clock'>;

interface TaskFilter {
  readonly status?: TaskStatus | undefined;
  readonly tool?: string | undefined;
  readonly session_id?: string | undefined;
}

export interface TaskPage {
  readonly items: readonly TaskView[];
  readonly cursor?: string;
}

/** An owner's tasks, newest first. Filters apply after a page is read, so a page may come out short. */
export async function listTasks(
  ports: Needs,
  owner: Owner,
  request: {
    readonly limit: number;
    readonly after?: TaskPosition | undefined;
    filter: TaskFilter;
  },
): Promise<TaskPage> {
  const { items, last } = await ports.tasks.list(owner, request);
  const nowMs = ports.clock.nowMs();
  const wanted = items.filter((task) => !hasExpired(task, nowMs) && matches(task, request.filter));
  return { items: wanted.map(summarizeTask), ...(last ? { cursor: cursorText(last) } : {}) };
}

function matches({ caller, state, tool }: Task, filter: TaskFilter): boolean {
  if (filter.status && state.status !== filter.status) return false;
  if (filter.tool && tool !== filter.tool) return false;
  if (!filter.session_id) return true;
  return caller.kind === 'session' && caller.sessionId === filter.session_id;
}
