/** Payments whose `custom` or invoice number was changed after they were made: they keep the names of their requests. */
import { expect, it } from 'vitest';
import { at, see, type Seen } from '../../forcing/tolerant-client.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { authorize, storeCard } from '../../../support/purchases.ts';
import { pans, paymentBody } from '../../../support/samples.ts';
import { findingOf, foundIn } from '../support/findings.ts';
import { keyed, onTestTime } from '../support/payment-attempts.ts';

let keys = 0;

interface Order {
  readonly cardId: string;
  readonly custom?: string;
  readonly customer?: string;
  readonly total?: string;
}

async function pay(shop: Shop, { custom = 'order-1', customer, ...order }: Order): Promise<Seen> {
  const body = paymentBody({
    ...order,
    ...(customer !== undefined && { externalCustomerId: customer }),
    transaction: { custom },
  });
  const seen = await see(shop, 'payment.create', { body, headers: keyed(`key-${++keys}`) });
  shop.merchant.clock.advance(5_000);
  return seen;
}

function idOf({ text }: Seen): string {
  const id = at(JSON.parse(text), 'id');
  return String(id);
}

/** Gives a payment another name. */
async function rename(
  shop: Shop,
  paid: Seen,
  value: string,
  field: 'custom' | 'invoice_number' = 'custom',
): Promise<void> {
  const body = [{ op: 'add', path: `/transactions/0/${field}`, value }];
  await shop.ask('payment.update', 200, { params: { payment_id: idOf(paid) }, body });
}

const otherCard = (shop: Shop): Promise<string> =>
  storeCard(shop, { number: pans.mastercard, type: 'mastercard' });

onEveryTransport(
  'a payment that was renamed',
  (transport) => {
    it('is named as it was requested if a job ran twice', async () => {
      const shop = transport.shop();
      const customers = ['ada', 'bob', 'cyd'];
      const cards = await Promise.all(
        customers.map((customer) => storeCard(shop, { external_customer_id: customer })),
      );
      const paid: Seen[] = [];
      for (let run = 0; run < 2; run++) {
        for (const [index, cardId] of cards.entries()) {
          const customer = customers[index] ?? '';
          const order = { cardId, customer, custom: `sub-${customer}`, total: `${index + 5}.00` };
          paid.push(await pay(shop, order));
        }
        shop.merchant.clock.advance(600_000);
      }
      for (const [index, one] of paid.entries()) await rename(shop, one, `done-${index}`);
      const { what } = findingOf(await shop.merchant.verdict(), 'double-charge');
      expect(what).toMatch(
        /^3 purchases \("sub-ada", "sub-bob" and "sub-cyd"\) were charged again/,
      );
    });

    it('is still one order if the other payment used another card after a lost answer', async () => {
      const shop = transport.shop();
      const cards = [await storeCard(shop), await otherCard(shop)];
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await pay(shop, { cardId: cards[0] ?? '' });
      await rename(shop, await pay(shop, { cardId: cards[1] ?? '' }), 'done-1');
      expect(await foundIn(shop)).toContain('high double-charge');
    });

    it('is still one order if it was sent twice at once', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.hold({ op: 'payment.create', count: 2 });
      const [first] = await Promise.all([pay(shop, { cardId }), pay(shop, { cardId })]);
      await rename(shop, first, 'done-1');
      expect(await foundIn(shop)).toContain('high double-charge');
    });

    it('is still the next attempt after a lost answer', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      shop.merchant.force({ op: 'payment.create', outcome: 'reset-after-commit' });
      await pay(shop, { cardId, custom: 'order-1' });
      await rename(shop, await pay(shop, { cardId, custom: 'order-1-2' }), 'done-1');
      expect(await foundIn(shop)).toContain('high double-charge');
    });

    it('is still the order whose capture was lost', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const held = await authorize(shop, { cardId, transaction: { custom: 'order-1' } });
      shop.merchant.force({ op: 'auth.capture', outcome: 'reset-after-commit' });
      await see(shop, 'auth.capture', {
        path: `/v1/payments/authorization/${held.id}/capture`,
        body: { amount: { total: '30.11', currency: 'USD' } },
      });
      await rename(shop, await pay(shop, { cardId }), 'done-1');
      expect(await foundIn(shop)).toContain('high double-charge');
    });

    it.each(['custom', 'invoice_number'] as const)(
      'is known to beliefs by both names, for %s',
      async (field) => {
        const shop = transport.shop();
        const paid = await pay(shop, { cardId: await storeCard(shop) });
        await rename(shop, paid, 'order-7', field);
        const reasonsFor = async (belief: 'paid' | 'not-paid') => {
          const beliefs = { 'order-1': belief, 'order-7': belief };
          return (await shop.merchant.verdict({ beliefs })).reasons.map(({ text }) => text);
        };
        expect(await reasonsFor('paid')).toEqual([]);
        expect(await reasonsFor('not-paid')).toEqual([
          expect.stringContaining('"order-1" as not paid; the ledger shows 30.11 USD for it'),
          expect.stringContaining('order-7'),
        ]);
      },
    );

    it('counts once if its invoice number became the custom of its request', async () => {
      const shop = transport.shop();
      const paid = await pay(shop, { cardId: await storeCard(shop) });
      await rename(shop, paid, 'order-1', 'invoice_number');
      await rename(shop, paid, 'done-1');
      const { reasons } = await shop.merchant.verdict({ beliefs: { 'order-1': 'not-paid' } });
      expect(reasons.map(({ text }) => text)).toEqual([
        expect.stringMatching(/the ledger shows 30\.11 USD for it\.$/),
      ]);
    });
  },
  onTestTime,
);
