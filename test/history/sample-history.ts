import { asCallId, asTaskId } from '../../functions/core/ids.ts';
import type { Input } from '../../functions/core/session.ts';
import type {
  Call,
  Delivery,
  Intent,
  OpenCall,
  Reply,
  ShownValue,
  Turn,
} from '../../functions/core/turn.ts';
import type { Past } from '../../functions/core/history.ts';

/** Plain turns for tests of the history. */
export const noUsage = { inputTokens: 0, outputTokens: 0, cachedTokens: 0 };

export const said = (text: string, number = 1): Input => ({
  number,
  inputId: `input_${number}`,
  text,
  atMs: number,
});

export const value = (of: unknown): ShownValue => {
  const json = JSON.stringify(of);
  return { json, bytes: Buffer.byteLength(json), cut: false };
};

export const call = (callId: string, changes: Partial<Call> = {}): Call => ({
  callId: asCallId(callId),
  tool: 'deploy',
  arguments: {},
  ...changes,
});

export const taskOf = (callId: string) => asTaskId(`task_of_${callId}`);

export const longCall = (callId: string): Call => call(callId, { taskId: taskOf(callId) });

export const quick = (callId: string, of: unknown) => ({
  callId: asCallId(callId),
  status: 'completed' as const,
  value: value(of),
});

export const placeholder = (callId: string, initial?: unknown) => ({
  callId: asCallId(callId),
  taskId: taskOf(callId),
  ...(initial === undefined ? {} : { initial: value(initial) }),
});

export const delivery = (callId: string, changes: Partial<Delivery> = {}): Delivery => ({
  callId: asCallId(callId),
  taskId: taskOf(callId),
  tool: 'deploy',
  sequence: 1,
  kind: 'end',
  way: 'append',
  status: 'completed',
  value: value({ url: 'https://staging.example' }),
  ...changes,
});

export const progress = (callId: string, percent: number, message = 'building'): Delivery => {
  const { value: _none, ...base } = delivery(callId);
  return { ...base, kind: 'progress', status: 'working', sequence: percent, percent, message };
};

export const openCall = (callId: string, turn: number): OpenCall => ({
  callId: asCallId(callId),
  taskId: taskOf(callId),
  tool: 'deploy',
  turn,
  index: 0,
  consumed: 0,
  toldPercent: 0,
  tellings: 0,
  received: 0,
});

export const reply = (text: string, calls: readonly Call[] = [], changes: Partial<Reply> = {}) => ({
  text,
  calls,
  model: 'scripted',
  usage: noUsage,
  finishReason: 'stop' as const,
  atMs: 5,
  ...changes,
});

export function turn(
  number: number,
  intent: Partial<Intent>,
  answer?: Reply,
  changes: Partial<Turn> = {},
): Turn {
  return {
    number,
    claim: { fence: 1, untilMs: 0, token: '' },
    intent: {
      trigger: 'user',
      actor: 'input_1',
      beganAtMs: number * 1000,
      nonce: `nonce${number}`,
      inputs: [],
      inputsThrough: 0,
      quick: [],
      placeholders: [],
      deliveries: [],
      open: [],
      correctable: [],
      arbitrations: [],
      ...intent,
    },
    reply: answer,
    quick: undefined,
    ...changes,
  };
}

export const past = (turns: readonly Turn[], changes: Partial<Past> = {}): Past => ({
  system: 'Be kind.',
  longRunning: false,
  snapshot: undefined,
  turns,
  createdAtMs: 0,
  ...changes,
});
