/** A name that leads here is no leave to control it: browsers are held to names that are known, programs to none. */
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Listening, type SandboxOptions } from '../../../../src/index.ts';

interface Answer {
  readonly status: number | undefined;
  readonly body: unknown;
}

/** Sends a Host that `fetch` would not. */
async function ask(port: number, headers: Record<string, string>, body?: string): Promise<Answer> {
  const path = '/_sandbox/clock?merchant=shop';
  const method = body === undefined ? 'GET' : 'POST';
  const asked = request({ host: '127.0.0.1', port, path, method, headers });
  asked.end(body);
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  return { status: answer.statusCode, body: await json(answer) };
}

function opened(options: SandboxOptions, host?: string): () => number {
  const sandbox = createSandbox({ fixtures: 'empty', ...options });
  let transport: Listening;
  beforeAll(async () => {
    transport = await sandbox.listen({ port: 0, host });
  });
  afterAll(() => sandbox.close());
  return () => transport.port;
}

describe('a control call with a Host header', () => {
  const port = opened({});

  it.each<Record<string, string>>([
    {},
    // What the fetch of Node sends by itself.
    { 'Sec-Fetch-Mode': 'cors' },
    { 'Accept-Language': '*', 'Sec-Fetch-Mode': 'cors', 'Accept-Encoding': 'gzip, deflate' },
    // That of Deno.
    { 'Accept-Language': '*', 'Accept-Encoding': 'gzip,br' },
    { 'User-Agent': 'curl/8.5.0', Accept: '*/*' },
  ])('is answered for programs if it names a container: %o', async (headers) => {
    expect((await ask(port(), { Host: 'sandbox:3000', ...headers })).status).toBe(200);
  });

  it.each(['vault.1:3000', '1.2.3.4.5'])(
    'is answered for programs if it is not a valid host name: %s',
    async (host) => {
      const headers = { Host: host, 'Content-Type': 'application/json' };
      const frozen = { status: 200, body: { frozen: true } };
      expect(await ask(port(), headers, '{"freeze":true}')).toMatchObject(frozen);
      expect(await ask(port(), headers)).toMatchObject(frozen);
    },
  );

  it.each<Record<string, string>>([
    { Origin: 'http://evil.test' },
    { 'Sec-Fetch-Site': 'same-origin' },
    { 'Sec-Fetch-Site': 'none', 'Sec-Fetch-Dest': 'document' },
    { 'Sec-Fetch-Dest': 'empty' },
    // All that a browser says of itself to an origin without TLS that it reads from.
    { 'Accept-Language': 'en-US,en;q=0.9', 'Accept-Encoding': 'gzip, deflate' },
  ])('is refused for browsers if it names another site: %o', async (headers) => {
    expect(await ask(port(), { Host: 'evil.test', ...headers })).toMatchObject({
      status: 403,
      body: { error: 'unknown-host', place: 'header Host' },
    });
  });

  it.each(['localhost.evil.test', '127.0.0.1.evil.test', 'evil.test:80'])(
    'is refused for browsers if it only begins like a local name: %s',
    async (host) => {
      const { status } = await ask(port(), { Host: host, 'Sec-Fetch-Site': 'same-origin' });
      expect(status).toBe(403);
    },
  );

  it.each(['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '192.168.1.7', '[::1]', '10.1'])(
    'is answered for its own pages if it names this machine or an IP address: %s',
    async (name) => {
      const own = { Host: `${name}:4000`, Origin: `http://${name}:4000` };
      expect((await ask(port(), own)).status).toBe(200);
    },
  );
});

describe('configured host names', () => {
  const port = opened({ controlAllowedHosts: ['Sandbox.test'], baseUrl: 'https://links.test/' });

  it.each(['sandbox.test', 'SANDBOX.TEST:3000', 'links.test'])('are accepted: %s', async (host) => {
    const own = { Host: host, Origin: `http://${host}` };
    expect((await ask(port(), own)).status).toBe(200);
  });

  it.each(['sandbox.test.evil.test', 'evil.test'])('do not allow other names: %s', async (host) => {
    const { status } = await ask(port(), { Host: host, Origin: `http://${host}` });
    expect(status).toBe(403);
  });

  it.each(['http://sandbox.test', 'sandbox:3000', '', '*'])('cannot include "%s"', (name) => {
    expect(() => createSandbox({ controlAllowedHosts: [name] })).toThrow('controlAllowedHosts');
  });
});
