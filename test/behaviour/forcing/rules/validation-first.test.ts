/** An invalid request gets its validation error even if a decline is forced. */
import { expect, it } from 'vitest';
import { classifyOutcome } from '../../../../src/outcomes/decide/decision.ts';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { inOrder } from '../../../support/in-order.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { see, type Call } from '../tolerant-client.ts';
import { forcible, operationsOf, quickParams, withHeaders } from '../catalogue/request-plans.ts';

/** Errors that a payment gets before any outcome can apply. */
const invalid: readonly (readonly [status: number, call: (cardId: string) => Call])[] = [
  [400, (cardId) => ({ body: paymentBody({ cardId, total: 'ten' }) })],
  [400, () => ({ body: '{' })],
  [404, () => ({ body: paymentBody({ cardId: 'CARD-NOBODYHASTHIS' }) })],
  [401, (cardId) => ({ body: paymentBody({ cardId }), authorization: 'Bearer unknown' })],
];

const domainOutcomes = forcible.filter(
  (outcome) =>
    classifyOutcome(outcome) === 'domain' &&
    outcome.phase !== 'before-read' &&
    outcome.effect.kind !== 'ignore-request-id' &&
    operationsOf(outcome).includes('payment.create'),
);

const pay = (shop: Shop, call: Call) => see(shop, 'payment.create', call);

onEveryTransport('an invalid payment', (transport) => {
  it('gets its validation error and leaves domain outcomes for a valid request', async () => {
    const shop = transport.shop();
    expect(domainOutcomes.length).toBeGreaterThan(40);
    await inOrder(domainOutcomes, async (outcome) => {
      // A new card for each, because one of them deletes its card.
      const cardId = await storeCard(shop);
      const step = { outcome: outcome.id, with: quickParams(outcome) };
      shop.merchant.force({ op: 'payment.create', per: 'merchant', outcome: step });
      await inOrder(invalid, async ([status, call]) => {
        const seen = await pay(shop, call(cardId));
        expect([outcome.id, seen.status]).toEqual([outcome.id, status]);
        expect(seen.headers.get('sandbox-outcome')).toBeNull();
      });
      expect(shop.merchant.unfired()).toHaveLength(1);
      const valid = await pay(shop, { body: paymentBody({ cardId }) });
      expect(valid.headers.get('sandbox-outcome')).toMatch(/; by=armed$/);
      expect(shop.merchant.unfired()).toEqual([]);
      shop.merchant.clearRules();
    });
  });

  it('gets its validation error regardless of its headers and card number', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { first_name: 'CCREJECT-IF' });
    await inOrder(invalid, async ([status, call]) => {
      const plain = await pay(shop, call(cardId));
      const asking = withHeaders(call(cardId), { 'Sandbox-Outcome': 'decline-generic' });
      const asked = await pay(shop, asking);
      for (const seen of [plain, asked]) {
        expect(seen.status).toBe(status);
        expect(seen.headers.get('sandbox-outcome')).toBeNull();
      }
    });
  });

  it('never creates money, whatever is forced', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const outcomes = forcible.filter(
      (outcome) =>
        operationsOf(outcome).includes('payment.create') &&
        outcome.effect.kind !== 'refuse-connections',
    );
    await inOrder(outcomes, async (outcome) => {
      const step = { outcome: outcome.id, with: quickParams(outcome) };
      shop.merchant.force({ op: 'payment.create', per: 'merchant', outcome: step });
      await inOrder(invalid, ([, call]) => pay(shop, call(cardId)));
      shop.merchant.clearRules();
    });
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });
});
