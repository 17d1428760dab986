import '../local/quiet.ts';
import { startTask } from '../functions/tasks/start-task.ts';
import { liveOnce, measuredHouse, measuredStart, measuredTool, type LifeSize } from './life.ts';
import { naiveLife } from './naive.ts';
import type { Ledger } from './recorder.ts';
import { measureWakeDepth, sessionRow } from './session-ledger.ts';

/** Write units and requests of one call life, counted request by request. */
interface LedgerRow {
  readonly design: 'boomerang' | 'naive';
  readonly k: number;
  readonly write_units: number;
  readonly sqs_requests: number;
  readonly arguments_bytes: number;
  readonly result_bytes: number;
  readonly visibility_requests: number;
  readonly transactions_and_scans: number;
}

const small = { argumentsBytes: 300, resultBytes: 500 };
const large = { argumentsBytes: 20 * 1024, resultBytes: 40 * 1024 };
const sizes: readonly LifeSize[] = [
  { ...small, progressEvents: 0 },
  { ...small, progressEvents: 4 },
  { ...small, progressEvents: 20 },
  { argumentsBytes: 4096, resultBytes: 4096, progressEvents: 4 },
  { ...large, progressEvents: 4 },
];

export async function boomerangRow(size: LifeSize): Promise<LedgerRow> {
  const house = await measuredHouse(() => measuredTool(size));
  await liveOnce(house, size);
  await house.stop();
  return rowOf('boomerang', size, house.ledger);
}

const naiveRow = async (size: LifeSize) => rowOf('naive', size, await naiveLife(size));

function rowOf(design: LedgerRow['design'], size: LifeSize, { requests }: Ledger): LedgerRow {
  const visibility = requests.filter(({ command }) => command.startsWith('ChangeMessage'));
  const sqs = requests.reduce((sum, { chunks }) => sum + chunks, 0);
  return {
    design,
    k: size.progressEvents,
    write_units: requests.reduce((sum, one) => sum + one.tableUnits + one.indexUnits, 0),
    sqs_requests: sqs,
    arguments_bytes: size.argumentsBytes,
    result_bytes: size.resultBytes,
    visibility_requests: visibility.length,
    transactions_and_scans: requests.filter(({ command }) => /Transact|Scan/.test(command)).length,
  };
}

const delayMs = 300;

/** Serial round trips: with a delay put into every request, the time taken tells how many were in a row. */
export async function measureDepth(): Promise<{ start: number; progress: number }> {
  const size = { ...small, progressEvents: 1 };
  let progressMs = 0;
  const house = await measuredHouse(() => {
    const tool = measuredTool({ ...size, progressEvents: 0 });
    return {
      ...tool,
      async run(input, task) {
        const beganAt = performance.now();
        await task.progress(50, 'half');
        progressMs = performance.now() - beganAt;
        return tool.run(input, task);
      },
    };
  }, delayMs);
  await startTask(house.ports, measuredStart(size));
  await house.workOnce();
  const beganAt = performance.now();
  await startTask(house.ports, measuredStart(size));
  const startMs = performance.now() - beganAt;
  await house.workOnce();
  await house.stop();
  return { start: Math.round(startMs / delayMs), progress: Math.round(progressMs / delayMs) };
}

/** Start to handle, with sixteen calls in flight. */
async function measureStart(calls: number): Promise<{ p50_ms: number; p99_ms: number }> {
  const size = { ...small, progressEvents: 0 };
  const house = await measuredHouse(() => measuredTool(size));
  const times: number[] = [];
  let left = calls;
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const beganAt = performance.now();
      await startTask(house.ports, measuredStart(size));
      times.push(performance.now() - beganAt);
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  await house.stop();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return { p50_ms: at(0.5), p99_ms: at(0.99) };
}

if (process.argv[1]?.endsWith('ledger.ts')) {
  const print = (row: object) => process.stdout.write(`${JSON.stringify(row)}\n`);
  for (const size of sizes) {
    print(await boomerangRow(size));
    print(await naiveRow(size));
  }
  for (const k of [0, 4, 20]) print(await sessionRow(k));
  // Beside the table, so that whoever parses it meets only rows.
  const remark = (what: object) => process.stderr.write(`${JSON.stringify(what)}\n`);
  remark({ serial_depth: { ...(await measureDepth()), wake: await measureWakeDepth() } });
  remark({ start_to_handle_16_in_flight: await measureStart(1000) });
}
