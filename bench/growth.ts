import '../local/quiet.ts';
import { liveTool } from './session-tool.ts';
import { measuredHouse } from './life.ts';
import { measuredModel, measuredSession } from './session-life.ts';
import type { Ledger } from './recorder.ts';

/** What one user turn with one long-running call costs, early and late in a session's life. */
interface GrowthRow {
  readonly turn: number;
  readonly write_units: number;
  readonly requests: number;
}

const unitsIn = ({ requests }: Ledger) =>
  requests.reduce((sum, one) => sum + one.tableUnits + one.indexUnits, 0);

/** Play so many exchanges in one session: the user asks, a call is made, its result is told. */
export async function measureGrowth(exchanges: number): Promise<readonly GrowthRow[]> {
  const house = await measuredHouse(() => liveTool(1));
  const { model } = measuredModel(({ entries }, count) =>
    entries.at(-1)?.role === 'user'
      ? { text: 'On it.', calls: [{ id: `call_${count}`, name: 'measured', arguments: {} }] }
      : { text: 'It is done.' },
  );
  const talk = await measuredSession(house, model);
  const rows: GrowthRow[] = [];
  for (let turn = 1; turn <= exchanges; turn += 1) {
    house.ledger.requests.length = 0;
    await talk.say('Process the records of the day, please.');
    await talk.resumeOnce();
    await house.workOnce();
    await talk.resumeOnce();
    rows.push({
      turn,
      write_units: unitsIn(house.ledger),
      requests: house.ledger.requests.length,
    });
  }
  await house.stop();
  return rows;
}

/** The mean of a few, so that a turn which happens to compact the history counts as what it is. */
export function growthOf(rows: readonly GrowthRow[], span: number): number {
  const mean = (some: readonly GrowthRow[]) =>
    some.reduce((sum, row) => sum + row.write_units, 0) / some.length;
  return mean(rows.slice(-span)) / mean(rows.slice(0, span));
}

if (process.argv[1]?.endsWith('growth.ts')) {
  const rows = await measureGrowth(200);
  const shown = new Set([1, 2, 10, 50, 100, 150, 200]);
  for (const row of rows.filter(({ turn }) => shown.has(turn))) {
    process.stdout.write(`${JSON.stringify({ design: 'boomerang', ...row })}\n`);
  }
  const last = rows.at(-1)?.write_units ?? 0;
  const first = rows[0]?.write_units ?? 1;
  process.stdout.write(
    `${JSON.stringify({ growth: last / first, mean_growth: growthOf(rows, 40) })}\n`,
  );
}
