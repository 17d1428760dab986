import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import dynalite from 'dynalite';
import type { Engine } from './queue-engine.ts';

/** dynalite on loopback only; on disk when it is given a path. */
export async function startTableEngine(path?: string): Promise<Engine> {
  const server = dynalite({ createTableMs: 0, ...(path === undefined ? {} : { path }) });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error ? reject(error) : resolve()));
        server.closeAllConnections();
      }),
  };
}
