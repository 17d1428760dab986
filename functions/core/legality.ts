import type { Entry, ResponseEntry } from './entry.ts';
import { groupMessages, type AssistantMessage, type Message, type UserMessage } from './message.ts';
import type { ModelProfile } from './model.ts';
import {
  errorsOf,
  illFormedId,
  textBesideResponses,
  type ProviderErrors,
} from './provider-errors.ts';

export { groupMessages, type Message } from './message.ts';

/** Why a provider would refuse this request, in its own words; empty when it would not. */
export const illegalities = (entries: readonly Entry[], profile: ModelProfile): readonly string[] =>
  illegalMessages(groupMessages(entries, profile), profile);

type Side = UserMessage | AssistantMessage;

export function illegalMessages(
  messages: readonly Message[],
  profile: ModelProfile,
): readonly string[] {
  const sides = messages.filter((message): message is Side => message.role !== 'system');
  const errors = errorsOf[profile.provider];
  return [
    ...ends(sides, errors),
    ...sides.flatMap((message, at) => [
      ...betweenSides(sides[at - 1], message, at, errors),
      ...(message.role === 'user'
        ? inUserMessage(message, sides[at - 1], at, profile)
        : inAssistantMessage(message, sides[at + 1], at, errors)),
    ]),
    ...ids(sides, profile),
  ];
}

function ends(sides: readonly Side[], errors: ProviderErrors): readonly string[] {
  const begins = sides[0]?.role === 'assistant' ? [errors.beginsOnAssistant] : [];
  return sides.at(-1)?.role === 'user' ? begins : [...begins, errors.endsOnAssistant];
}

const betweenSides = (
  before: Side | undefined,
  message: Side,
  at: number,
  errors: ProviderErrors,
): readonly string[] => (before?.role === message.role ? [errors.notAlternating(at)] : []);

function inAssistantMessage(
  { text, calls }: AssistantMessage,
  next: Side | undefined,
  at: number,
  errors: ProviderErrors,
): readonly string[] {
  const responses = next?.role === 'user' ? next.responses : [];
  const answered = new Set(responses.map(({ callId }) => callId));
  const unanswered = calls.filter(({ callId }) => !answered.has(callId));
  const missing = unanswered.map(({ callId }) => callId).join(', ');
  return [
    ...(missing === '' ? [] : [errors.unanswered(at, missing)]),
    ...(calls.length === 0 && text.trim() === '' ? [errors.empty(at)] : []),
  ];
}

function inUserMessage(
  { responses, texts }: UserMessage,
  before: Side | undefined,
  at: number,
  profile: ModelProfile,
): readonly string[] {
  const errors = errorsOf[profile.provider];
  const isEmpty = responses.length === 0 && texts.length === 0;
  const isMixed = responses.length > 0 && texts.length > 0 && !profile.textBesideResponses;
  return [
    ...answers(responses, before, at, errors),
    ...(isEmpty || texts.some((text) => text.trim() === '') ? [errors.empty(at)] : []),
    ...(isMixed ? [textBesideResponses] : []),
  ];
}

/** Each response belongs to a call of the message before, and is the only one. */
function answers(
  responses: readonly ResponseEntry[],
  before: Side | undefined,
  at: number,
  errors: ProviderErrors,
): readonly string[] {
  const asked = before?.role === 'assistant' ? before.calls.map(({ callId }) => callId) : [];
  return responses.flatMap(({ callId, status, error }, index) => {
    const isSecond = responses.findIndex((one) => one.callId === callId) < index;
    const isMute = status === 'failed' && !error?.message.trim();
    return [
      ...(asked.includes(callId) ? [] : [errors.orphan(at, callId)]),
      ...(isSecond ? [errors.answeredTwice(at, callId)] : []),
      ...(isMute ? [errors.emptyError(at)] : []),
    ];
  });
}

function ids(sides: readonly Side[], { provider }: ModelProfile): readonly string[] {
  const seen = new Set<string>();
  return sides.flatMap((message, at) => {
    if (message.role !== 'assistant') return [];
    return message.calls.flatMap(({ callId }) => {
      const isRepeated = seen.has(callId);
      seen.add(callId);
      const isIllFormed = provider === 'bedrock' && !/^[a-zA-Z0-9_.:-]{1,64}$/.test(callId);
      return [
        ...(isRepeated ? [errorsOf[provider].repeatedCall(at, callId)] : []),
        ...(isIllFormed ? [illFormedId(at, callId)] : []),
      ];
    });
  });
}
