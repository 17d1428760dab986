import { asTaskId, type Owner, type TaskId } from '../../core/ids.ts';
import { mcpResultBytesMax } from '../../core/limits.ts';
import { characterAt } from '../../core/text.ts';
import { findTask } from '../../tasks/find-task.ts';
import { viewTask } from '../../tasks/view-task.ts';
import type { McpNeeds } from './needs.ts';

export const resultTemplate = {
  name: 'Result of a task',
  uriTemplate: 'task://{task_id}/result{?offset}',
  description: 'The JSON of a completed task, in pages; the next offset stands in _meta of each.',
  mimeType: 'application/json',
};

export const resultUri = (taskId: TaskId) => `task://${taskId}/result`;

interface ResultPage {
  readonly uri: string;
  readonly mimeType: 'application/json';
  readonly text: string;
  readonly _meta: { readonly offset: number; readonly bytes: number; readonly next?: string };
}

/** One page of a result, from one character to another, for its owner; undefined when there is none by this name, for whatever reason. */
export async function readResultPage(
  ports: McpNeeds,
  owner: Owner,
  uri: string,
): Promise<ResultPage | undefined> {
  const named = /^task:\/\/([^/?#]+)\/result(?:\?offset=(\d{1,9}))?$/.exec(uri);
  if (!named?.[1]) return undefined;
  const taskId = asTaskId(named[1]);
  const found = await findTask(ports, { owner, taskId });
  if (!found.ok || found.value.state.status !== 'completed') return undefined;
  const { result } = await viewTask(ports, found.value);
  const wanted = Number(named[2] ?? 0);
  const whole = Buffer.from(JSON.stringify(result) ?? 'null');
  if (wanted > whole.length) return undefined;
  const offset = characterAt(whole, wanted);
  const end = characterAt(whole, offset + mcpResultBytesMax);
  const more = end < whole.length ? { next: `${resultUri(taskId)}?offset=${end}` } : {};
  const text = whole.subarray(offset, end).toString('utf8');
  return {
    uri,
    mimeType: 'application/json',
    text,
    _meta: { offset, bytes: whole.length, ...more },
  };
}
