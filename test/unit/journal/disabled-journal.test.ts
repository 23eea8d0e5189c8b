/** A sandbox without a journal works as usual and never claims to know what it did not record. */
import { expect, it } from 'vitest';
import { call } from '../../behaviour/control/call.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { pay, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';

onEveryTransport(
  'a sandbox whose journal is off',
  (transport) => {
    it('charges, replays, and applies rules', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop);
      const headers = { 'PayPal-Request-Id': 'order-1' };
      const body = paymentBody({ cardId });
      const first = await shop.send('payment.create', { body, headers });
      const again = await shop.send('payment.create', { body, headers });
      expect([first.status, again.status]).toEqual([201, 201]);
      expect(again.body).toEqual(first.body);
      shop.merchant.force({ op: 'payment.create', outcome: 'decline-generic' });
      expect((await shop.send('payment.create', { body })).status).toBe(400);
      expect(shop.merchant.rules()).toMatchObject([{ fired: 1 }]);
      expect(shop.merchant.ledger().transfers).toHaveLength(1);
    });

    it('keeps no exchange and counts each as dropped', async () => {
      const shop = transport.shop();
      await pay(shop);
      expect(shop.merchant.journal()).toEqual({ dropped: 2, entries: [] });
      shop.merchant.reset();
      expect(shop.merchant.journal()).toEqual({ dropped: 0, entries: [] });
      await storeCard(shop);
      expect(shop.merchant.journal()).toEqual({ dropped: 1, entries: [] });
    });

    it('cannot verify or judge, and explains why', async () => {
      const shop = transport.shop();
      await pay(shop);
      const verified = await call(
        transport,
        `POST /_sandbox/journal/verify?merchant=${shop.merchant.id}`,
        { match: { operation: 'payment.create' }, times: 1 },
      );
      expect(verified.body).toMatchObject({
        status: 'unsure',
        message: expect.stringContaining('2 exchanges arrived while the journal was off'),
      });
      const { passed, reasons, counts } = await shop.merchant.verdict();
      expect(passed).toBe(false);
      expect(counts).toMatchObject({ requests: 2, dropped: 2 });
      expect(reasons).toEqual([
        {
          kind: 'dropped-exchanges',
          text: 'The journal is off, so 2 exchanges could not be judged. Set limits.maxJournalEntries (--max-journal-entries) above 0.',
        },
      ]);
    });
  },
  { limits: { maxJournalEntries: 0 } },
);
