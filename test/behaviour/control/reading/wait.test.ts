/** A call that waits: it ends with what it waits for, with its time, its client, its merchant and the sandbox. */
import { once } from 'node:events';
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../../../src/transports/listen.ts';
import {
  connect,
  createSandbox,
  WaitEndedError,
  WaitLimitError,
  type Sandbox,
  type WaitOptions,
} from '../../../../src/index.ts';
import { maxWaits } from '../../../../src/journal/query/wait.ts';
import { metricRows } from '../../../../src/metrics/rows.ts';
import { SandboxCore } from '../../../../src/sandbox/sandbox.ts';
import { readExposition, valueOf } from '../../metrics/exposition-format.ts';
import { worldCreated } from '../../../support/worlds/world-created.ts';
import { onEveryTransport } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { call } from '../call.ts';

/** What a promise is rejected with. */
async function refusalOf(promise: Promise<unknown> | undefined): Promise<unknown> {
  return promise?.then(
    () => 'it was not rejected',
    (error: unknown) => error,
  );
}

/** How many waits are open, as the metrics say. */
async function waitsOf(sandbox: Sandbox): Promise<number> {
  return valueOf(readExposition(await sandbox.metrics()), metricRows.waits.name);
}

const stored = { match: { operation: 'card.create' } } as const;

onEveryTransport('a wait over HTTP', (transport) => {
  it('200 returns once the requests have arrived, and not earlier', async () => {
    const shop = transport.shop();
    const of = `merchant=${shop.merchant.id}`;
    const asked = { ...stored, times: 2 };
    let isOver = false;
    const wait = call(transport, `POST /_sandbox/journal/wait?${of}`, asked).finally(
      () => (isOver = true),
    );
    await worldCreated(transport.sandbox, shop.merchant.id);
    await storeCard(shop);
    await call(transport, 'GET /_sandbox/health');
    expect(isOver).toBe(false);
    await storeCard(shop);
    expect(await wait).toMatchObject({ status: 200, body: [{ seq: 1 }, { seq: 2 }] });
    expect(
      (await call(transport, `POST /_sandbox/journal/wait?${of}`, asked)).status,
      'again',
    ).toBe(200);
  });

  it('408 lists the other requests if the expected ones did not arrive in time', async () => {
    const shop = transport.shop();
    await storeCard(shop);
    const asked = { ...stored, times: 2, timeoutMs: 20 };
    // In process the wait alone keeps no program alive.
    const awake = setTimeout(() => undefined, 5_000);
    const { status, body } = await call(
      transport,
      `POST /_sandbox/journal/wait?merchant=${shop.merchant.id}`,
      asked,
    );
    clearTimeout(awake);
    expect(status).toBe(408);
    expect(body).toMatchObject({
      error: 'wait-timeout',
      message: expect.stringMatching(
        /^Waited 20 ms for 2 exchanges with operation card\.create; 1 arrived\.\nArrived instead:\n/,
      ),
      seen: [{ seq: 1, operation: 'card.create' }],
    });
  });

  it('400 refuses to wait for more requests than the journal keeps', async () => {
    const { id } = transport.shop().merchant;
    const asked = { ...stored, times: 1_001 };
    const { status, body } = await call(
      transport,
      `POST /_sandbox/journal/wait?merchant=${id}`,
      asked,
    );
    expect(status).toBe(400);
    expect(body).toMatchObject({
      error: 'invalid-query',
      place: 'body.times',
      message: expect.stringMatching(/^'times' must be at most 1000, .*maxJournalEntries/),
    });
  });

  it('403 refuses a wait over the limit, and the metrics count waits', async () => {
    const { merchant } = transport.shop();
    const before = await waitsOf(transport.sandbox);
    const waits = Array.from({ length: maxWaits }, () => merchant.waitFor(stored.match));
    const ended = Promise.allSettled(waits);
    expect(await waitsOf(transport.sandbox)).toBe(before + maxWaits);
    const path = `/_sandbox/journal/wait?merchant=${merchant.id}`;
    const { status, body } = await call(transport, `POST ${path}`, stored);
    expect(status).toBe(403);
    expect(body).toMatchObject({ error: 'waits-full', place: 'query.merchant' });
    merchant.reset();
    await ended;
    expect(await waitsOf(transport.sandbox)).toBe(before);
  });

  it.each(['reset', 'delete', 'reset all'])(
    '409 ends the wait when its merchant ends: %s',
    async (how) => {
      const shop = transport.shop();
      const { id } = shop.merchant;
      const wait = call(transport, `POST /_sandbox/journal/wait?merchant=${id}`, stored);
      await worldCreated(transport.sandbox, id);
      if (how === 'reset') shop.merchant.reset();
      else if (how === 'delete') transport.sandbox.deleteMerchant(id);
      else transport.sandbox.all.reset();
      const { status, body } = await wait;
      expect(status).toBe(409);
      expect(body).toMatchObject({ error: 'wait-ended', message: expect.stringContaining(id) });
    },
  );
});

