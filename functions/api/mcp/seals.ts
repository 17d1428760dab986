import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import * as z from 'zod';
import { canonicalJson, digestOf } from '../../core/digest.ts';
import { asOwner, asTaskId, type Owner } from '../../core/ids.ts';
import type { Ports } from '../../ports.ts';

/**
 * What a client carries from one request to the next in our place, so that any instance can go on from
 * it. It is sealed: nobody else can read or make it, and it is of no use to another owner or later.
 */
type Needs = Pick<Ports, 'sealer' | 'clock'>;

const owner = z.string().transform(asOwner);
const taskId = z.string().transform(asTaskId);
const requestId = z.union([z.string(), z.number()]);

/** Where a stream of events has come to. */
const place = z.object({
  owner,
  taskId,
  /** How the answer is written, and to which request. */
  form: z.enum(['call', 'wait', 'result']),
  requestId,
  progressToken: requestId.optional(),
  /** Progress told so far; what comes next must be more. */
  percent: z.number(),
  /** Names of questions that stand in the stream already, each as often as it was asked. */
  asked: z.array(z.string()),
  elicits: z.boolean(),
  /** When the handle is given instead. */
  untilMs: z.number(),
});

/** A call that was sent back to be sent again, and since when it is held. */
const leg = z.object({
  owner,
  taskId,
  form: z.enum(['call', 'wait']),
  digest: z.string(),
  round: z.int(),
  sinceMs: z.number(),
});

/** A call that has not begun: what its user has said so far, and how often it was sent back for it. */
const asking = z.object({
  owner,
  digest: z.string(),
  answers: z.record(z.string(), z.unknown()),
  round: z.int().default(1),
});

/** A question in a stream, and how often it was put there before. */
const question = z.object({ owner, taskId, key: z.string(), round: z.int().default(0) });

/** What a client said of itself when it came. */
const client = z.object({
  owner,
  name: z.string(),
  elicits: z.boolean(),
  version: z.string(),
});

/** What is sealed is of use as long as its call may be answered, and a while for who comes back late. */
export const lateMs = 10 * 60_000;

const kinds = { place, leg, asking, question, client };
type Kind = keyof typeof kinds;
type Sealed<K extends Kind> = z.output<(typeof kinds)[K]>;

export type Place = Sealed<'place'>;
export type PutQuestion = Sealed<'question'>;
export type Leg = Sealed<'leg'>;
export type Asking = Sealed<'asking'>;

export const seal = <K extends Kind>(
  { sealer }: Needs,
  kind: K,
  value: Sealed<K>,
  expiresAtMs: number,
): string => sealer.seal(`mcp ${kind}`, value, expiresAtMs);

/** Forged, expired and another owner's read alike: as nothing. */
export function unseal<K extends Kind>(
  { sealer, clock }: Needs,
  kind: K,
  text: string,
  asker: Owner,
): Sealed<K> | undefined {
  const opened = sealer.open(`mcp ${kind}`, text, clock.nowMs());
  if (opened.kind !== 'opened') return undefined;
  const read = kinds[kind].safeParse(opened.value);
  if (!read.success || read.data.owner !== asker) return undefined;
  return read.data as Sealed<K>;
}

export const wrongState = () =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState', {
    reason: 'invalid_request_state',
  });

/** Of what was asked, so that an answer under way cannot be had for another question. */
export const requestDigest = (tool: string, args: unknown): string =>
  digestOf(canonicalJson([tool, args]));
