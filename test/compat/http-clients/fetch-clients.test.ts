/** Programs that call `fetch`: in this process, over a socket, and beside other programs with the same globals. */
import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.ts';
import { testNow } from '../../support/transports.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { root } from '../../support/repository/source-files.ts';
import { PaymentOut } from '../../../src/contract/service/payments.ts';
import { CardListOut, CardOut } from '../../../src/contract/service/vault.ts';
import { TokenOut } from '../../../src/contract/service/token.ts';

const realOrigin = 'https://api.sandbox.paypal.com';
const testDate = 'Wed, 06 May 2026 07:08:09 GMT';

const opened: Sandbox[] = [];
afterEach(() => Promise.all(opened.splice(0).map((sandbox) => sandbox.close())));

function open(options: SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox({
    seed: 'fetch',
    fixtures: 'empty',
    clock: { start: testNow, frozen: true },
    ...options,
  });
  opened.push(sandbox);
  return sandbox;
}

/** Code under test: it knows the address of the service and receives a `fetch`. */
class Checkout {
  readonly #fetch: typeof globalThis.fetch;
  readonly #origin: string;
  readonly #clientId: string;

  constructor(fetch: typeof globalThis.fetch, origin = realOrigin, clientId = 'checkout') {
    this.#fetch = fetch;
    this.#origin = origin;
    this.#clientId = clientId;
  }

