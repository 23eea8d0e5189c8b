/** A control plane with a port of its own: there it answers, and nowhere else. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect, createSandbox, ListenError, type Listening } from '../../../src/index.ts';

const html = { Accept: 'text/html' };

describe('a control plane with a port of its own', () => {
  const sandbox = createSandbox({ seed: 'two', fixtures: 'empty' });
  let door: Listening;
  beforeAll(async () => {
    door = await sandbox.listen({ port: 0, control: { port: 0 } });
  });
  afterAll(() => sandbox.close());
  const authorization = { Authorization: `Bearer ${sandbox.token}` };

  it('says where both are', () => {
    expect(door.control.port).not.toBe(door.port);
    expect(door.control).toEqual({
      url: `http://127.0.0.1:${door.control.port}`,
      host: '127.0.0.1',
      port: door.control.port,
    });
  });

  it('answers there, and the service where it is', async () => {
    const control = connect(door.control.url);
    await control.force({ op: 'card.list', outcome: 'error-forever' });
    expect((await control.health()).status).toBe('ready');
    const path = '/v1/vault/credit-cards';
    const answer = await fetch(door.url + path, { headers: authorization });
    expect(answer.headers.get('sandbox-outcome')).toContain('by=armed');
    expect((await control.journal()).entries).toHaveLength(1);
    await control.all.reset();
    expect((await fetch(door.url + path, { headers: authorization })).status).toBe(200);
  });

  it.each([
    ['GET', '/_sandbox/health'],
    ['POST', '/_sandbox/reset'],
    ['GET', '/_sandbox'],
    ['GET', '/_sandbox/'],
    ['GET', '/_sandbox/openapi.json'],
    ['PUT', '/_sandbox/world'],
    ['GET', '/docs/control'],
    ['GET', '/docs/control/'],
  ])('404 at the main port for %s %s, with the address', async (method, path) => {
    const answer = await fetch(door.url + path, { method });
    expect(answer.status).toBe(404);
    const base = door.control.url;
    expect(await answer.json()).toEqual({
      error: 'unknown-path',
      message: `The control plane does not answer on this port but at ${base}: ask for ${base}${path.replace(/\/$/, '')}.`,
      place: 'path',
      nearest: base,
    });
  });

  it.each([
    ['GET', '/v1/vault/credit-cards'],
    ['POST', '/v1/oauth2/token'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
  ])('404 at the control port for %s %s, with the address', async (method, path) => {
    await connect(door.control.url).all.reset();
    const answer = await fetch(door.control.url + path, { method, headers: authorization });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: 'unknown-path', nearest: door.url });
    expect((await connect(door.control.url).journal()).entries, 'nothing was asked').toEqual([]);
  });

  it('has pages on both that lead to each other', async () => {
    for (const [path, base, other] of [
      ['/docs', door.url, `${door.control.url}/docs/control`],
      ['/docs/control', door.control.url, `${door.url}/docs`],
    ] as const) {
      const page = await (await fetch(base + path, { headers: html })).text();
      const links = [...page.matchAll(/<a\s+href="([^"]+)"/g)].map(([, link]) => link);
      expect(links.slice(0, 3).toSorted()).toEqual(['/', path, other]);
      const loaded = [...page.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, at]) => at);
      expect(loaded.length).toBeGreaterThan(0);
      const statuses = await Promise.all(loaded.map(async (at) => (await fetch(base + at)).status));
      expect(statuses).toEqual(loaded.map(() => 200));
    }
    for (const base of [door.url, door.control.url]) {
      const greeting = (await (await fetch(base)).json()) as { links: Record<string, string> };
      expect(greeting).toMatchObject({ baseUrl: door.url, controlUrl: door.control.url });
      const answers = await Promise.all(Object.values(greeting.links).map((link) => fetch(link)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  });

  it('keeps pages of the main port out, which are of another origin', async () => {
    const answer = await fetch(`${door.control.url}/_sandbox/reset`, {
      method: 'POST',
      headers: { Origin: door.url },
    });
    expect(answer.status).toBe(403);
  });

  it('is in process where it was', async () => {
    expect((await sandbox.request('/_sandbox/health')).status).toBe(200);
    expect((await sandbox.request('/docs/control')).status).toBe(200);
  });
});

describe('two ports', () => {
  it('close together', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const door = await sandbox.listen({ port: 0, control: { port: 0, host: '127.0.0.1' } });
    await sandbox.close();
    for (const url of [door.url, door.control.url]) {
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    }
  });

  it('are the same where none is asked for', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const { url, host, port, control } = await sandbox.listen({ port: 0 });
    expect(control).toEqual({ url, host, port });
  });

  it.each(['main', 'control'])('leave nothing open where the %s one is taken', async (which) => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port: taken } = server.address() as AddressInfo; // It listens on TCP.
    const sandbox = createSandbox({ fixtures: 'empty' });
    const free = await sandbox.listen({ port: 0 });
    await free.close();
    const ports = which === 'main' ? [taken, free.port] : [free.port, taken];
    const [port, control] = ports as [number, number];
    const word = which === 'main' ? 'listen({ port })' : 'listen({ control: { port } })';
    const opened = sandbox.listen({ port, control: { port: control } });
    await expect(opened).rejects.toThrow(ListenError);
    await expect(opened).rejects.toThrow(`choose another port with ${word}, or`);
    await expect(fetch(free.url)).rejects.toThrow('fetch failed');
  });

  it('name the host they were asked by where they listen on all', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const door = await sandbox.listen({ port: 0, host: '0.0.0.0', control: { port: 0 } });
    const answer = await fetch(`http://localhost:${door.port}/_sandbox/health`);
    expect(await answer.json()).toMatchObject({
      nearest: `http://localhost:${door.control.port}`,
    });
  });
});
