import type { CiDelivery } from './ci/report.ts';
import type { Owner, TaskId } from './ids.ts';
import type { StoredValue } from './stored-value.ts';
import type { EndEvent } from './task-event.ts';
import type { TaskKey, TaskStart } from './task.ts';

/** Messages carry a version: a reader takes its own and the one before, and leaves what is newer. */
export const messageVersion = 1;

/**
 * What the worker is asked to do. A run carries all that is needed to bring its task into being; the
 * others only end what is open.
 */
export type WorkMessage = WorkRequest & Envelope;

export type WorkRequest =
  | { readonly kind: 'run'; readonly start: TaskStart }
  | {
      readonly kind: EndRequest;
      readonly owner: Owner;
      readonly taskId: TaskId;
      /** Names whoever asked for it. */
      readonly token?: string;
    }
  /** An end that someone outside has brought. */
  | {
      readonly kind: 'finish';
      readonly owner: Owner;
      readonly taskId: TaskId;
      readonly event: EndEvent;
    }
  /** An answer to one of its questions: the task goes on when it is the last that was awaited. */
  | {
      readonly kind: 'answer';
      readonly owner: Owner;
      readonly taskId: TaskId;
      readonly name: string;
      readonly answer: StoredValue;
    }
  /** Nothing was heard of it for long: whoever does its work is asked. */
  | { readonly kind: 'check'; readonly owner: Owner; readonly taskId: TaskId }
  | ReportRequest;

export type EndRequest = 'cancel' | 'expire' | 'poison';

/** What a CI system told. Which task it is about is found out by whoever takes it. */
interface ReportRequest extends CiDelivery {
  readonly kind: 'ci';
  /** Names this taking of the delivery, so that the message come again is no second one. */
  readonly token: string;
  readonly receivedAtMs: number;
}

interface Envelope {
  readonly v: number;
  /** A wait longer than one SQS delay is several hops to this time. */
  readonly notBeforeMs?: number;
  /** How often the message came back from the dead. */
  readonly redrives?: number;
}

export const workMessage = (request: WorkRequest): WorkMessage => ({
  v: messageVersion,
  ...request,
});

export type ReadMessage<Message> =
  | { readonly kind: 'ours'; readonly message: Message }
  /** Written by a later version of this code: not ours to judge. */
  | { readonly kind: 'newer' }
  | { readonly kind: 'unreadable' };

export const readWorkMessage = (body: string): ReadMessage<WorkMessage> =>
  readMessage(body, isWorkMessage);

export function readMessage<Message>(
  body: string,
  isMessage: (value: object) => value is Message & object,
): ReadMessage<Message> {
  const parsed = parseObject(body);
  if (!parsed || typeof parsed.v !== 'number') return { kind: 'unreadable' };
  if (parsed.v > messageVersion) return { kind: 'newer' };
  if (!isMessage(parsed)) return { kind: 'unreadable' };
  return { kind: 'ours', message: parsed };
}

/** The task that a message is about; a report finds its own. */
export function taskKeyOf(message: WorkMessage): TaskKey | undefined {
  if (message.kind === 'ci') return undefined;
  return message.kind === 'run' ? message.start : message;
}

export const taskIdOf = (message: WorkMessage): TaskId | undefined => taskKeyOf(message)?.taskId;

function parseObject(body: string): { readonly v?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Only this house writes to its queues, so the shape is told by the kind and the one field that matters. */
function isWorkMessage(value: object): value is WorkMessage {
  if (!('kind' in value)) return false;
  switch (value.kind) {
    case 'run':
      return 'start' in value && typeof value.start === 'object' && value.start !== null;
    case 'cancel':
    case 'expire':
    case 'poison':
    case 'check':
      return namesTask(value);
    case 'finish':
      return namesTask(value) && 'event' in value && typeof value.event === 'object';
    case 'answer':
      return namesTask(value) && 'answer' in value && typeof value.answer === 'object';
    case 'ci':
      return 'report' in value && typeof value.report === 'object' && value.report !== null;
    default:
      return false;
  }
}

const namesTask = (value: object) => 'owner' in value && 'taskId' in value;