  async token() {
    const response = await this.#fetch(`${this.#origin}/v1/oauth2/token`, {
      method: 'POST',
      headers: { Authorization: `Basic ${btoa(`${this.#clientId}:secret`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    expect(response.status).toBe(200);
    return TokenOut.parse(await response.json());
  }

  send(method: string, path: string, token: string, body?: object): Promise<Response> {
    return this.#fetch(new URL(path, this.#origin), {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async storeCard(token: string) {
    const response = await this.send('POST', '/v1/vault/credit-cards/', token, cardBody());
    expect(response.status).toBe(201);
    return CardOut.parse(await response.json());
  }
}

describe("sandbox.fetch as a program's fetch", () => {
  it('writes links with the address of the real service if the program uses it', async () => {
    const checkout = new Checkout(open().fetch);
    const { access_token: token } = await checkout.token();
    const card = await checkout.storeCard(token);
    const paid = await checkout.send(
      'POST',
      '/v1/payments/payment',
      token,
      paymentBody({ cardId: card.id }),
    );
    const payment = PaymentOut.parse(await paid.json());
    const related = payment.transactions[0]?.related_resources[0];
    const saleLinks = related !== undefined && 'sale' in related ? related.sale.links : [];
    expect(saleLinks).toHaveLength(3);
    for (const { href } of [...card.links, ...payment.links, ...saleLinks]) {
      expect(new URL(href).origin).toBe(realOrigin);
    }
    for (const { href } of card.links) {
      expect(href).toBe(`${realOrigin}/v1/vault/credit-card/${card.id}`);
    }
  });

  it('accepts a Request, a URL, a string and a path', async () => {
    const sandbox = open();
    const path = '/v1/vault/credit-cards';
    const headers = { Authorization: `Bearer ${sandbox.token}` };
    const answers = await Promise.all([
      sandbox.fetch(new Request(realOrigin + path, { headers })),
      sandbox.fetch(new URL(realOrigin + path), { headers }),
      sandbox.fetch(realOrigin + path, { headers }),
      sandbox.fetch(path, { headers }),
      sandbox.request(path, { headers }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const origins = await Promise.all(
      answers.map(async (answer) => {
        const [link] = CardListOut.parse(await answer.json()).links;
        return new URL(link?.href ?? '').origin;
      }),
    );
    const nowhere = 'http://sandbox.local';
    expect(origins).toEqual([realOrigin, realOrigin, realOrigin, nowhere, nowhere]);
  });

  it('starts links with the option baseUrl, whatever address the program uses', async () => {
    const sandbox = open({ baseUrl: 'https://vault.test/' });
    const card = await new Checkout(sandbox.fetch).storeCard(sandbox.token);
    expect(card.links[0]?.href).toBe(`https://vault.test/v1/vault/credit-card/${card.id}`);
  });

  it('works as a detached function', async () => {
    const { fetch } = open();
    const { access_token: token } = await new Checkout((input, init) => fetch(input, init)).token();
    expect(token).toMatch(/^A21\.checkout\./);
  });
});

describe('several sandboxes in one process', () => {
  it('are isolated even with the same merchant and seed', async () => {
    const [one, two] = [open(), open()];
    const [here, there] = [new Checkout(one.fetch), new Checkout(two.fetch)];
    const { access_token: token } = await here.token();
    const card = await here.storeCard(token);
    const shown = await there.send('GET', `/v1/vault/credit-cards/${card.id}`, token);
    expect(shown.status).toBe(404);
    one.merchant('checkout').clock.advance(1000);
    expect(two.merchant('checkout').clock.read().now).toBe(testNow);
    expect([one.merchants(), two.merchants()]).toEqual([['checkout'], ['checkout']]);
    one.deleteMerchant('checkout');
    expect([one.merchants(), two.merchants()]).toEqual([[], ['checkout']]);
  });

  it('refuse tokens of a sandbox with another seed', async () => {
    const [one, two] = [open({ seed: 'one' }), open({ seed: 'two' })];
    const { access_token: token } = await new Checkout(one.fetch).token();
    const answer = await new Checkout(two.fetch).send('GET', '/v1/vault/credit-cards', token);
    expect(answer.status).toBe(401);
    expect(two.merchants()).toEqual([]);
  });

  it('stay open when another one is closed', async () => {
    const [one, two] = [open(), open()];
    const transports = await Promise.all([one.listen({ port: 0 }), two.listen({ port: 0 })]);
    await one.close();
    await expect(new Checkout(fetch, transports[0].url).token()).rejects.toThrow('fetch failed');
    expect((await new Checkout(fetch, transports[1].url).token()).token_type).toBe('Bearer');
  });
});

it('does not change globals of the program', async () => {
  const names = ['Request', 'Response', 'Headers', 'fetch', 'URL', 'ReadableStream'] as const;
  // Node replaces the descriptor of a class when the class is first read.
  const values = names.map((name) => globalThis[name]);
  const before = names.map((name) => Object.getOwnPropertyDescriptor(globalThis, name));
  const sandbox = open();
  const { url } = await sandbox.listen({ port: 0 });
  await new Checkout(sandbox.fetch).token();
  await new Checkout(fetch, url).token();
  await sandbox.close();
  for (const [at, name] of names.entries()) {
    expect(globalThis[name], name).toBe(values[at]);
    expect(Object.getOwnPropertyDescriptor(globalThis, name), name).toEqual(before[at]);
  }
});

describe('listen', () => {
  it('opens two sockets for one sandbox, each with its own address', async () => {
    const sandbox = open();
    const [one, two] = await Promise.all([
      sandbox.listen({ port: 0 }),
      sandbox.listen({ port: 0 }),
    ]);
    expect(one.port).not.toBe(two.port);
    const { access_token: token } = await new Checkout(fetch, one.url).token();
    const card = await new Checkout(fetch, one.url).storeCard(token);
    expect(card.links[0]?.href).toBe(`${one.url}/v1/vault/credit-card/${card.id}`);
    const path = `/v1/vault/credit-cards/${card.id}`;
    const shown = await new Checkout(fetch, two.url).send('GET', path, token);
    const seen = CardOut.parse(await shown.json());
    expect(seen.id).toBe(card.id);
    expect(seen.links[0]?.href).toBe(`${two.url}/v1/vault/credit-card/${card.id}`);

    await one.close();
    expect((await new Checkout(fetch, two.url).send('GET', path, token)).status).toBe(200);
  });

  it("dates its answers by the merchant's clock", async () => {
    const sandbox = open();
    const { url } = await sandbox.listen({ port: 0 });
    const path = '/v1/vault/credit-cards';
    const dates = () =>
      Promise.all(
        [new Checkout(sandbox.fetch), new Checkout(fetch, url)].map(async (checkout) => {
          const answer = await checkout.send('GET', path, sandbox.token);
          return answer.headers.get('date');
        }),
      );
    expect(await dates()).toEqual([testDate, testDate]);
    sandbox.clock.advance(24 * 60 * 60 * 1000);
    const nextDay = 'Thu, 07 May 2026 07:08:09 GMT';
    expect(await dates()).toEqual([nextDay, nextDay]);
    const other = await new Checkout(fetch, url).send('GET', path, 'sandbox.other-merchant');
    expect(other.headers.get('date')).toBe(testDate);
  });
});

describe('close', () => {
  /** Takes less than a second of timers, which is shorter than any timeout that could end a connection. */
  const [tickMs, mostTicks] = [10, 100];

  /** Counts ticks of a timer, because a busy machine delays those as well. */
  async function closesPromptly(sandbox: Sandbox): Promise<void> {
    let ticks = 0;
    const timer = setInterval(() => ticks++, tickMs);
    await sandbox.close();
    clearInterval(timer);
    expect(ticks).toBeLessThan(mostTicks);
  }

  /** A connection that has sent this text and waits. */
  async function stuck(port: number, sent: string): Promise<Socket> {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    await new Promise<void>((resolve) => {
      socket.write(sent, () => resolve());
    });
    return socket;
  }

  it('does not wait for kept-alive connections', async () => {
    const sandbox = open();
    const { url } = await sandbox.listen({ port: 0 });
    const agent = new Agent({ keepAlive: true });
    const headers = { Authorization: `Bearer ${sandbox.token}` };
    await Promise.all(
      [1, 2, 3].map(async () => {
        const request = get(`${url}/v1/vault/credit-cards`, { agent, headers });
        const [response] = await once(request, 'response');
        expect(await text(response)).toContain('"items":[]');
      }),
    );
    expect(Object.values(agent.freeSockets).flat()).toHaveLength(3);
    await closesPromptly(sandbox);
    agent.destroy();
  });

  it.each([
    ['connected and said nothing', ''],
    ['stopped within its headers', 'POST /v1/vault/credit-cards HTTP/1.1\r\nHost: sandbox\r\nAuth'],
    [
      'stopped within its body',
      'POST /v1/vault/credit-cards HTTP/1.1\r\nHost: sandbox\r\nAuthorization: Bearer sandbox.default\r\n' +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"number":',
    ],
  ])('does not wait for a client that %s', async (_what, sent) => {
    const sandbox = open();
    const { port } = await sandbox.listen({ port: 0 });
    const socket = await stuck(port, sent);
    // A reset also ends a connection, and `once` would reject with its error.
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
    });
    await closesPromptly(sandbox);
    await closed;
  });

  it('finishes requests in progress within the grace time', async () => {
    const phases = new EventEmitter();
    const sandbox = open({
      hooks: {
        afterCommit: async () => {
          phases.emit('committed');
          await once(phases, 'go on');
        },
      },
    });
    const { url } = await sandbox.listen({ port: 0 });
    const committed = once(phases, 'committed');
    const stored = new Checkout(fetch, url).storeCard(sandbox.token);
    await committed;
    const closed = sandbox.close(5000);
    phases.emit('go on');
    expect((await stored).state).toBe('ok');
    await closed;
  });

  it('can be called twice', async () => {
    const sandbox = open();
    await sandbox.listen({ port: 0 });
    await Promise.all([sandbox.close(), sandbox.close()]);
    expect(sandbox.health().status).toBe('stopping');
  });
});

describe('unref', () => {
  /** A program that uses the built package, listens, and has nothing else to do. */
  const program = (last: string) => `
    const { createSandbox } = await import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.js')).href)});
    const transport = await createSandbox({ fixtures: 'empty' }).listen({ port: 0 });
    console.log((await fetch(transport.url + '/v1/vault/credit-cards')).status);
    ${last}
  `;

  const run = (last: string) =>
    spawn(process.execPath, ['--input-type=module', '--eval', program(last)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      // If the socket keeps the process alive, the signal ends it and the test fails.
      timeout: 120_000,
    });

  it('lets a process end while its socket is open', async () => {
    const child = run('transport.unref();');
    const exited = once(child, 'exit');
    expect(await text(child.stdout)).toBe('401\n');
    expect(await exited).toEqual([0, null]);
  });

  it('is necessary: without it the socket keeps the process alive', async () => {
    const child = run('setTimeout(() => console.log("still open"), 100).unref();');
    const exited = once(child, 'exit');
    let said = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      said += String(chunk);
      // The timer alone would not keep the process alive, so the socket did.
      if (said.includes('still open')) child.kill();
    }
    expect(said).toBe('401\nstill open\n');
    expect((await exited)[1]).not.toBeNull();
  });
});
