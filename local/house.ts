import { serve } from '@hono/node-server';
import type { AddressInfo } from 'node:net';
import { readCiAccess } from '../functions/adapters/ci-access.ts';
import { models } from '../functions/adapters/models.ts';
import { requireSettings } from '../functions/adapters/settings.ts';
import { storePorts } from '../functions/adapters/store-ports.ts';
import { createApp } from '../functions/api/app.ts';
import { devOwner } from '../functions/core/ids.ts';
import type { Log, Ports, Settings } from '../functions/ports.ts';
import { demoWait } from '../functions/tools/demo-wait.ts';
import { registry } from '../functions/tools/registry.ts';
import { fileObjectStore } from './file-object-store.ts';
import { accessOf, hostOf, portOf, urlOf } from './local-settings.ts';
import { startRooms } from './rooms.ts';
import { codeOf, startProblem } from './start-problem.ts';

export interface House {
  readonly url: string;
  stop(): Promise<void>;
}

/** All rooms in one process: the street door on a port, the others behind it. */
export async function startHouse(
  env: NodeJS.ProcessEnv,
  log: Log,
  /** As it was before the engines' own credentials were put into it: a model wants real ones. */
  given: NodeJS.ProcessEnv = env,
): Promise<House> {
  const { OBJECTS_DIR, SERVER_SECRET: serverSecret } = requireSettings(env, [
    'OBJECTS_DIR',
    'SERVER_SECRET',
  ]);
  const stores = storePorts({
    env,
    objects: fileObjectStore(OBJECTS_DIR),
    log,
    serverSecret,
    allowLoopback: true,
  });
  const tools = registry(stores, [demoWait(stores)]);
  const own = { url: '' };
  const ports = {
    ...stores,
    tools,
    model: models(given),
    settings: settingsHere(stores, env, own),
  };
  const { authenticate, ...access } = accessOf(env, ports.settings);
  const app = createApp(ports, authenticate, {
    ...access,
    ci: readCiAccess(env, ports.settings),
  });
  const server = await listen(app.fetch, env);
  own.url = server.url;
  const rooms = startRooms(env, ports);
  return {
    url: server.url,
    async stop() {
      rooms.stop();
      await server.stop();
    },
  };
}

/** Whoever runs the house may see its callbacks. Its own address is known once it listens. */
const settingsHere = (
  { settings }: Pick<Ports, 'settings'>,
  env: NodeJS.ProcessEnv,
  own: { readonly url: string },
): Settings => ({
  ...settings,
  showCallback: true,
  operator: accessOf(env, settings).loopbackOnly ? devOwner : undefined,
  get publicUrl() {
    return settings.publicUrl || own.url;
  },
});

async function listen(fetch: Parameters<typeof serve>[0]['fetch'], env: NodeJS.ProcessEnv) {
  const hostname = hostOf(env);
  const port = portOf(env);
  const server = serve({ fetch, hostname, port });
  await new Promise<void>((resolve, reject) => {
    server.once('listening', resolve);
    server.once('error', (error) => reject(portProblem(error, hostname, port)));
  });
  const { port: chosen } = server.address() as AddressInfo;
  return {
    url: urlOf(hostname, chosen),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        if ('closeAllConnections' in server) server.closeAllConnections();
      }),
  };
}

function portProblem(error: Error, hostname: string, port: number): Error {
  const code = codeOf(error);
  if (code === 'EADDRINUSE') {
    return startProblem(`Port ${port} is in use: stop what uses it, or choose another with PORT.`);
  }
  return startProblem(`Cannot listen on ${urlOf(hostname, port)} (${code}).`);
}
