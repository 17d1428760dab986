import { unknownKeyword } from './content-schema.ts';
import { digestOf } from './digest.ts';
import { isTooDeep } from './json-depth.ts';
import { questionBytesMax, questionKeyMax, questionsPerTaskMax } from './limits.ts';
import type { AnsweredEvent } from './task-event.ts';
import type { Task, TaskStart } from './task.ts';
import { bytesOf } from './text.ts';
import type { Answer, AskedQuestion } from './tool.ts';
import type { StoredValue } from './stored-value.ts';
import type { Turn } from './turn.ts';

/** A key may be longer than any item's key; its name is the head of its digest: 60 bits. */
export const questionName = (key: string): string => digestOf(key).slice(0, questionNameLength);
export const questionNameLength = 10;

/** What is wrong with questions that a tool asks together, in words for its author. */
export function questionFlaw(questions: readonly AskedQuestion[]): string | undefined {
  const keys = new Set(questions.map(({ key }) => key));
  if (questions.length === 0) return 'it asked nothing';
  if (keys.size < questions.length) return 'two questions have the same key';
  return questions.map(flawOf).find((flaw) => flaw !== undefined);
}

/** Whoever collects answers by key in an object, ours or a client's, would lose these or worse. */
const unsafeKeys = new Set(['__proto__', 'constructor', 'prototype']);

function flawOf({ key, message, schema, for: asked }: AskedQuestion): string | undefined {
  if (typeof key !== 'string' || key === '' || key.length > questionKeyMax) {
    return `the key of a question must be a text of 1 to ${questionKeyMax} characters`;
  }
  if (unsafeKeys.has(key)) return `"${key}" is no key for a question`;
  if (typeof message !== 'string' || message.trim() === '') return `"${key}" has no message`;
  if (typeof schema !== 'object' || schema === null || isTooDeep(schema)) {
    return `"${key}" has no JSON schema`;
  }
  if (asked !== undefined && asked !== 'user')
    return `"${key}" is for nobody: say "user" or nothing`;
  const strange = unknownKeyword(schema);
  if (strange !== undefined)
    return `the schema of "${key}" uses ${strange}, which is not known here`;
  const bytes = bytesOf(JSON.stringify({ key, message, schema }));
  return bytes > questionBytesMax ? `"${key}" has more than ${questionBytesMax} bytes` : undefined;
}

/** Keys are never used again, so every one counts for the life of the task. */
export const asksTooMuch = ({ asked }: Task, more: number) => asked + more > questionsPerTaskMax;

/** Whether the user has said something since the model was told what a task asks. */
export function userSpokeSince(turns: readonly Turn[], taskId: string): boolean {
  const told = turns.findLastIndex(({ intent }) =>
    intent.deliveries.some((news) => news.kind === 'question' && news.taskId === taskId),
  );
  const spoke = turns.findLastIndex(({ intent }) => intent.inputs.length > 0);
  return told !== -1 && spoke > told;
}

/** The event that an answer makes of a task as it was read; nothing when the question is not open. */
export function answeredOnto(task: Task, name: string, atMs: number): AnsweredEvent | undefined {
  if (task.state.status !== 'input_required' || !task.asking.includes(name)) return undefined;
  const asking = task.asking.filter((other) => other !== name);
  return { kind: 'answered', asking, after: task.sequence, atMs };
}

/** An answer as it comes: said outright, or the content alone, which accepts. */
export function answerFrom(value: unknown): Answer {
  if (typeof value !== 'object' || value === null) return { action: 'accept', content: value };
  const { action, content, ...rest } = value as Partial<Record<string, unknown>>;
  const isContent = Object.keys(rest).length > 0;
  if (!isContent && (action === 'decline' || action === 'cancel')) return { action };
  if (!isContent && action === 'accept') return { action, content: content ?? {} };
  return { action: 'accept', content: value };
}

/** The start of a task once more, as its first message carried it. */
export function startOf(task: Task, args: StoredValue): TaskStart {
  const { owner, taskId, tool, caller, createdAtMs, deadlineMs } = task;
  const { resultsMax, silenceMs, checkMs, webhookId } = task;
  return {
    owner,
    taskId,
    tool,
    caller,
    arguments: args,
    createdAtMs,
    deadlineMs,
    ...(resultsMax > 1 ? { resultsMax } : {}),
    ...(silenceMs === undefined ? {} : { silenceMs }),
    ...(checkMs === undefined ? {} : { checkMs }),
    ...(webhookId === undefined ? {} : { webhookId }),
  };
}
