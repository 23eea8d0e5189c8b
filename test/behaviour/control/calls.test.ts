/** The control calls do what the verbs in process do, and answer what those return. */
import { describe, expect, it } from 'vitest';
import { decisions } from '../../../src/control/decisions.ts';
import { createSandbox } from '../../../src/index.ts';
import { testNow, onEveryTransport } from '../../support/transports.ts';
import { dayMs, sell } from '../../support/purchases.ts';
import { call } from './call.ts';

const later = (ms: number): string => new Date(Date.parse(testNow) + ms).toISOString();

onEveryTransport('the control API', (transport) => {
  const cardsOf = async (shop: ReturnType<typeof transport.shop>): Promise<number> =>
    (await shop.ask('card.list', 200)).items.length;

  it('200 reports that the sandbox is ready, and its number of merchants', async () => {
    const { status, body, headers } = await call(transport, 'GET /_sandbox/health');
    expect(status).toBe(200);
    expect(body).toEqual(transport.sandbox.health());
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  });

  it('200 describes the sandbox and its decisions where documents are silent', async () => {
    const { body } = await call(transport, 'GET /_sandbox/about');
    expect(body).toEqual({ ...transport.sandbox.about(), decisions });
  });

  it('200 lists the merchants', async () => {
    await call(transport, 'POST /_sandbox/clock?merchant=listed', { freeze: true });
    const { body } = await call(transport, 'GET /_sandbox/merchants');
    expect(body).toContain('listed');
    expect(body).toEqual(transport.sandbox.merchants());
  });

  it('200 deletes a merchant and names it', async () => {
    await call(transport, 'POST /_sandbox/clock?merchant=forgotten@shop', { freeze: true });
    const { status, body } = await call(transport, 'DELETE /_sandbox/merchants/forgotten%40shop');
    expect([status, body]).toEqual([200, { merchant: 'forgotten@shop' }]);
    expect(transport.sandbox.merchants()).not.toContain('forgotten@shop');
  });

  it('200 resets one merchant and leaves the others', async () => {
    const [one, other] = [transport.shop(), transport.shop()];
    await Promise.all([sell(one), sell(other)]);
    const { id } = one.merchant;
    const { status, body } = await call(transport, `POST /_sandbox/reset?merchant=${id}`);
    expect([status, body]).toEqual([200, { merchant: id }]);
    expect([await cardsOf(one), await cardsOf(other)]).toEqual([0, 1]);
  });

  it('200 resets the default merchant if the request names none', async () => {
    const [shop, other] = [transport.shop('default'), transport.shop()];
    await Promise.all([sell(shop), sell(other)]);
    expect((await call(transport, 'POST /_sandbox/reset', {})).body).toEqual({
      merchant: 'default',
    });
    expect([await cardsOf(shop), await cardsOf(other)]).toEqual([0, 1]);
  });

  it('200 resets all merchants and names them', async () => {
    const shops = [transport.shop(), transport.shop()];
    await Promise.all(shops.map((shop) => sell(shop)));
    const { body } = await call(transport, 'POST /_sandbox/reset?all=true');
    expect(Object(body).merchants).toEqual(
      expect.arrayContaining(shops.map(({ merchant }) => merchant.id)),
    );
    expect(await Promise.all(shops.map(cardsOf))).toEqual([0, 0]);
  });

  it('200 shows the ledger', async () => {
    const shop = transport.shop();
    await sell(shop);
    const { body } = await call(transport, `GET /_sandbox/ledger?merchant=${shop.merchant.id}`);
    expect(body).toEqual(shop.merchant.ledger());
    expect(body).toMatchObject({ transfers: [{ cause: 'sale' }] });
  });

  it("200 reads a merchant's clock", async () => {
    const { body } = await call(transport, 'GET /_sandbox/clock');
    expect(body).toEqual({ now: testNow, frozen: true });
  });

  it.each([
    [{ freeze: true }, { now: testNow, frozen: true }],
    [{ advance: 1500 }, { now: later(1500), frozen: true }],
    [{ advance: 'P1D' }, { now: later(dayMs), frozen: true }],
    [{ advance: 'PT90M' }, { now: later(5_400_000), frozen: true }],
    [{ advance: 'P1M' }, { now: '2026-06-06T07:08:09.123Z', frozen: true }],
    [{ set: '2030-01-01T00:00:00Z' }, { now: '2030-01-01T00:00:00.000Z', frozen: true }],
    [{ set: '2030-01-01T02:00:00.5+02:00' }, { now: '2030-01-01T00:00:00.500Z', frozen: true }],
  ])('200 changes a clock: %j', async (change, reading) => {
    const { id, clock } = transport.shop().merchant;
    const { body } = await call(transport, `POST /_sandbox/clock?merchant=${id}`, change);
    expect(body).toEqual({ merchant: id, ...reading });
    expect(clock.read()).toEqual(reading);
  });

  it('200 resumes a frozen clock', async () => {
    const { id } = transport.shop().merchant;
    const { body } = await call(transport, `POST /_sandbox/clock?merchant=${id}`, { resume: true });
    expect(body).toMatchObject({ frozen: false });
  });
});

describe('a sandbox that closes', () => {
  it('503 reports that it is stopping', async () => {
    const sandbox = createSandbox({ fixtures: 'empty' });
    await sandbox.close();
    const response = await sandbox.app.request('/_sandbox/health');
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual(sandbox.health());
  });
});
