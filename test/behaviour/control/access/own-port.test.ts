/** A control API with its own port answers on that port only. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { connect, createSandbox, ListenError, type Listening } from '../../../../src/index.ts';

const html = { Accept: 'text/html' };

describe('a control API with its own port', () => {
  const sandbox = createSandbox({ seed: 'two', fixtures: 'empty' });
  let transport: Listening;
  beforeAll(async () => {
    transport = await sandbox.listen({ port: 0, control: { port: 0 } });
  });
  afterAll(() => sandbox.close());
  const authorization = { Authorization: `Bearer ${sandbox.token}` };

  it('reports both addresses', () => {
    expect(transport.control.port).not.toBe(transport.port);
    expect(transport.control).toEqual({
      url: `http://127.0.0.1:${transport.control.port}`,
      host: '127.0.0.1',
      port: transport.control.port,
    });
  });

  it('answers at its port, and the service at the main port', async () => {
    const control = connect(transport.control.url);
    await control.force({ op: 'card.list', outcome: 'error-forever' });
    expect((await control.health()).status).toBe('ready');
    const path = '/v1/vault/credit-cards';
    const answer = await fetch(transport.url + path, { headers: authorization });
    expect(answer.headers.get('sandbox-outcome')).toContain('by=armed');
    expect((await control.journal()).entries).toHaveLength(1);
    await control.all.reset();
    expect((await fetch(transport.url + path, { headers: authorization })).status).toBe(200);
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
  ])('404 at the main port for %s %s, with the right address', async (method, path) => {
    const answer = await fetch(transport.url + path, { method });
    expect(answer.status).toBe(404);
    const base = transport.control.url;
    expect(await answer.json()).toEqual({
      error: 'unknown-path',
      message: `The control API does not answer on this port but at ${base}: ask for ${base}${path.replace(/\/$/, '')}.`,
      place: 'path',
      nearest: base,
    });
  });

  it.each([
    ['GET', '/v1/vault/credit-cards'],
    ['POST', '/v1/oauth2/token'],
    ['GET', '/openapi.json'],
    ['GET', '/docs'],
  ])('404 at the control port for %s %s, with the right address', async (method, path) => {
    await connect(transport.control.url).all.reset();
    const answer = await fetch(transport.control.url + path, { method, headers: authorization });
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ error: 'unknown-path', nearest: transport.url });
    expect((await connect(transport.control.url).journal()).entries, 'nothing was asked').toEqual(
      [],
    );
  });

  it('has pages on both ports that link to each other', async () => {
    for (const [path, base, other] of [
      ['/docs', transport.url, `${transport.control.url}/docs/control`],
      ['/docs/control', transport.control.url, `${transport.url}/docs`],
    ] as const) {
      const page = await (await fetch(base + path, { headers: html })).text();
      const links = [...page.matchAll(/<a\s+href="([^"]+)"/g)].map(([, link]) => link);
      expect(links.slice(0, 3).toSorted()).toEqual(['/', path, other]);
      const loaded = [...page.matchAll(/(?:src|stylesheet" href)="([^"]+)"/g)].map(([, at]) => at);
      expect(loaded.length).toBeGreaterThan(0);
      const statuses = await Promise.all(loaded.map(async (at) => (await fetch(base + at)).status));
      expect(statuses).toEqual(loaded.map(() => 200));
    }
    for (const base of [transport.url, transport.control.url]) {
      const greeting = (await (await fetch(base)).json()) as { links: Record<string, string> };
      expect(greeting).toMatchObject({ baseUrl: transport.url, controlUrl: transport.control.url });
      const answers = await Promise.all(Object.values(greeting.links).map((link) => fetch(link)));
      expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    }
  });

  it('refuses pages of the main port, which have another origin', async () => {
    const answer = await fetch(`${transport.control.url}/_sandbox/reset`, {
      method: 'POST',
      headers: { Origin: transport.url },
    });
    expect(answer.status).toBe(403);
  });

  it('keeps its paths in process', async () => {
    expect((await sandbox.request('/_sandbox/health')).status).toBe(200);
    expect((await sandbox.request('/docs/control')).status).toBe(200);
  });
});

describe('the two ports of a sandbox', () => {
  it('close together', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    const transport = await sandbox.listen({ port: 0, control: { port: 0, host: '127.0.0.1' } });
    await sandbox.close();
    for (const url of [transport.url, transport.control.url]) {
      await expect(fetch(url)).rejects.toThrow('fetch failed');
    }
  });

  it('are the same without a control port', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const { url, host, port, control } = await sandbox.listen({ port: 0 });
    expect(control).toEqual({ url, host, port });
  });

  it.each(['main', 'control'])('are both closed if the %s port is in use', async (which) => {
    const server = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void server.close());
    await once(server, 'listening');
    const { port: taken } = server.address() as AddressInfo; // It listens on TCP.
    const sandbox = createSandbox({ fixtures: 'empty' });
    const free = await sandbox.listen({ port: 0 });
    await free.close();
    const ports = which === 'main' ? [taken, free.port] : [free.port, taken];
    const [port, control] = ports as [number, number];
    const word =
      which === 'main' ? 'listen({ port: 7801 })' : 'listen({ control: { port: 7802 } })';
    const opened = sandbox.listen({ port, control: { port: control } });
    await expect(opened).rejects.toThrow(ListenError);
    await expect(opened).rejects.toThrow(`choose another port, such as ${word}.`);
    await expect(fetch(free.url)).rejects.toThrow('fetch failed');
  });

  it('appear with the host of the request if the sandbox listens on all addresses', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const transport = await sandbox.listen({ port: 0, host: '0.0.0.0', control: { port: 0 } });
    const answer = await fetch(`http://localhost:${transport.port}/_sandbox/health`);
    expect(await answer.json()).toMatchObject({
      nearest: `http://localhost:${transport.control.port}`,
    });
  });
});
