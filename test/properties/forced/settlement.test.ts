/** A verdict settles pending money exactly as the merchant's clock would, and leaves the merchant alone. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { authorize, capture, hourMs, pay, sell, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';
import { runsFor } from '../support/own-transport.ts';

const pendingRefund = fc.constantFrom('refund-pending-then-completed', 'refund-failed-later');

/** What a client does, and how long it waits afterwards. */
const step = fc.record({
  make: fc.oneof(
    fc.record({
      sale: fc.constantFrom(
        'ok',
        'sale-pending-then-completed',
        'sale-pending-then-denied',
        'sale-pending-forever',
      ),
    }),
    fc.constant({ sale: 'partial-commit' }),
    fc.record({ refundOf: fc.constantFrom('sale', 'capture'), outcome: pendingRefund }),
  ),
  hours: fc.integer({ min: 0, max: 40 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function play(shop: Shop, { make, hours }: Step): Promise<void> {
  const { merchant } = shop;
  if ('refundOf' in make) {
    const isSale = make.refundOf === 'sale';
    const id = isSale
      ? (await sell(shop)).id
      : (await capture(shop, (await authorize(shop)).id, '9.00')).id;
    const operation = isSale ? 'sale.refund' : 'capture.refund';
    merchant.force({ op: operation, outcome: make.outcome });
    const body = { amount: { total: '4.00', currency: 'USD' } };
    if (isSale) await shop.ask('sale.refund', 201, { params: { sale_id: id }, body });
    else await shop.ask('capture.refund', 201, { params: { capture_id: id }, body });
  } else if (make.sale === 'partial-commit') {
    const cardId = await storeCard(shop);
    merchant.force({ op: 'payment.create', outcome: make.sale, params: { settleAfter: 'PT30H' } });
    await shop.ask('payment.create', 500, { body: paymentBody({ cardId }) });
  } else {
    const cardId = await storeCard(shop);
    merchant.force({ op: 'payment.create', outcome: make.sale });
    await pay(shop, { cardId });
  }
  merchant.clock.advance(hours * hourMs);
}

/** The charges of a verdict, and what moved. */
async function moneyIn(shop: Shop, settle: string): Promise<unknown> {
  const { purchases, totals } = await shop.merchant.verdict({ settle });
  return {
    charges: purchases.flatMap(({ charges }) => charges),
    totals: totals.map(({ currency, charged, returned, net }) => [
      currency,
      charged,
      returned,
      net,
    ]),
  };
}

onEveryTransport('pending money', (transport) => {
  it('settles in a verdict as it does with time', () =>
    fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
        const shop = transport.shop();
        for (const one of steps) await play(shop, one);
        const before = worldDocumentOf(shop.merchant);
        const settled = await moneyIn(shop, 'PT72H');
        expect(worldDocumentOf(shop.merchant)).toEqual(before);
        shop.merchant.clock.advance(72 * hourMs);
        expect(settled).toEqual(await moneyIn(shop, 'PT0S'));
      }),
      runsFor(transport.name, 60),
    ));

  it('is not reversed in a verdict before its time', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const params = { after: 'P1D' };
    shop.merchant.force({ op: 'payment.create', outcome: 'sale-reversed-later', params });
    await pay(shop, { cardId });
    const { totals } = await shop.merchant.verdict();
    expect(totals).toMatchObject([{ charged: '30.11', net: '30.11' }]);
  });
});
