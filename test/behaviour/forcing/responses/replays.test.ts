/** Retries with a request id execute nothing again, so only transport outcomes apply to them. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { booksOf } from '../books.ts';
import { at, see, type Call, type Seen } from '../tolerant-client.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

async function purchase(shop: Shop): Promise<Call> {
  const cardId = await storeCard(shop);
  return { body: paymentBody({ cardId }), headers: { 'PayPal-Request-Id': 'one' } };
}

const idIn = (seen: Seen): unknown => at(JSON.parse(seen.text), 'id');
const pay = (shop: Shop, call: Call) => see(shop, 'payment.create', call);

onEveryTransport('a retry with the same request id', (transport) => {
  it('triggers transport rules and leaves domain rules for a new payment', async () => {
    const shop = transport.shop();
    const call = await purchase(shop);
    const first = await pay(shop, call);
    const [fault = '', money = ''] = [
      ...shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit', times: 2 }),
      ...shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' }),
    ];
    const firedOf = (id: string) => shop.merchant.rules().find((rule) => rule.id === id)?.fired;
    expect((await pay(shop, call)).broke).toBe('ECONNRESET');
    expect((await pay(shop, call)).broke).toBe('ECONNRESET');
    const third = await pay(shop, call);
    expect([firedOf(fault), firedOf(money)]).toEqual([2, 0]);
    expect([third.status, idIn(third)]).toEqual([201, idIn(first)]);
    expect(third.headers.get('sandbox-replayed')).toBe('true');
    expect((await booksOf(shop)).payments).toHaveLength(1);
    const other = await pay(shop, { ...call, headers: { 'PayPal-Request-Id': 'two' } });
    expect([other.status, firedOf(money)]).toEqual([400, 1]);
  });

  it('returns the stored answer after it was lost twice', async () => {
    const shop = transport.shop();
    const call = await purchase(shop);
    const sequence: readonly OutcomeId[] = [
      'reset-after-commit',
      'error-500-after-commit',
      'truncated-json',
    ];
    shop.merchant.force({ op: 'payment.create', sequence });
    expect((await pay(shop, call)).broke).toBe('ECONNRESET');
    const second = await pay(shop, call);
    expect([second.status, second.headers.get('sandbox-outcome')]).toEqual([
      500,
      'error-500-after-commit; by=armed',
    ]);
    const third = await pay(shop, call);
    expect([third.status, third.headers.get('sandbox-replayed')]).toEqual([201, 'true']);
    expect(() => idIn(third)).toThrow(SyntaxError);
    const { payments } = await booksOf(shop);
    expect(payments).toHaveLength(1);
    expect(idIn(await pay(shop, call))).toBe(at(payments[0], 'id'));
  });

  it.each([
    ['html-error-page', 502],
    ['request-in-progress', 409],
    ['error-503-before-commit', 503],
  ] as const)('is answered with %s instead of the record', async (outcome, status) => {
    const shop = transport.shop();
    const call = await purchase(shop);
    await pay(shop, call);
    shop.merchant.force({ op: 'payment.create', outcome });
    expect((await pay(shop, call)).status).toBe(status);
    expect((await pay(shop, call)).headers.get('sandbox-replayed')).toBe('true');
    expect((await booksOf(shop)).payments).toHaveLength(1);
  });

  it.each(['armed', 'header'])(
    'is executed again if its request id is ignored (%s)',
    async (by) => {
      const shop = transport.shop();
      const call = await purchase(shop);
      const ignoring = { ...call.headers, 'Sandbox-Outcome': 'request-id-ignored' };
      const headers = by === 'header' ? ignoring : {};
      if (by === 'armed') {
        shop.merchant.force({ op: 'payment.create', outcome: 'request-id-ignored' });
      }
      const first = await pay(shop, call);
      expect(first.headers.get('sandbox-outcome')).toBeNull();
      const again = await pay(shop, { ...call, headers: { ...call.headers, ...headers } });
      expect([again.status, again.headers.get('sandbox-outcome')]).toEqual([
        201,
        `request-id-ignored; by=${by}`,
      ]);
      expect(again.headers.get('sandbox-replayed')).toBeNull();
      expect(idIn(again)).not.toBe(idIn(first));
      expect(idIn(await pay(shop, call))).toBe(idIn(first));
      expect((await booksOf(shop)).payments).toHaveLength(2);
    },
  );

  it('can be executed again and lose its response at once', async () => {
    const shop = transport.shop();
    const call = await purchase(shop);
    await pay(shop, call);
    shop.merchant.force({
      op: 'payment.create',
      outcome: { outcome: 'request-id-ignored', and: 'reset-after-commit' },
    });
    expect((await pay(shop, call)).broke).toBe('ECONNRESET');
    expect((await booksOf(shop)).payments).toHaveLength(2);
    expect(shop.merchant.unfired()).toEqual([]);
  });
});
