/** Whoever looks at a merchant makes none. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { testNow, throughEveryDoor } from '../support/doors.ts';
import { call } from './call.ts';

const looks: readonly [line: string, body?: object][] = [
  ['GET /_sandbox/clock?merchant=nobody'],
  ['GET /_sandbox/clock'],
  ['GET /_sandbox/ledger?merchant=nobody'],
  ['GET /_sandbox/requests?merchant=nobody'],
  ['GET /_sandbox/requests/none-of-this-id?merchant=nobody'],
  ['GET /_sandbox/rules?merchant=nobody'],
  ['GET /_sandbox/coverage?merchant=nobody'],
  ['GET /_sandbox/world?merchant=nobody'],
  ['DELETE /_sandbox/rules?merchant=nobody'],
  ['POST /_sandbox/verdict?merchant=nobody', {}],
  ['POST /_sandbox/requests/verify?merchant=nobody', { match: {}, times: 0 }],
];

throughEveryDoor('a merchant that nobody asked', (door) => {
  it('is not made by the page of its verdict', async () => {
    const known = door.sandbox.merchants();
    await door.fetch(`${door.base}/_sandbox/verdict?merchant=nobody`);
    expect(door.sandbox.merchants()).toEqual(known);
  });

  it.each<[string, object?]>(looks)('is not made by %s', async (line, body) => {
    const known = door.sandbox.merchants();
    await call(door, line, body);
    expect(door.sandbox.merchants()).toEqual(known);
  });

  it('is seen as it would begin', async () => {
    const clock = await call(door, 'GET /_sandbox/clock?merchant=nobody');
    expect(clock.body).toMatchObject({ now: testNow });
    const ledger = await call(door, 'GET /_sandbox/ledger?merchant=nobody');
    await call(door, 'POST /_sandbox/clock?merchant=nobody', { freeze: true });
    expect((await call(door, 'GET /_sandbox/ledger?merchant=nobody')).body).toEqual(ledger.body);
  });
});

it('takes no place, and its verdict says that nobody asked', async () => {
  const sandbox = createSandbox({ limits: { maxMerchants: 1 } });
  const nobody = sandbox.merchant('nobody');
  nobody.ledger();
  expect(await nobody.verdict()).toMatchObject({ merchant: 'nobody', passed: false });
  const headers = { Authorization: 'Bearer sandbox.orders' };
  expect((await sandbox.request('/v1/vault/credit-cards', { headers })).status).toBe(200);
  expect(nobody.requests().requests).toEqual([]);
  expect(sandbox.merchants()).toEqual(['orders']);
});

it('asked in vain where there was no room for it, which its verdict says until it begins anew', async () => {
  const sandbox = createSandbox({ limits: { maxMerchants: 1 } });
  const ask = async (merchant: string): Promise<number> => {
    const headers = { Authorization: `Bearer sandbox.${merchant}` };
    return (await sandbox.request('/v1/vault/credit-cards', { headers })).status;
  };
  expect([await ask('first'), await ask('late'), await ask('late')]).toEqual([200, 403, 403]);
  const late = sandbox.merchant('late');
  const reasons = async () => (await late.verdict({ allowNoRequests: true })).reasons;
  const turnedAway = {
    kind: 'turned-away',
    text: '2 requests of merchant late came when this sandbox held the most merchants it may, and were turned away. Raise limits.maxMerchants (--max-merchants), or delete merchants that are done.',
  };
  expect(await reasons()).toEqual([turnedAway]);
  expect((await late.verdict()).reasons).toEqual([turnedAway]);
  expect((await sandbox.merchant('other').verdict()).reasons).toMatchObject([
    { kind: 'no-requests' },
  ]);

  sandbox.deleteMerchant('first');
  expect(await ask('late')).toBe(200);
  expect(await reasons()).toEqual([turnedAway]);
  late.reset();
  expect(await reasons()).toEqual([]);
});

it('is remembered to have been turned away only among the first thousand', async () => {
  const sandbox = createSandbox({ limits: { maxMerchants: 1 } });
  const merchants = Array.from({ length: 1_002 }, (_, at) => `shop-${at}`);
  for (const merchant of merchants) {
    const headers = { Authorization: `Bearer sandbox.${merchant}` };
    await sandbox.request('/v1/vault/credit-cards', { headers });
  }
  const kindsOf = async (merchant: string) =>
    (await sandbox.merchant(merchant).verdict()).reasons.map(({ kind }) => kind);
  expect(await kindsOf('shop-1000')).toEqual(['turned-away']);
  expect(await kindsOf('shop-1001')).toEqual(['no-requests']);
});
