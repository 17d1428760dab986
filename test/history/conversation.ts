/**
 * Random conversations as the house would store them: the turns are built the way resume builds them, and
 * every request on the way is shown to whoever looks.
 */
import { callIdsIn, uniqueCallId } from '../../functions/core/call-id.ts';
import type { Entry } from '../../functions/core/entry.ts';
import type { Past } from '../../functions/core/history.ts';
import { asCallId, asTaskId } from '../../functions/core/ids.ts';
import { historyBytesMax } from '../../functions/core/limits.ts';
import type { Input } from '../../functions/core/session.ts';
import {
  callsOf,
  openCallsAfter,
  type Call,
  type Intent,
  type OpenCall,
  type Reply,
  type Turn,
} from '../../functions/core/turn.ts';
import { correction, newsOf, quickOf, strangers } from './news.ts';
import { noUsage, value } from './sample-history.ts';
import type { Player, Table } from './table.ts';

/** What no user has seen, and no history may tell. */
export const unsaid = 'unsaid';

export function play(player: Player): void {
  const { chance } = player;
  const table: Table = {
    policy: chance.pick(['auto', 'append', 'replace']),
    longRunning: chance.happens(0.8),
    turns: [],
    last: undefined,
    snapshot: undefined,
    snapshotTurn: 0,
    covered: undefined,
    nowMs: 1_000_000,
    lastRequestAtMs: 0,
    inputs: [],
    inputCount: 0,
    ended: new Set(),
    compacted: false,
  };
  const turns = chance.between(2, 5);
  for (let n = 0; n < turns; n += 1) takeTurn(player, table, false);
  while (openCallsAfter(table.last).length > 0) takeTurn(player, table, true);
}

function takeTurn(player: Player, table: Table, closing: boolean): void {
  const { chance } = player;
  table.nowMs += chance.happens(0.15) ? 600_000 : 5000;
  const intent = intentFor(player, table, closing);
  const number = (table.last?.number ?? 0) + 1;
  const claim = { fence: 1, untilMs: 0, token: '' };
  const begun: Turn = { number, claim, intent, reply: undefined, quick: undefined };
  const past = pastOf(table, [...table.turns, begun]);
  const entries = player.render(past);
  const { compacted } = table;
  const rewrote = compacted || intent.deliveries.some(({ way }) => way === 'replace');
  player.look(
    { past, entries, intent, rewrote, compacted },
    { inputs: table.inputs, ended: table.ended, open: intent.open },
  );
  table.lastRequestAtMs = table.nowMs;
  table.compacted = false;
  const turn = { ...begun, reply: replyFor(player, table, entries, number, closing) };
  table.turns.push(turn);
  table.last = turn;
  if (chance.happens(0.2)) takeSnapshot(player, table);
}

const pastOf = (table: Table, turns: readonly Turn[]): Past => ({
  system: 'Be kind.',
  longRunning: table.longRunning,
  snapshot: table.snapshot,
  covered: table.snapshot && table.covered,
  turns,
  createdAtMs: 0,
});

function takeSnapshot(player: Player, table: Table): void {
  const { chance, squeeze } = player;
  const entries = player.render(pastOf(table, table.turns));
  const snapshot = squeeze(entries, chance.pick([400, 2000, historyBytesMax, historyBytesMax]));
  const kept = new Set(snapshot.map((entry) => (entry.role === 'user' ? entry.text : '')));
  const isCut = snapshot.some((entry) => entry.role === 'system' && entry.leftOut !== undefined);
  if (isCut) table.inputs = table.inputs.filter((text) => kept.has(text));
  player.count(isCut ? 'left out' : 'compacted');
  table.snapshot = snapshot;
  table.snapshotTurn = table.last?.number ?? 0;
  table.covered = table.last;
  table.turns = [];
  table.compacted = true;
}

