/** Verdicts about clients that repeat one mistake many times stay readable. */
import { expect, it } from 'vitest';
import { verdictText } from '../../../src/report/text.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { storeCard } from '../../support/purchases.ts';
import { onTestTime, Checkout } from './support/payment-attempts.ts';

onEveryTransport(
  'a client that makes one mistake with every purchase',
  (transport) => {
    it('gets a hundred findings and the number of all', async () => {
      const till = await Checkout.at(transport.shop());
      const count = 103;
      till.forceOutcome('reset-after-commit', count);
      for (let number = 0; number < count; number++) {
        const total = `${number + 1}.00`;
        await till.pay({ total });
      }
      for (let number = 0; number < count; number++) {
        await till.pay({ total: `${number + 1}.00`, afterMs: 10 });
      }
      const verdict = await till.shop.merchant.verdict();
      const { findings, reasons, counts } = verdict;
      const twice = findings.filter(({ rule }) => rule === 'double-charge');
      expect(twice).toHaveLength(100);
      expect(reasons.filter(({ text }) => text.startsWith('double-charge'))).toHaveLength(100);
      const all = Object.values(counts.findings).reduce((sum, one) => sum + one, 0);
      expect(counts.findingsLeftOut).toBe(all - findings.length);
      expect(verdictText([verdict])).toContain(`${counts.findingsLeftOut} more findings`);
    });
  },
  onTestTime,
);

onEveryTransport(
  'a client that stores cards that it did not find on the first page',
  (transport) => {
    it('gets one finding, however often it does so', async () => {
      const shop = transport.shop();
      const owned = { external_customer_id: 'customer' };
      await storeCard(shop);
      await storeCard(shop, owned);
      for (let number = 0; number < 5; number++) {
        await shop.ask('card.list', 200, { query: { page_size: '1' } });
        await storeCard(shop, owned);
      }
      const { findings } = await shop.merchant.verdict();
      expect(findings.filter(({ rule }) => rule === 'ignores-next-link')).toHaveLength(1);
    });
  },
);
