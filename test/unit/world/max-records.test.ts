/** A merchant holds at most the maximum number of records. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { authorize, capture, sell, storeCard } from '../../support/purchases.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

const limits = { maxRecords: 5 };

/** The number of records in a merchant's export. */
function heldBy(shop: Shop): number {
  const { cards, payments, ...lists } = worldDocumentOf(shop.merchant).records;
  const others = Object.values(lists).map((list) => list.length);
  return [cards.rows.length, payments.rows.length, ...others].reduce((sum, one) => sum + one, 0);
}

onEveryTransport(
  'a merchant near the limit of records',
  (transport) => {
    it('accepts a payment with its sale only if both fit', async () => {
      const shop = transport.shop();
      const pay = () => shop.send('payment.create', { body: rawPaymentBody() });
      await sell(shop);
      const cardId = await storeCard(shop);
      expect(heldBy(shop)).toBe(4);
      const full = await pay();
      expect(full.status).toBe(403);
      const { debug_id: debugId } = Object(full.body);
      expect(shop.merchant.explain(debugId)?.reason).toBe(
        'This merchant has 4 records; 2 more would exceed the limit of 5 (--max-records).',
      );
      await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      expect((await pay()).status).toBe(201);
      expect(heldBy(shop)).toBe(5);
      expect((await pay()).status).toBe(403);
    });

    it('refuses new records at the limit but still accepts other changes', async () => {
      const shop = transport.shop();
      const held = await authorize(shop);
      await capture(shop, held.id, '1.00');
      const cardId = await storeCard(shop);
      expect(heldBy(shop)).toBe(5);
      expect((await shop.send('card.create', { body: cardBody() })).status).toBe(403);
      await shop.ask('auth.void', 200, { params: { authorization_id: held.id } });
      const { records } = worldDocumentOf(shop.merchant);
      const copy = createSandbox({ fixtures: 'empty', limits });
      copy.import(shop.merchant.export());
      expect(worldDocumentOf(copy).records).toEqual(records);
      await shop.ask('card.delete', 204, { params: { card_id: cardId } });
      await storeCard(shop);
      expect(heldBy(shop)).toBe(5);
    });
  },
  { fixtures: 'empty', limits },
);
