/** A port that nothing listens on. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Gives a port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // A TCP server that listens has one.
  server.close();
  await once(server, 'close');
  return port;
}
