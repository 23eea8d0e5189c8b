/** Reading a merchant does not create it. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../../src/index.ts';
import { testNow, onEveryTransport } from '../../../support/transports.ts';
import { call } from '../call.ts';
import { asRule } from '../../../support/requests/unchecked-input.ts';

const looks: readonly [line: string, body?: object][] = [
  ['GET /_sandbox/clock?merchant=unused'],
  ['GET /_sandbox/clock'],
  ['GET /_sandbox/ledger?merchant=unused'],
  ['GET /_sandbox/journal?merchant=unused'],
  ['GET /_sandbox/journal/none-of-this-id?merchant=unused'],
  ['GET /_sandbox/rules?merchant=unused'],
  ['GET /_sandbox/coverage?merchant=unused'],
  ['GET /_sandbox/world?merchant=unused'],
  ['DELETE /_sandbox/rules?merchant=unused'],
  ['POST /_sandbox/verdict?merchant=unused', {}],
  ['POST /_sandbox/journal/verify?merchant=unused', { match: {}, times: 0 }],
];

onEveryTransport('a merchant without requests', (transport) => {
  it('is not created by its verdict page', async () => {
    const known = transport.sandbox.merchants();
    await transport.fetch(`${transport.base}/_sandbox/verdict?merchant=unused`);
    expect(transport.sandbox.merchants()).toEqual(known);
  });

  it.each<[string, object?]>(looks)('is not created by %s', async (line, body) => {
    const known = transport.sandbox.merchants();
    await call(transport, line, body);
    expect(transport.sandbox.merchants()).toEqual(known);
  });

  it.each<[string, number, object?]>([
    [
      'POST /_sandbox/rules?merchant=typo',
      400,
      { op: 'payment.create', outcome: 'decline-genric' },
    ],
    ['POST /_sandbox/rules?merchant=typo', 400, { op: 'payment.create', times: 1 }],
    ['POST /_sandbox/cards/generate?merchant=typo', 400, { outcome: 'decline-genric' }],
    ['POST /_sandbox/cards/generate', 400, { count: 0 }],
    ['POST /_sandbox/clock?merchant=typo', 409, { set: '2001-01-01T00:00:00Z' }],
    ['POST /_sandbox/clock?merchant=typo', 400, { advance: 'soon' }],
    ['POST /_sandbox/snapshots?merchant=typo', 400, { name: 'a/b' }],
    ['POST /_sandbox/scenario?merchant=typo', 400, { scenario: 'no-such' }],
    ['POST /_sandbox/journal/wait?merchant=typo', 400, { match: {}, timeoutMs: -1 }],
  ])('is not created by %s, which is refused (%i)', async (line, status, body) => {
    const known = transport.sandbox.merchants();
    expect((await call(transport, line, body)).status).toBe(status);
    expect(transport.sandbox.merchants()).toEqual(known);
  });

  it('is not created by a refused verb', async () => {
    const known = transport.sandbox.merchants();
    const typo = transport.sandbox.merchant('typo');
    expect(() => typo.force(asRule({ op: 'payment.create', outcome: 'decline-genric' }))).toThrow(
      'Unknown outcome',
    );
    expect(() => typo.clock.set('2001-01-01T00:00:00Z')).toThrow('never runs backwards');
    expect(() => typo.snapshot('a/b')).toThrow('Invalid snapshot name');
    await expect(typo.waitFor({}, { timeoutMs: -1 })).rejects.toThrow('timeoutMs');
    expect(transport.sandbox.merchants()).toEqual(known);
  });

  it('is not created by generated card numbers, which continue after its first request', async () => {
    const known = transport.sandbox.merchants();
    const line = 'POST /_sandbox/cards/generate?merchant=dealt';
    const deal = async (): Promise<unknown> => (await call(transport, line, {})).body;
    const before = [await deal(), await deal()];
    expect(transport.sandbox.merchants()).toEqual(known);
    const shop = transport.shop('dealt');
    await shop.ask('card.list', 200);
    expect(transport.sandbox.merchants()).toEqual([...known, 'dealt']);
    const all = [...before, await deal()];
    expect(new Set(all.map((cards) => JSON.stringify(cards))).size).toBe(3);
    shop.merchant.reset();
    expect(await deal()).toEqual(before[0]);
  });

  it('restarts its card numbers at a reset, even without a request', async () => {
    const merchant = transport.sandbox.merchant('dealt-and-reset');
    const first = merchant.generateCards();
    merchant.reset();
    expect(merchant.generateCards()).toEqual(first);
    expect(merchant.generateCards()).not.toEqual(first);
  });

  it('reads like a fresh merchant', async () => {
    const clock = await call(transport, 'GET /_sandbox/clock?merchant=unused');
    expect(clock.body).toMatchObject({ now: testNow });
    const ledger = await call(transport, 'GET /_sandbox/ledger?merchant=unused');
    await call(transport, 'POST /_sandbox/clock?merchant=unused', { freeze: true });
    expect((await call(transport, 'GET /_sandbox/ledger?merchant=unused')).body).toEqual(
      ledger.body,
    );
  });
});

it('a merchant without requests does not count towards the limit, and its verdict reports no requests', async () => {
  const sandbox = createSandbox({ limits: { maxMerchants: 1 } });
  const unused = sandbox.merchant('unused');
  unused.ledger();
  expect((await unused.verdict()).reasons).toEqual([
    {
      kind: 'no-requests',
      text: 'Merchant unused sent no requests, so nothing was tested. No other merchant sent any. Check that your code uses the URL of this sandbox.',
    },
  ]);
  const headers = { Authorization: 'Bearer sandbox.orders' };
  expect((await sandbox.request('/v1/vault/credit-cards', { headers })).status).toBe(200);
  expect(unused.journal().entries).toEqual([]);
  expect(sandbox.merchants()).toEqual(['orders']);
});

it('a merchant refused by the limit reports this in its verdict until a reset', async () => {
  const sandbox = createSandbox({ limits: { maxMerchants: 1 } });
  const ask = async (merchant: string): Promise<number> => {
    const headers = { Authorization: `Bearer sandbox.${merchant}` };
    return (await sandbox.request('/v1/vault/credit-cards', { headers })).status;
  };
  expect([await ask('first'), await ask('late'), await ask('late')]).toEqual([200, 403, 403]);
  const late = sandbox.merchant('late');
  const reasons = async () => (await late.verdict({ allowNoRequests: true })).reasons;
  const rejected = {
    kind: 'merchants-full',
    text: '2 requests of merchant late were refused because the sandbox already had its maximum number of merchants. Raise limits.maxMerchants (--max-merchants), or delete merchants that are no longer needed.',
  };
  expect(await reasons()).toEqual([rejected]);
  expect((await late.verdict()).reasons).toEqual([rejected]);
  expect((await sandbox.merchant('other').verdict()).reasons).toEqual([
    {
      kind: 'no-requests',
      text: 'Merchant other sent no requests, so nothing was tested. Check the client id in your code. Requests came from: first.',
    },
  ]);

  // A verdict about all merchants includes it.
  expect(sandbox.merchants()).toEqual(['first', 'late']);
  expect(await sandbox.all.verdictPage()).toContain('2 requests of merchant late were refused');
  expect([await ask('gone')]).toEqual([403]);
  sandbox.deleteMerchant('gone');
  expect(sandbox.merchants()).toEqual(['first', 'late']);

  sandbox.deleteMerchant('first');
  expect(await ask('late')).toBe(200);
  expect(await reasons()).toEqual([rejected]);
  late.reset();
  expect(await reasons()).toEqual([]);
});

it('only the first thousand refused merchants are remembered', async () => {
  const sandbox = createSandbox({ limits: { maxMerchants: 1 } });
  const merchants = Array.from({ length: 1_002 }, (_, at) => `shop-${at}`);
  for (const merchant of merchants) {
    const headers = { Authorization: `Bearer sandbox.${merchant}` };
    await sandbox.request('/v1/vault/credit-cards', { headers });
  }
  const kindsOf = async (merchant: string) =>
    (await sandbox.merchant(merchant).verdict()).reasons.map(({ kind }) => kind);
  expect(await kindsOf('shop-1000')).toEqual(['merchants-full']);
  expect(await kindsOf('shop-1001')).toEqual(['no-requests']);
});

it('the oldest generated card numbers are forgotten when more merchants have some than the limit allows', () => {
  const sandbox = createSandbox({ limits: { maxMerchants: 1 } });
  const deal = (merchant: string) => sandbox.merchant(merchant).generateCards();
  const first = deal('first');
  deal('second');
  expect(deal('first')).toEqual(first);
  expect(deal('first')).not.toEqual(first);
  expect(sandbox.merchants()).toEqual([]);
});
