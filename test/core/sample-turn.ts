import { asCallId, asTaskId } from '../../functions/core/ids.ts';
import type { Input } from '../../functions/core/session.ts';
import type { Call, Intent, OpenCall, Reply, Turn } from '../../functions/core/turn.ts';

/** Plain turns for tests of the rules. */
export const sampleIntent: Intent = {
  trigger: 'user',
  actor: 'input_1',
  beganAtMs: 1000,
  nonce: 'n0nce',
  inputs: [],
  inputsThrough: 1,
  quick: [],
  placeholders: [],
  deliveries: [],
  open: [],
  correctable: [],
  arbitrations: [],
};

export const sampleReply: Reply = {
  text: 'Hello.',
  calls: [],
  model: 'scripted',
  usage: { inputTokens: 10, outputTokens: 5, cachedTokens: 0 },
  finishReason: 'stop',
  atMs: 2000,
};

export const turnWith = (
  intent: Partial<Intent> = {},
  reply: Partial<Reply> | 'none' = {},
  rest: Partial<Turn> = {},
): Turn => ({
  number: 1,
  claim: { fence: 1, untilMs: 0, token: 'me' },
  intent: { ...sampleIntent, ...intent },
  reply: reply === 'none' ? undefined : { ...sampleReply, ...reply },
  quick: undefined,
  ...rest,
});

export const longCall = (name: string): Call => ({
  callId: asCallId(`call_${name}`),
  tool: 'slow',
  arguments: {},
  taskId: asTaskId(`task_${name}`),
});

export const openCall = (name: string, rest: Partial<OpenCall> = {}): OpenCall => ({
  callId: asCallId(`call_${name}`),
  taskId: asTaskId(`task_${name}`),
  tool: 'slow',
  turn: 1,
  index: 0,
  consumed: 0,
  toldPercent: 0,
  tellings: 0,
  received: 0,
  ...rest,
});

export const inputAt = (atMs: number, number = 2): Input => ({
  number,
  inputId: `input_${number}`,
  text: `said ${number}`,
  atMs,
});
