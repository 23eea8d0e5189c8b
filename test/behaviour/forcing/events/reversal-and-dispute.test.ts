/** A reversal and a dispute of one sale, in any order, take the money back once. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { dayMs, merchantBalanceMinor, saleOf, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { expectBalanced } from '../books.ts';

async function sell(shop: Shop): Promise<string> {
  const body = paymentBody({ cardId: await storeCard(shop), total: '10.00' });
  return saleOf(await shop.ask('payment.create', 201, { body })).id;
}

const reversed = (when: string) => ({ at: when, event: 'sale-reversed-later' });

const disputed = (when: string, outcome: 'won' | 'lost') => ({
  at: when,
  event: 'chargeback-opened-won-lost',
  with: { outcome, resolveAfter: 'P10D' },
});

onEveryTransport('the money of a sale', (transport) => {
  it.each([
    [
      'reversed while its dispute is open',
      [disputed('+P1D', 'lost'), reversed('+P5D')],
      { moved: ['chargeback'], state: 'reversed' },
    ],
    [
      'reversed while a dispute is open that would be won',
      [disputed('+P1D', 'won'), reversed('+P5D')],
      { moved: ['chargeback'], state: 'reversed' },
    ],
    [
      'reversed once its dispute is lost',
      [disputed('+P1D', 'lost'), reversed('+P20D')],
      { moved: ['chargeback'], state: 'reversed' },
    ],
    [
      'reversed although its dispute was won',
      [disputed('+P1D', 'won'), reversed('+P20D')],
      { moved: ['chargeback', 'chargeback-won', 'reversal'], state: 'reversed' },
    ],
    [
      'disputed once it was reversed',
      [reversed('+P1D'), disputed('+P5D', 'lost')],
      { moved: ['reversal'], state: 'reversed' },
    ],
    [
      'disputed twice',
      [disputed('+P1D', 'lost'), disputed('+P5D', 'lost')],
      { moved: ['chargeback'], state: 'reversed' },
    ],
    [
      'disputed again after it won',
      [disputed('+P1D', 'won'), disputed('+P20D', 'lost')],
      { moved: ['chargeback', 'chargeback-won'], state: 'completed' },
    ],
  ])('is taken back once when the sale is %s', async (_story, timeline, { moved, state }) => {
    const shop = transport.shop();
    shop.merchant.playScenario({
      scenario: 'taken-back-twice',
      version: 1,
      about: 'Two things take the money of one sale.',
      timeline,
    });
    const id = await sell(shop);
    for (const days of [3, 3, 3, 30]) {
      shop.merchant.clock.advance(days * dayMs);
      expect([0, 1000]).toContain(merchantBalanceMinor(shop));
      expectBalanced(shop);
    }
    const { transfers } = shop.merchant.ledger();
    expect(transfers.map(({ cause }) => cause)).toEqual(['sale', ...moved]);
    expect((await shop.ask('sale.get', 200, { params: { sale_id: id } })).state).toBe(state);
    const net = moved.at(-1) === 'chargeback-won' ? '10.00' : '0.00';
    const { totals } = await shop.merchant.verdict();
    expect(totals).toMatchObject([{ charged: '10.00', net }]);
  });
});
