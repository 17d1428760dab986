import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { TestProject } from 'vitest/node';
import { builtFile } from '../../built.ts';
import { doorNames, type DoorName } from './doors.ts';
import { roundRobin } from './round-robin.ts';

/** The engines in one process, three instances in three, and a round robin for each door. */
export default async function setup(project: TestProject) {
  const folder = mkdtempSync(join(tmpdir(), 'boomerang-instances-'));
  const fromMs = Date.now();
  const { PATH, HOME } = process.env;
  const built = (file: string) => builtFile(project.getProvidedContext().builtPrograms, file);
  const engines = run(built('local/engines-main.ts'), { PATH, HOME, DATA_DIR: folder });
  const shared = Object.fromEntries((await engines.lines()).map((line) => line.split(/=(.*)/s, 2)));
  const env = { PATH, HOME, ...shared, STAGE_FROM_MS: String(fromMs), SWEEP_S: '0.2' };
  const instances = [1, 2, 3].map(() => run(built('test/mcp/instances/main.ts'), env));
  const printed = await Promise.all(instances.map((one) => one.lines()));
  const doors = printed.map((lines) => new Map(lines.map((line) => pair(line.split(' ')))));
  const robins = await Promise.all(
    doorNames.map((name) => roundRobin(doors.map((ports) => ports.get(name) ?? 0))),
  );
  const urls = Object.fromEntries(doorNames.map((name, index) => [name, robins[index]?.url]));
  const secret = String(shared.SERVER_SECRET);
  project.provide('instances', { urls: urls as Record<DoorName, string>, fromMs, secret });
  return async () => {
    for (const robin of robins) robin.stop();
    for (const one of [...instances, engines]) one.kill();
    await Promise.all([...instances, engines].map(({ ended }) => ended));
    rmSync(folder, { recursive: true, force: true });
  };
}

const pair = ([name = '', port]: readonly string[]) => [name, Number(port)] as const;

function run(file: string, env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, [file], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return {
    ended: once(child, 'close'),
    kill: () => child.kill('SIGKILL'),
    /** What it prints until it is ready. */
    async lines(): Promise<readonly string[]> {
      const lines: string[] = [];
      for await (const line of createInterface(child.stdout)) {
        if (line === 'ready') return lines;
        lines.push(line);
      }
      throw new Error(`${file} ended before it was ready.`);
    },
  };
}
