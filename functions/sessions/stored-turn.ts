import type { CompactedHistory } from '../core/compaction.ts';
import type { Owner } from '../core/ids.ts';
import type { Session } from '../core/session.ts';
import type { StoredValue } from '../core/stored-value.ts';
import type { Intent, QuickResponse, Reply, Turn, TurnRecord } from '../core/turn.ts';
import type { Ports } from '../ports.ts';
import { keepValue, readValue } from '../tasks/keep-value.ts';

type Needs = Pick<Ports, 'objects'>;

/** A turn as the rules see it. Its parts were written by this house, so their shape is trusted. */
export async function decodeTurn(ports: Needs, record: TurnRecord): Promise<Turn> {
  const { number, claim } = record;
  const [intent, reply, quick] = await Promise.all([
    readValue(ports, record.intent),
    readIfThere(ports, record.reply),
    readIfThere(ports, record.quick),
  ]);
  return {
    number,
    claim,
    intent: intent as Intent,
    reply: reply as Reply | undefined,
    quick: quick as readonly QuickResponse[] | undefined,
  };
}

export const decodeTurns = (ports: Needs, records: readonly TurnRecord[]) =>
  Promise.all(records.map((record) => decodeTurn(ports, record)));

/** Parts of a turn are values like any other: far ones are in the object store before the item names them. */
export const keepPart = (
  ports: Needs,
  owner: Owner,
  part: Intent | Reply | readonly QuickResponse[] | CompactedHistory,
): Promise<StoredValue> => keepValue(ports, owner, part, 'sessions');

/** What the session was last compacted to. */
export async function readSnapshot(
  ports: Needs,
  { snapshot }: Pick<Session, 'snapshot'>,
): Promise<CompactedHistory | undefined> {
  if (!snapshot) return undefined;
  return (await readValue(ports, snapshot.history)) as CompactedHistory;
}

const readIfThere = (ports: Needs, value: StoredValue | undefined) =>
  value ? readValue(ports, value) : undefined;