it('closing a sandbox rejects every wait', async () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  const names = ['one', 'two', 'three'];
  const waits = names.map((merchant) =>
    refusalOf(connect(url, { merchant }).waitFor(stored.match)),
  );
  await Promise.all(names.map((name) => worldCreated(sandbox, name)));
  await sandbox.close();
  const ended = new WaitEndedError('The sandbox closes, so the exchanges can no longer arrive.');
  expect(await Promise.all(waits)).toEqual([ended, ended, ended]);
  expect(await refusalOf(sandbox.waitFor(stored.match)), 'from now on').toEqual(ended);
});

it('many waits at once cause no leak warning of Node', async () => {
  const sandbox = createSandbox();
  const warnings: Error[] = [];
  const note = (warning: Error): number => warnings.push(warning);
  process.on('warning', note);
  const waits = Array.from({ length: 20 }, () => sandbox.waitFor({ operation: 'card.get' }));
  const ended = Promise.allSettled(waits);
  await sandbox.close();
  expect((await ended).map(({ status }) => status)).toEqual(waits.map(() => 'rejected'));
  // Warnings are given once whatever is under way is through.
  await new Promise(setImmediate);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

it('a wait over the limit has the same error in process and over HTTP', async () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  const waits = Array.from({ length: maxWaits }, () => refusalOf(sandbox.waitFor(stored.match)));
  const refused = await refusalOf(connect(url).waitFor(stored.match));
  expect(refused).toBeInstanceOf(WaitLimitError);
  expect(refused).toEqual(await refusalOf(sandbox.waitFor(stored.match)));
  await sandbox.close();
  await Promise.all(waits);
});

it('a wait is refused if the journal is off', async () => {
  const sandbox = createSandbox({ fixtures: 'empty', limits: { maxJournalEntries: 0 } });
  onTestFinished(() => sandbox.close());
  await expect(sandbox.waitFor(stored.match)).rejects.toThrow(
    "'times' cannot be met: the journal is off. Set limits.maxJournalEntries (--max-journal-entries).",
  );
});

it('a wait in process refuses an invalid signal and leaves no open wait', async () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  onTestFinished(() => sandbox.close());
  const headers = { Authorization: `Bearer ${sandbox.token}` };
  const wrong: unknown[] = [7, {}, { aborted: false }, new AbortController()];
  for (const signal of wrong) {
    // What JavaScript passes, whatever the types say.
    const asked = sandbox.waitFor({}, { signal: signal as AbortSignal });
    expect(await refusalOf(asked)).toMatchObject({ name: 'QueryError', place: 'signal' });
  }
  expect(await waitsOf(sandbox)).toBe(0);
  // `fetch` takes null for no signal, too.
  const wait = sandbox.waitFor({}, { signal: null });
  expect((await sandbox.request('/v1/vault/credit-cards', { headers })).status).toBe(200);
  expect(await wait).toHaveLength(1);
  sandbox.reset();
});

it('a wait ends when its client disconnects', async () => {
  let settings: WaitOptions | undefined;
  let wait: Promise<unknown> | undefined;
  class Watched extends SandboxCore {
    override waitFor(...asked: Parameters<SandboxCore['waitFor']>) {
      const came = super.waitFor(...asked);
      [wait, settings] = [came, asked[1].options];
      return came;
    }
  }
  const faults: unknown[] = [];
  const core = new Watched({
    fixtures: 'empty',
    listeners: { onControlFailure: (fault) => faults.push(fault) },
  });
  const transport = await listen(core, { port: 0 });
  onTestFinished(() => transport.close());
  const leaving = new AbortController();
  const { signal } = leaving;
  const asked = connect(transport.url, { merchant: 'shop' }).waitFor(stored.match, { signal });
  const left = refusalOf(asked);
  await worldCreated(connect(transport.url), 'shop');
  leaving.abort(new Error('enough'));
  expect(await left).toMatchObject({ message: 'enough' });
  expect(await refusalOf(wait), 'the verb fails too').toMatchObject({
    message: expect.stringMatching(/^The wait was aborted: /),
  });
  expect(settings?.signal?.aborted).toBe(true);
  expect((await connect(transport.url).health()).status).toBe('ready');
  expect(faults, 'which is no bug').toEqual([]);
});

it('a wait keeps its connection open for the next call', async () => {
  const sandbox = createSandbox({ fixtures: 'empty' });
  const { url } = await sandbox.listen({ port: 0 });
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  onTestFinished(() => sandbox.close());
  const ask = async (path: string, body: object): Promise<[ClientRequest, string]> => {
    const headers = { 'Content-Type': 'application/json' };
    const asked = request(url + path, { method: 'POST', agent, headers });
    asked.end(JSON.stringify(body));
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    return [asked, await text(answer)];
  };
  const [, timeout] = await ask('/_sandbox/journal/wait', { timeoutMs: 30 });
  expect(timeout).toContain('wait-timeout');
  const [next, verdict] = await ask('/_sandbox/journal/verify', { atMost: 0 });
  expect(verdict).toContain('"ok":true');
  expect(next.reusedSocket).toBe(true);
});
