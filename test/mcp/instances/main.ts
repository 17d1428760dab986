import { serve } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { models } from '../../../functions/adapters/models.ts';
import { storePorts } from '../../../functions/adapters/store-ports.ts';
import { createApp } from '../../../functions/api/app.ts';
import type { Queue } from '../../../functions/ports.ts';
import { registry } from '../../../functions/tools/registry.ts';
import { demoWait } from '../../../functions/tools/demo-wait.ts';
import { fileObjectStore } from '../../../local/file-object-store.ts';
import '../../../local/quiet.ts';
import { queuesOf, startRooms, type RoomQueue } from '../../../local/rooms.ts';
import { doorNames, doorOptions } from './doors.ts';
import { haste, hastyClock } from './hasty-clock.ts';
import { suiteTools } from './suite-tools.ts';

/** One instance: every room of the house, and a port for each door. Its engines run elsewhere. */
const { env } = process;
const { SERVER_SECRET: serverSecret = '', OBJECTS_DIR = '', STAGE_FROM_MS } = env;
const plain = storePorts({
  env,
  objects: fileObjectStore(OBJECTS_DIR),
  log: () => {},
  serverSecret,
  allowLoopback: true,
});

/** The engines keep our time, so what they are told to wait for is told in it. */
const sooner = <Message>(queue: Queue<Message>): Queue<Message> => ({
  send: (messages, delayMs = 0) => queue.send(messages, delayMs / haste),
});
const hiddenLess = ({ reader, hide }: RoomQueue): RoomQueue => ({
  reader,
  hide: (receipt, forMs) => hide(receipt, forMs / haste),
});

const stores = {
  ...plain,
  work: sooner(plain.work),
  resumes: sooner(plain.resumes),
  deliveries: sooner(plain.deliveries),
  clock: hastyClock(Number(STAGE_FROM_MS)),
};
const tools = registry(stores, [demoWait(stores), ...suiteTools]);
const ports = { ...stores, tools, model: models(env) };

for (const name of doorNames) {
  const { settings: chosen, authenticate } = doorOptions(name);
  const settings = { ...stores.settings, ...chosen };
  const { fetch } = createApp({ ...ports, settings }, authenticate);
  const server = serve({ fetch, hostname: '127.0.0.1', port: 0 });
  await once(server, 'listening');
  process.stdout.write(`${name} ${(server.address() as AddressInfo).port}\n`);
}
const settings = { ...stores.settings, ...doorOptions('short').settings };
const { work, resumes, webhooks, dead } = queuesOf(env, settings.claimMs);
const queues = {
  work: hiddenLess(work),
  resumes: hiddenLess(resumes),
  webhooks: hiddenLess(webhooks),
  dead,
};
startRooms(env, { ...ports, settings }, queues);
process.stdout.write('ready\n');
