/** A server that refuses connections again while it starts to listen: it listens once, at the latest time given. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passing } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ConnectionRefuser } from '../../../src/transports/refuse-connections.ts';

/** The signal of a merchant that is never reset. */
const forEver = new AbortController().signal;

/** A server, its refuser, and a hook that runs after each call of `listen`, before the server listens. */
async function serverWithRefuser(whileOpening: (refuser: ConnectionRefuser, time: number) => void) {
  const server: Server = createServer();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const refuser = new ConnectionRefuser(server, { host: 'localhost', port });
  const listen = server.listen.bind(server) as (port: number, host: string) => Server; // One of its forms.
  let times = 0;
  server.listen = (...given: unknown[]) => {
    const listening = listen(Number(given[0]), String(given[1]));
    whileOpening(refuser, ++times);
    return listening;
  };
  return { server, refuser, times: () => times };
}

it('a socket refuses connections for the time of the last call', async () => {
  let calledAtMs = 0;
  const { server, refuser, times } = await serverWithRefuser((again, time) => {
    if (time !== 1) return;
    calledAtMs = performance.now();
    again.refuse(150, forEver);
  });
  refuser.refuse(0, forEver);
  await once(server, 'listening');
  await once(server, 'listening');
  expect(times()).toBe(2);
  // A timer may be a millisecond early, and late by any time.
  expect(performance.now() - calledAtMs).toBeGreaterThanOrEqual(149);
  await passing(50);
  expect(server.listening).toBe(true);
});

it('a socket can be stopped while it starts to listen again', async () => {
  const { server, refuser } = await serverWithRefuser((again) => {
    again.stop();
  });
  refuser.refuse(0, forEver);
  await once(server, 'listening');
  await expect.poll(() => server.listening).toBe(false);
  await passing(50);
  expect(server.listening).toBe(false);
});

it('a socket listens again, once, when the merchant of the last call is reset', async () => {
  const { server, refuser, times } = await serverWithRefuser(() => undefined);
  const [first, last] = [new AbortController(), new AbortController()];
  refuser.refuse(60_000, first.signal);
  refuser.refuse(60_000, last.signal);
  first.abort();
  await passing(50);
  expect(server.listening).toBe(false);
  last.abort();
  await once(server, 'listening');
  refuser.refuse(60_000, last.signal);
  expect([server.listening, times()]).toEqual([true, 1]);
});

it('a stopped socket stays closed, even when a merchant is reset', async () => {
  const { server, refuser } = await serverWithRefuser(() => undefined);
  const merchant = new AbortController();
  refuser.refuse(60_000, merchant.signal);
  refuser.stop();
  merchant.abort();
  await passing(50);
  expect(server.listening).toBe(false);
});
