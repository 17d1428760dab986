import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import '../local/quiet.ts';
import { startEngines } from '../local/engines.ts';
import { startHouse, type House } from '../local/house.ts';

/** From the end of a task to the model request it wakes, over HTTP on the embedded engines. */
interface WakeTimes {
  readonly rounds: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const script = [
  {
    when: { text_includes: 'go' },
    text: 'On it.',
    tool_calls: [{ id: 'call_1', name: 'demo_wait', arguments: { seconds: 0.2 } }],
  },
  { when: { response_for: 'call_1' }, text: 'Done.' },
];

async function measureWaking(rounds: number): Promise<WakeTimes> {
  const folder = mkdtempSync(join(tmpdir(), 'boomerang-bench-'));
  const file = join(folder, 'script.json');
  writeFileSync(file, JSON.stringify(script));
  const engines = await startEngines(join(folder, 'data'));
  const env = { ...process.env, ...engines.environment, PORT: '0', MODEL: `scripted:${file}` };
  Object.assign(process.env, engines.environment);
  const house = await startHouse(env, () => {});
  const times: number[] = [];
  // The first rounds load what every later one has in memory.
  for (let round = -5; round < rounds; round += 1) {
    const ms = await wakeOnce(house);
    if (round >= 0) times.push(ms);
  }
  await house.stop();
  await engines.stop();
  rmSync(folder, { recursive: true, force: true });
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { rounds, p50_ms: at(0.5), p99_ms: at(0.99) };
}

async function wakeOnce({ url }: House): Promise<number> {
  const headers = { 'content-type': 'application/json' };
  const post = async (path: string, body: object) =>
    (await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  const { session_id: id } = (await post('/v1/sessions', {})) as { session_id: string };
  await post(`/v1/sessions/${id}/input`, { text: 'go' });
  for (;;) {
    const audit = await (await fetch(`${url}/v1/sessions/${id}/audit`)).text();
    const woken = audit.split('\n').find((line) => line.includes('"turn":2'));
    if (woken) return sinceEnd(url, id, woken);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function sinceEnd(url: string, sessionId: string, row: string): Promise<number> {
  const { began_at } = JSON.parse(row) as { began_at: string };
  const listed = await (await fetch(`${url}/v1/tasks?session_id=${sessionId}`)).json();
  const [task] = (listed as { items: { ended_at: string }[] }).items;
  return Date.parse(began_at) - Date.parse(task?.ended_at ?? began_at);
}

if (process.argv[1]?.endsWith('resume.ts')) {
  process.stdout.write(`${JSON.stringify(await measureWaking(100))}\n`);
  process.exit(0);
}
