/** What comes from the calls of a random conversation. */
import { placeholderSent, wayFor } from '../../functions/core/consolidation.ts';
import { asCallId, asTaskId } from '../../functions/core/ids.ts';
import type { Input } from '../../functions/core/session.ts';
import {
  callsOf,
  isQuick,
  type Delivery,
  type OpenCall,
  type QuickResponse,
} from '../../functions/core/turn.ts';
import { value } from './sample-history.ts';
import type { Player, Table } from './table.ts';

export function newsOf(
  player: Player,
  table: Table,
  call: OpenCall,
  closing: boolean,
): readonly Delivery[] {
  const { chance } = player;
  const { callId, taskId, tool } = call;
  const base = { callId, taskId, tool, sequence: chance.between(1, 9), way: 'append' } as const;
  const news: Delivery[] = [];
  if (chance.happens(0.2)) {
    player.count('progress');
    const percent = chance.between(1, 99);
    news.push({ ...base, kind: 'progress', status: 'working', percent, message: 'on its way' });
  }
  if (chance.happens(0.1)) {
    player.count('partial');
    const part = { received: 1, expected: 2, value: value({ part: 1 }) };
    news.push({ ...base, kind: 'partial', status: 'working', ...part });
  }
  if (!closing && !chance.happens(0.25)) return news;
  const way = wayOf(player, table, call);
  player.count(`end by ${way}`);
  return [...news, { ...base, kind: 'end', way, ...endOf(player) }];
}

function endOf({ chance, count }: Player): Pick<Delivery, 'status' | 'value' | 'error'> {
  const status = chance.pick(['completed', 'completed', 'failed', 'cancelled'] as const);
  count(status);
  if (status === 'completed') return { status, value: value({ ok: true }) };
  if (status === 'cancelled') return { status };
  const message = chance.pick(['the deadline passed', '']);
  return { status, error: { code: chance.pick(['timed_out', 'tool_failed']), message } };
}

function wayOf({ profile }: Player, table: Table, call: OpenCall): Delivery['way'] {
  const sent = call.turn !== table.last?.number;
  // After a snapshot the turn that named the placeholder is gone.
  if (table.turns.length > 0 && placeholderSent(call, table.turns) !== sent) {
    throw new Error(`placeholderSent is wrong about ${call.callId}`);
  }
  return wayFor({
    profile,
    policy: table.policy,
    placeholderSent: sent,
    lastRequestAtMs: table.lastRequestAtMs,
    nowMs: table.nowMs,
    snapshotCovers: call.turn <= table.snapshotTurn,
  });
}

export function correction({ count }: Player, { callId, taskId, tool }: OpenCall): Delivery {
  count('correction');
  const base = { callId, taskId, tool, sequence: 99, way: 'append' } as const;
  return { ...base, kind: 'correction', status: 'completed', value: value({ late: true }) };
}

/** What should not come: an end of nobody's call, and the second end of one. */
export function strangers(
  { chance, count }: Player,
  table: Table,
  inputs: readonly Input[],
): readonly Delivery[] {
  if (inputs.length === 0 || !chance.happens(0.05)) return [];
  const known = table.last?.intent.deliveries.find(({ kind }) => kind === 'end');
  count(known ? 'second end' : 'orphan');
  const orphan = {
    callId: asCallId('nobody'),
    taskId: asTaskId('nobody'),
    tool: 'deploy',
    sequence: 1,
    kind: 'end',
    way: chance.pick(['bind', 'append', 'replace'] as const),
    status: 'completed',
    value: value(1),
  } as const;
  return [known ? { ...known, way: 'append' } : orphan];
}

/** In the next intent, or on the turn itself where the session rested with others pending. */
export function quickOf({ chance, count }: Player, table: Table): readonly QuickResponse[] {
  const { last } = table;
  const responses = callsOf(last)
    .filter(isQuick)
    .map(({ callId }): QuickResponse =>
      chance.happens(0.8)
        ? { callId, status: 'completed', value: value({ id: callId }) }
        : { callId, status: 'failed', error: { code: 'tool_failed', message: 'no' } },
    );
  if (!last || responses.length === 0 || chance.happens(0.5)) return responses;
  count('quick responses on the turn');
  const answered = { ...last, quick: responses };
  if (table.turns.length > 0) table.turns = [...table.turns.slice(0, -1), answered];
  else {
    count('quick responses on a covered turn');
    table.covered = answered;
  }
  return [];
}
