/** Ports that nothing listens on. */
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Gives a port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const [port] = await freePorts(1);
  if (port === undefined) throw new Error('One port was asked for, and none was given.');
  return port;
}

/** Gives different ports of this machine that are free now. All are open at once, so that none comes twice. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port); // A TCP server that listens has one.
  for (const server of servers) server.close();
  await Promise.all(servers.map((server) => once(server, 'close')));
  return ports;
}
