import { refusedRowsMax, turnsPage } from '../core/limits.ts';
import type { SessionKey } from '../core/session.ts';
import type { Arbitration, Intent, Reply, Turn, Usage } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { decodeTurns } from './stored-turn.ts';
import { isoTime } from '../tasks/iso-time.ts';

type Needs = Pick<Ports, 'sessions' | 'objects' | 'audit'>;

/** Who made the session speak, and who came too late to. */
export type AuditRow =
  | {
      readonly at: string;
      readonly kind: 'turn';
      readonly turn: number;
      readonly trigger: string;
      readonly actor: string;
      readonly consumed: readonly string[];
      readonly model?: string;
      readonly usage?: ReturnType<typeof showUsage>;
      /** Why the model gave no answer. */
      readonly error?: string;
      readonly began_at: string;
      readonly ended_at?: string;
    }
  | {
      readonly at: string;
      readonly kind: 'arbitration';
      readonly winner: string;
      readonly loser: string;
      readonly gap_ms: number;
      readonly rule: string;
    }
  | {
      readonly at: string;
      readonly kind: 'refused';
      readonly what: string;
      readonly code: string;
    };

/**
 * The audit of a session from its first turn on, a page at a time, so that its length does not matter.
 * Who was refused stands where it happened.
 */
export async function* readAudit(
  ports: Needs,
  key: SessionKey,
): AsyncGenerator<readonly AuditRow[], void> {
  const refused = await refusedRows(ports, key);
  const upTo = (at: string) => refused.splice(0, refused.findLastIndex((row) => row.at < at) + 1);
  for (let after = 0; ;) {
    const records = await ports.sessions.turnsAfter(key, after, turnsPage);
    const turns = await decodeTurns(ports, records);
    const last = turns.at(-1);
    if (!last) break;
    yield turns.flatMap(rowsOf).flatMap((row) => [...upTo(row.at), row]);
    after = last.number;
  }
  yield refused;
}

/** The newest, oldest of them first. */
async function refusedRows(
  { audit }: Needs,
  { owner, sessionId }: SessionKey,
): Promise<AuditRow[]> {
  const { items } = await audit.list(owner, { limit: refusedRowsMax }, sessionId);
  return items
    .flatMap(({ atMs, ...entry }): readonly AuditRow[] => {
      if (entry.kind !== 'refused') return [];
      return [{ at: isoTime(atMs), kind: 'refused', what: entry.what, code: entry.code }];
    })
    .toReversed();
}

/** Who raced for a turn stands before it. */
const rowsOf = (turn: Turn): readonly AuditRow[] => [
  ...turn.intent.arbitrations.map(arbitrationRow),
  turnRow(turn),
];

function turnRow({ number, intent, reply }: Turn): AuditRow {
  const { trigger, actor, beganAtMs } = intent;
  return {
    at: isoTime(reply?.atMs ?? beganAtMs),
    kind: 'turn',
    turn: number,
    trigger,
    actor,
    consumed: consumedBy(intent),
    ...(reply ? { model: reply.model, usage: showUsage(reply.usage) } : {}),
    ...(reply?.detail === undefined ? {} : { error: reply.detail }),
    began_at: isoTime(beganAtMs),
    ...endOf(reply),
  };
}

/** Several results that came at once are one look at their task. */
const consumedBy = ({ inputs, deliveries }: Intent): readonly string[] => [
  ...inputs.map(({ inputId }) => inputId),
  ...new Set(deliveries.map(({ callId, sequence }) => `${callId}#${sequence}`)),
];

const endOf = (reply: Reply | undefined) => (reply ? { ended_at: isoTime(reply.atMs) } : {});

const showUsage = ({ inputTokens, outputTokens, cachedTokens }: Usage) => ({
  input_tokens: inputTokens,
  output_tokens: outputTokens,
  cached_tokens: cachedTokens,
});

const arbitrationRow = ({ atMs, winner, loser, gapMs, rule }: Arbitration): AuditRow => ({
  at: isoTime(atMs),
  kind: 'arbitration',
  winner,
  loser,
  gap_ms: gapMs,
  rule,
});
