/** A request that is executed twice respects the limits of its merchant. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { rawPaymentBody } from '../../../support/samples.ts';
import { see } from '../tolerant-client.ts';

onEveryTransport(
  'a payment that is executed twice',
  (transport) => {
    it.each([
      [0, 2],
      [1, 2],
    ])('is executed again only below the limit (%i before)', async (before, transfers) => {
      const shop = transport.shop();
      const pay = () => see(shop, 'payment.create', { body: rawPaymentBody() });
      for (let made = 0; made < before; made++) expect((await pay()).status).toBe(201);
      shop.merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy' });
      expect((await pay()).status).toBe(201);
      expect(shop.merchant.ledger().transfers).toHaveLength(transfers);
    });
  },
  { limits: { maxRecords: 4 } },
);