function intentFor(player: Player, table: Table, closing: boolean): Intent {
  const { chance } = player;
  const { last } = table;
  const open = openCallsAfter(last);
  const deliveries = open.flatMap((call) => newsOf(player, table, call, closing));
  const isEnd = (call: OpenCall) =>
    deliveries.some(({ kind, taskId }) => kind === 'end' && taskId === call.taskId);
  const closed = open.filter(isEnd);
  for (const { taskId } of closed) table.ended.add(taskId);
  const before = last?.intent.correctable ?? [];
  const corrected = before.filter(() => chance.happens(0.3));
  const left = open.filter((call) => !isEnd(call));
  const corrections = corrected.map((call) => correction(player, call));
  const hasContent = deliveries.length + corrections.length > 0 || answersCalls(last);
  const inputs = speak(player, table, hasContent);
  return {
    trigger: inputs.length > 0 ? 'user' : 'task',
    actor: 'someone',
    beganAtMs: table.nowMs,
    nonce: `n${last?.number ?? 0}`,
    inputs,
    inputsThrough: table.inputCount,
    quick: quickOf(player, table),
    placeholders: left
      .filter(({ turn }) => turn === last?.number)
      .map(({ callId, taskId }) =>
        chance.happens(0.5)
          ? { callId, taskId, initial: value({ deployment: 7 }) }
          : { callId, taskId },
      ),
    deliveries: [...deliveries, ...corrections, ...strangers(player, table, inputs)],
    open: left,
    correctable: [
      ...before.filter((call) => !corrected.includes(call)),
      ...closed.filter(({ index }) => index % 2 === 0),
    ],
    arbitrations: [],
  };
}

const answersCalls = (last: Turn | undefined) => callsOf(last).length > 0;

function speak({ chance }: Player, table: Table, hasContent: boolean): readonly Input[] {
  const count = hasContent ? chance.pick([0, 0, 1, 2]) : chance.between(1, 2);
  return Array.from({ length: count }, () => {
    table.inputCount += 1;
    const text = `the user says ${table.inputCount}.`;
    table.inputs.push(text);
    return { number: table.inputCount, inputId: text, text, atMs: table.nowMs };
  });
}

function replyFor(
  player: Player,
  table: Table,
  entries: readonly Entry[],
  number: number,
  closing: boolean,
): Reply {
  const { chance } = player;
  const atMs = table.nowMs + 1000;
  const base = { model: 'm', usage: noUsage, finishReason: 'stop', atMs, calls: [] } as const;
  if (chance.happens(0.12)) {
    const cut = chance.pick(['merged', 'interrupted', 'interrupted', 'refused'] as const);
    player.count(cut);
    return { ...base, text: cut === 'interrupted' ? chance.pick(['half a', '']) : unsaid, cut };
  }
  const calls = closing ? [] : callsFor(player, entries, number);
  const parts = chance.happens(0.2) ? { parts: { signature: `signed ${number}` } } : {};
  const text = chance.happens(calls.length > 0 ? 0.5 : 0.03) ? ' ' : `reply ${number}`;
  return { ...base, text, calls, ...parts };
}

function callsFor(player: Player, entries: readonly Entry[], number: number): readonly Call[] {
  const { chance } = player;
  const used = new Set(callIdsIn(entries));
  const count = chance.pick([0, 0, 1, 1, 2, 3]);
  const kinds = new Set<string>();
  const calls = Array.from({ length: count }, (_, index): Call => {
    const said = chance.pick(['call_a', 'not legal!', `call_${number}_${index}`, 'call_b']);
    const callId = asCallId(uniqueCallId(said, used));
    if (callId !== said) player.count('renamed call');
    used.add(callId);
    const kind = chance.pick(['quick', 'long', 'long', 'refused'] as const);
    kinds.add(kind);
    const call = { callId, tool: kind, arguments: { index } };
    if (kind === 'refused') return { ...call, refused: { code: 'tool_failed', message: 'no' } };
    return kind === 'long' ? { ...call, taskId: asTaskId(`task_${number}_${index}`) } : call;
  });
  if (kinds.size > 1) player.count('mixed calls');
  return calls;
}
