import { serve } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, inject } from 'vitest';
import { createApp } from '../../functions/api/app.ts';
import type { Clock, Sealer } from '../../functions/ports.ts';
import { demoHouse, letTimePass } from '../running-house.ts';
import { doorOptions, type DoorName } from './instances/doors.ts';
import { instanceStage } from './instances/instance-stage.ts';
import { suiteTools } from './instances/suite-tools.ts';

/**
 * Where the suite plays: a house in memory or, in `npm run test:instances`, three processes that share
 * nothing but the engines, each request at the next of them. Time passes faster in both.
 */
export interface Stage {
  readonly url: string;
  /** Another instance over the same stores, if the first is not another one each time. */
  readonly elsewhere: string;
  /** The same where nothing is held. */
  readonly hastyUrl: string;
  readonly clock: Pick<Clock, 'nowMs' | 'sleep'>;
  /** How much faster its time passes, where that matters to a test. */
  readonly haste: number;
  readonly sealer: Sealer;
  /** The key of an owner whom no other file of the suite knows. */
  readonly key: (name: string) => string;
  stop(): Promise<void>;
}

/** Open a stage before the tests of a file, and close it after them. */
export function useStage(
  file: string,
  door: DoorName,
  begin: (stage: Stage) => unknown,
  /** Whether time must pass at exactly the stage's haste: a client has limits of its own. */
  isExact = false,
): void {
  let stage: Stage | undefined;
  beforeAll(async () => {
    const instances = inject('instances');
    stage = instances ? instanceStage(instances, file, door) : await memoryStage(door, isExact);
    await begin(stage);
  });
  afterAll(() => stage?.stop());
}

/** Where it must be exact; a busy machine keeps up with it. */
const haste = 10;

async function memoryStage(name: DoorName, isExact: boolean): Promise<Stage> {
  const house = demoHouse({ tools: suiteTools, settings: doorOptions(name).settings });
  const open = (door: DoorName) => {
    const { settings: chosen, authenticate } = doorOptions(door);
    const settings = { ...house.ports.settings, ...chosen };
    return openDoor(createApp({ ...house.ports, settings }, authenticate).fetch);
  };
  const doors = await Promise.all([open(name), open(name), open('hasty')]);
  const [url = '', elsewhere = '', hastyUrl = ''] = doors.map((one) => one.url);
  const passing = letTimePass(house, isExact ? haste : undefined);
  const { clock, sealer } = house.ports;
  return {
    url,
    elsewhere,
    hastyUrl,
    clock,
    haste,
    sealer,
    key: (owner) => `key-of-${owner}`,
    async stop() {
      await passing.stop();
      for (const one of doors) one.stop();
    },
  };
}

async function openDoor(fetch: Parameters<typeof serve>[0]['fetch']) {
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop() {
      server.close();
      if ('closeAllConnections' in server) server.closeAllConnections();
    },
  };
}
