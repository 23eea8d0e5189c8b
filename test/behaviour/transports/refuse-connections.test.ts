/** A server that is shut while it opens again: it comes back once, when it was last told to. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passing } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { ConnectionRefuser } from '../../../src/transports/refuse-connections.ts';

/** Of a merchant that is not begun anew. */
const forEver = new AbortController().signal;

/** A server, its refuser, and what is done each time it has been told to listen again and does not yet. */
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

it('stays shut as long as it was told last', async () => {
  const { server, refuser, times } = await serverWithRefuser((again, time) => {
    if (time === 1) again.refuse(150, forEver);
  });
  refuser.refuse(0, forEver);
  await once(server, 'listening');
  await passing(50);
  expect(server.listening).toBe(false);
  await once(server, 'listening');
  expect(times()).toBe(2);
  await passing(50);
  expect(server.listening).toBe(true);
});

it('closes for good while it opens', async () => {
  const { server, refuser } = await serverWithRefuser((again) => {
    again.stop();
  });
  refuser.refuse(0, forEver);
  await once(server, 'listening');
  await passing(50);
  expect(server.listening).toBe(false);
});

it('opens early for whoever shut it last, and once', async () => {
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

it('stays closed for good, whoever is begun anew', async () => {
  const { server, refuser } = await serverWithRefuser(() => undefined);
  const merchant = new AbortController();
  refuser.refuse(60_000, merchant.signal);
  refuser.stop();
  merchant.abort();
  await passing(50);
  expect(server.listening).toBe(false);
});
