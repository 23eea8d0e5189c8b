/** A server that is shut while it opens again: it comes back once, when it was last told to. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as passing } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { Shutter } from '../../../src/transports/refuse-connections.ts';

/** Of a merchant that is not begun anew. */
const forEver = new AbortController().signal;

/** A server, its shutter, and what is done each time it has been told to listen again and does not yet. */
async function shuttered(whileOpening: (shutter: Shutter, time: number) => void) {
  const server: Server = createServer();
  server.listen(0, 'localhost');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo; // It listens on TCP.
  const shutter = new Shutter(server, { host: 'localhost', port });
  const listen = server.listen.bind(server) as (port: number, host: string) => Server; // One of its forms.
  let times = 0;
  server.listen = (...given: unknown[]) => {
    const listening = listen(Number(given[0]), String(given[1]));
    whileOpening(shutter, ++times);
    return listening;
  };
  return { server, shutter, times: () => times };
}

it('stays shut as long as it was told last', async () => {
  const { server, shutter, times } = await shuttered((again, time) => {
    if (time === 1) again.shut(150, forEver);
  });
  shutter.shut(0, forEver);
  await once(server, 'listening');
  await passing(50);
  expect(server.listening).toBe(false);
  await once(server, 'listening');
  expect(times()).toBe(2);
  await passing(50);
  expect(server.listening).toBe(true);
});

it('closes for good while it opens', async () => {
  const { server, shutter } = await shuttered((again) => {
    again.stop();
  });
  shutter.shut(0, forEver);
  await once(server, 'listening');
  await passing(50);
  expect(server.listening).toBe(false);
});

it('opens early for whoever shut it last, and once', async () => {
  const { server, shutter, times } = await shuttered(() => undefined);
  const [first, last] = [new AbortController(), new AbortController()];
  shutter.shut(60_000, first.signal);
  shutter.shut(60_000, last.signal);
  first.abort();
  await passing(50);
  expect(server.listening).toBe(false);
  last.abort();
  await once(server, 'listening');
  shutter.shut(60_000, last.signal);
  expect([server.listening, times()]).toEqual([true, 1]);
});

it('stays closed for good, whoever is begun anew', async () => {
  const { server, shutter } = await shuttered(() => undefined);
  const merchant = new AbortController();
  shutter.shut(60_000, merchant.signal);
  shutter.stop();
  merchant.abort();
  await passing(50);
  expect(server.listening).toBe(false);
});
