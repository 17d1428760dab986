/** Broken renderers: each does what a peer once did, and must be found out. */
import { compact } from '../../functions/core/compaction.ts';
import type { Entry, EventEntry, ResponseEntry } from '../../functions/core/entry.ts';
import { runsOf } from '../../functions/core/exchange.ts';
import { renderHistory, type Past } from '../../functions/core/history.ts';
import type { Delivery } from '../../functions/core/turn.ts';
import { ourRules, type Rules } from './run-conversation.ts';

type Change = (entries: readonly Entry[]) => readonly Entry[];

const rendering = (change: Change): Rules => ({
  ...ourRules,
  render: (past) => change(renderHistory(past)),
});

const withTurns = (change: (delivery: Delivery) => Delivery): Rules => ({
  ...ourRules,
  render: (past) => renderHistory({ ...past, turns: past.turns.map(changed(change)) }),
});

const changed = (change: (delivery: Delivery) => Delivery) => (turn: Past['turns'][number]) => ({
  ...turn,
  intent: { ...turn.intent, deliveries: turn.intent.deliveries.map(change) },
});

const eachRun =
  (change: Change): Change =>
  (entries) =>
    runsOf(entries).flatMap(change);

const isEnd = (entry: Entry): entry is EventEntry =>
  entry.role === 'event' && entry.end !== undefined;

/** The end as a second response, where the event stands. */
const asResponse = (event: EventEntry): ResponseEntry => ({
  role: 'tool',
  callId: event.callId,
  tool: 'deploy',
  status: 'completed',
  atMs: event.atMs,
});

const responsesReversed: Change = (run) => [
  ...run.filter(({ role }) => role === 'tool').toReversed(),
  ...run.filter(({ role }) => role !== 'tool'),
];

const textsReversed: Change = (run) => [
  ...run.filter(({ role }) => role !== 'user' && role !== 'event'),
  ...run.filter(({ role }) => role === 'event'),
  ...run.filter(({ role }) => role === 'user'),
];

let renderings = 0;

export const mutants: Readonly<Record<string, Rules>> = {
  'gives a second response': rendering((entries) =>
    entries.map((entry) => (isEnd(entry) ? asResponse(entry) : entry)),
  ),
  'says an end twice': rendering((entries) =>
    entries.flatMap((entry): Entry[] => (isEnd(entry) ? [entry, entry] : [entry])),
  ),
  'leaves out a placeholder': rendering((entries) =>
    entries.filter((entry) => entry.role !== 'tool' || entry.status !== 'working'),
  ),
  'loses an end': rendering((entries) => entries.filter((entry) => !isEnd(entry))),
  'loses the response to a refused call': rendering((entries) =>
    entries.filter((entry) => entry.role !== 'tool' || entry.tool !== 'refused'),
  ),
  'gives responses out of order': rendering(eachRun(responsesReversed)),
  'lets tasks speak before the user': rendering(eachRun(textsReversed)),
  'loses what the user said between call and result': rendering(
    eachRun((run) =>
      run.some(({ role }) => role === 'tool') ? run.filter(({ role }) => role !== 'user') : run,
    ),
  ),
  'moves a result back without a word at the tail': {
    ...ourRules,
    render: (past) =>
      renderHistory(past).filter(
        (entry) => !(entry.role === 'event' && entry.kind === 'end' && !entry.end),
      ),
  },
  'always rewrites': withTurns((delivery) =>
    delivery.way === 'append' ? { ...delivery, way: 'replace' } : delivery,
  ),
  'is different each time': rendering((entries) => {
    renderings += 1;
    return entries.map((entry) =>
      entry.role === 'event' ? { ...entry, text: `${entry.text}${renderings}` } : entry,
    );
  }),
  'compacts an open call away': {
    ...ourRules,
    squeeze: (entries, bytesMax) => {
      const kept = compact(entries, bytesMax);
      const first = kept.findIndex((entry) => entry.role === 'assistant' && isOpenIn(kept, entry));
      return first === -1 ? kept : kept.slice(first + 1);
    },
  },
  'compacts without putting results in place': { ...ourRules, squeeze: dropEnds },
};

const isOpenIn = (entries: readonly Entry[], { calls }: Extract<Entry, { role: 'assistant' }>) =>
  calls.some(({ callId }) =>
    entries.some(
      (entry) => entry.role === 'tool' && entry.callId === callId && entry.status === 'working',
    ),
  );

function dropEnds(entries: readonly Entry[], bytesMax: number): readonly Entry[] {
  return compact(
    entries.map((entry) => {
      if (!isEnd(entry)) return entry;
      const { end: _end, ...event } = entry;
      return event;
    }),
    bytesMax,
  );
}
