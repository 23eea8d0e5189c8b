/** A client that leaves before it has an answer: the exchange is over, and nothing of the answer was delivered. */
import { afterEach, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from '../../../src/index.ts';
import { RawSocket } from '../bad-input/raw-socket.ts';
import { cardBody } from '../../support/samples.ts';

const cards = '/v1/vault/credit-cards';
const opened: Sandbox[] = [];

afterEach(async () => {
  for (const sandbox of opened.splice(0)) await sandbox.close();
});

async function withTransport(options: Partial<SandboxOptions> = {}) {
  const sandbox = createSandbox({ seed: 'leaving', ...options });
  opened.push(sandbox);
  const { url } = await sandbox.listen({ port: 0 });
  const socket = new RawSocket({ base: url });
  return { sandbox, socket, url };
}

const head = ({ token }: Sandbox, method: string, path: string, ...headers: readonly string[]) =>
  [
    `${method} ${path} HTTP/1.1`,
    'Host: a',
    `Authorization: Bearer ${token}`,
    ...headers,
    '',
    '',
  ].join('\r\n');

const json = 'Content-Type: application/json';

/** Every exchange once it is over. */
async function deliveries(sandbox: Sandbox, times: number) {
  const came = await sandbox.waitFor({}, { times, timeoutMs: 120_000 });
  return came.map(({ operation, delivery }) => ({ operation, ...delivery }));
}

const nothing = { state: 'lost', bytesDelivered: 0, clientLeft: true };

/** A gate that a request stands at until it is opened. */
function gate() {
  let open = (): void => undefined;
  let reached = (): void => undefined;
  const isOpen = new Promise<void>((resolve) => (open = resolve));
  const stands = new Promise<void>((resolve) => (reached = resolve));
  const phase = (): Promise<void> => {
    reached();
    return isOpen;
  };
  return { phase, stands, open: () => open() };
}

/** The client is gone, and the server has come round to that: it answered others since. */
async function left({
  socket,
  url,
}: {
  readonly socket: RawSocket;
  readonly url: string;
}): Promise<void> {
  socket.reset();
  await socket.close();
  const ask = async () => (await fetch(`${url}/_sandbox/health`)).text();
  await ask().then(ask);
}

describe('a client that disconnects from a socket', () => {
  it('ends the exchange in the middle of a body, and the verdict does not wait', async () => {
    const { sandbox, socket } = await withTransport();
    await socket.write(`${head(sandbox, 'POST', cards, json, 'Content-Length: 500')}{"type":`);
    await sandbox.waitFor({ delivery: 'open' }, { timeoutMs: 120_000 });
    socket.reset();
    expect(await deliveries(sandbox, 1)).toMatchObject([nothing]);
    const { reasons } = await sandbox.verdict();
    expect(reasons.map(({ kind }) => kind)).not.toContain('open-exchanges');
  });

  it('ends a token call in the middle of its body', async () => {
    const { sandbox, socket } = await withTransport();
    const basic = Buffer.from('default:secret').toString('base64');
    const lines = [
      'POST /v1/oauth2/token HTTP/1.1',
      'Host: a',
      `Authorization: Basic ${basic}`,
      'Content-Type: application/x-www-form-urlencoded',
      'Content-Length: 500',
      '',
      'grant_type=',
    ];
    await socket.write(lines.join('\r\n'));
    await sandbox.waitFor({ delivery: 'open' }, { timeoutMs: 120_000 });
    socket.reset();
    expect(await deliveries(sandbox, 1)).toMatchObject([nothing]);
  });

  it('ends the exchange after an invalid chunk', async () => {
    const { sandbox, socket } = await withTransport();
    await socket.write(`${head(sandbox, 'POST', cards, json, 'Transfer-Encoding: chunked')}zz\r\n`);
    expect(await deliveries(sandbox, 1)).toMatchObject([nothing]);
  });

  it.each(['beforeRead', 'beforeCommit', 'afterCommit'] as const)(
    'ends the exchange while it is held %s',
    async (at) => {
      const held = gate();
      const { sandbox, socket, url } = await withTransport({ hooks: { [at]: held.phase } });
      const body = JSON.stringify(cardBody());
      await socket.write(
        head(sandbox, 'POST', cards, json, `Content-Length: ${body.length}`) + body,
      );
      await held.stands;
      await left({ socket, url });
      held.open();
      expect(await deliveries(sandbox, 1)).toMatchObject([nothing]);
      expect(await sandbox.metrics()).toMatch(/requests_under_way\S* 0$/m);
    },
  );

  it('ends a request before its outcome would hang', async () => {
    const held = gate();
    const { sandbox, socket, url } = await withTransport({ hooks: { beforeRead: held.phase } });
    sandbox.force({ op: 'card.list', outcome: 'hang-before-commit' });
    await socket.write(head(sandbox, 'GET', cards));
    await held.stands;
    await left({ socket, url });
    held.open();
    expect(await deliveries(sandbox, 1)).toMatchObject([nothing]);
  });

  it('ends a request that waits behind another', async () => {
    const { sandbox, socket } = await withTransport();
    sandbox.force({
      op: 'card.list',
      outcome: { outcome: 'slow-first-byte', with: { delay: '20s' } },
    });
    await socket.write(head(sandbox, 'GET', cards) + head(sandbox, 'GET', `${cards}/CARD-NONE`));
    await sandbox.waitFor({ operation: 'card.get', delivery: 'open' }, { timeoutMs: 120_000 });
    socket.reset();
    const over = await deliveries(sandbox, 2);
    expect(over).toMatchObject([nothing, nothing]);
  });
});

describe('a caller that aborts in process', () => {
  const call = (sandbox: Sandbox, signal: AbortSignal, path = cards, body: unknown = cardBody()) =>
    sandbox.request(path, {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
      signal,
    });

  it.each([
    undefined,
    'slow-dribble',
    'slow-first-byte',
    'truncated-body',
    'malformed-chunk',
  ] as const)('gets its abort reason, and no part of the answer: %s', async (outcome) => {
    const sandbox = createSandbox({ seed: 'leaving' });
    if (outcome !== undefined) sandbox.force({ op: 'card.create', outcome });
    const leaving = new AbortController();
    const asked = call(sandbox, leaving.signal);
    const why = new Error('no time left');
    leaving.abort(why);
    await expect(asked).rejects.toBe(why);
    expect(await deliveries(sandbox, 1)).toMatchObject([nothing]);
  });

  it('ends its wait for requests', async () => {
    const sandbox = createSandbox({ seed: 'leaving' });
    const leaving = new AbortController();
    const asked = call(sandbox, leaving.signal, '/_sandbox/journal/wait', { timeout: '20s' });
    leaving.abort();
    await expect(asked).rejects.toMatchObject({ name: 'AbortError' });
  });

  it('keeps the answer that it already has', async () => {
    const sandbox = createSandbox({ seed: 'leaving' });
    const leaving = new AbortController();
    const answer = await call(sandbox, leaving.signal);
    leaving.abort();
    expect(answer.status).toBe(201);
    expect(await deliveries(sandbox, 1)).toMatchObject([{ state: 'delivered', clientLeft: false }]);
  });
});
