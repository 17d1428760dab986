import type { OpenCall } from './turn.ts';

/**
 * How far a reader of a session's events has come. The events derive from inputs, turns and tasks, each
 * numbered by itself, so the place is a number for each of them; with it any process goes on for any reader.
 */
export interface EventPlace {
  /** Number of the last input that was read. */
  readonly input: number;
  /** The turn that is being read, and how many of its own events have been. */
  readonly turn: number;
  readonly slot: number;
  /** What was read of calls that were open then, by call name; a call not in it is new to the reader. */
  readonly seen: ReadonlyMap<string, SeenOfCall>;
}

/** Number of the last progress event that was read, or that its end was. */
export type SeenOfCall = number | 'ended';

export const firstPlace: EventPlace = { input: 0, turn: 0, slot: 0, seen: new Map() };

/** Ids may repeat, so a call is known by its turn and its place in it. */
export const callName = ({ turn, index }: Pick<OpenCall, 'turn' | 'index'>) => `${turn}-${index}`;

export function placeText({ input, turn, slot, seen }: EventPlace): string {
  const calls = [...seen].map(([name, of]) => `.${name}-${of === 'ended' ? 'e' : of}`);
  return `${input}.${turn}.${slot}${calls.join('')}`;
}

const placePattern = /^\d{1,8}\.\d{1,8}\.\d{1,6}(\.\d{1,8}-\d{1,6}-(\d{1,8}|e))*$/;
/** Far more calls than a session can have open. */
const placeLengthMax = 16 * 1024;

/** Undefined for what no stream can have given. */
export function readPlace(text: string): EventPlace | undefined {
  if (text.length > placeLengthMax || !placePattern.test(text)) return undefined;
  const [input, turn, slot, ...calls] = text.split('.');
  const seen = new Map(calls.map((call) => readSeen(call.split('-'))));
  const place = { input: Number(input), turn: Number(turn), slot: Number(slot), seen };
  return placeText(place) === text ? place : undefined;
}

const readSeen = ([turn, index, of]: readonly string[]): [string, SeenOfCall] => [
  `${turn}-${index}`,
  of === 'e' ? 'ended' : Number(of),
];
