import { answerTool } from '../../core/handle.ts';
import { capital, counted, listed, sentence } from './phrases.ts';
import { endWords } from './results.ts';
import { fieldsOf, listOf, readValue, textOf, type Fields } from './values.ts';
import { progressWords, workOf } from './words.ts';
import type { EndedCall } from '../scripted-news.ts';

/** Of a task that is read or cancelled: the call that it belongs to, if the history still shows it. */
type WorkOfTask = (taskId: string) => Pick<EndedCall, 'tool' | 'arguments'> | undefined;

/** What the demo says to the response of a quick call. */
export function quickWords(call: EndedCall, workOfTask: WorkOfTask): string {
  const { tool, status, error, value } = call;
  const result = readValue(value);
  if (status !== 'completed') return failedWords(call, error?.message ?? '', workOfTask);
  switch (tool) {
    case 'list_users':
      return usersWords(result);
    case 'create_user':
      return `${textOf(result.name)} is created (${textOf(result.email)}, id ${textOf(result.id)}).`;
    case 'read_user':
      return `${textOf(result.name)}, ${textOf(result.email)}, id ${textOf(result.id)}.`;
    case 'delete_user':
      return `The user ${textOf(result.id)} is gone.`;
    case 'get_task':
      return taskWords(result, workOfTask);
    case 'cancel_task':
      return `I have told ${nameOf(result, workOfTask)} to stop.`;
    case answerTool:
      return 'I have passed that on.';
    case 'list_tasks':
      return tasksWords(result);
    default:
      return sentence(`${tool} says: ${value?.json ?? 'nothing'}`);
  }
}

function failedWords(call: EndedCall, why: string, workOfTask: WorkOfTask): string {
  const { tool, arguments: args } = call;
  const work = nameOf(fieldsOf(args), workOfTask);
  if (tool === 'cancel_task') return `There was nothing left to stop of ${work}: ${sentence(why)}`;
  if (tool === 'get_task')
    return `${capital(work)} has not begun yet; it starts when there is room.`;
  return `${tool} did not work: ${sentence(why || 'no reason was given')}`;
}

const nameOf = ({ task_id: taskId, tool }: Fields, workOfTask: WorkOfTask) => {
  const call = workOfTask(textOf(taskId)) ?? { tool: textOf(tool), arguments: undefined };
  return workOf(call);
};

export const createSome = 'Shall I create some?';

function usersWords({ users, cursor }: Fields): string {
  const all = listOf(users).map((user) => fieldsOf(user));
  if (all.length === 0) return `There are no users yet. ${createSome}`;
  const names = all.map(({ name, email }) => `${textOf(name)} (${textOf(email)})`);
  const count =
    cursor === undefined ? counted(all.length, 'user') : `more than ${all.length} users`;
  return `You have ${count}: ${listed(names, 20)}.`;
}

function taskWords(view: Fields, workOfTask: WorkOfTask): string {
  const { task_id: taskId, status, progress, result, error } = view;
  const call = workOfTask(textOf(taskId)) ?? {
    tool: textOf(view.tool),
    arguments: undefined,
  };
  const { percent, message } = fieldsOf(progress);
  if (status === 'working') {
    if (percent !== undefined) return progressWords(call, `${textOf(percent)}%`, textOf(message));
    return `${capital(workOf(call))} is under way; there is no word on how far it is yet.`;
  }
  if (status === 'input_required') return `${capital(workOf(call))} waits for an answer.`;
  const { code, message: why } = fieldsOf(error);
  const json = JSON.stringify(result ?? null);
  return endWords({
    ...call,
    callId: '',
    taskId: undefined,
    status: status === 'failed' || status === 'cancelled' ? status : 'completed',
    value: { json, bytes: json.length, cut: false },
    ...(error ? { error: { code: errorCode(code), message: textOf(why) } } : {}),
  });
}

const errorCode = (code: unknown) =>
  code === 'timed_out' || code === 'outcome_unknown' ? code : 'tool_failed';

function tasksWords({ items }: Fields): string {
  const all = listOf(items).map((item) => fieldsOf(item));
  if (all.length === 0) return 'There are no tasks yet.';
  const lines = all.map(({ tool, status, progress }) => {
    const { percent } = fieldsOf(progress);
    const how = percent === undefined || status !== 'working' ? '' : ` at ${textOf(percent)}%`;
    return `- ${textOf(tool)}: ${textOf(status)}${how}`;
  });
  return ['The newest tasks:', ...lines].join('\n');
}
