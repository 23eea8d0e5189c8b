/** What a client was told of its money, and what it was not, whatever came as an answer. */
import { expect, it } from 'vitest';
import { see } from '../forcing/client.ts';
import { journalDefaults } from '../../src/journal/journal.ts';
import { throughEveryDoor, type Shop } from '../support/doors.ts';
import { inOrder } from '../support/in-order.ts';
import { storeCard } from '../support/purchases.ts';
import { paymentBody } from '../support/samples.ts';
import { foundIn } from './found.ts';
import { keyed, onTestTime, Till } from './tries.ts';

throughEveryDoor(
  'a charge whose answer could not be decoded',
  (door) => {
    it('is unknown to the client, as it is after a list that cannot be decoded either', async () => {
      const till = await Till.at(door.shop());
      till.meets('wrong-content-encoding');
      await till.pay({ key: 'a', invoice: 'A' });
      till.shop.merchant.force({ op: 'payment.list', outcome: 'wrong-content-encoding' });
      await see(till.shop, 'payment.list', {});
      expect(await foundIn(till.shop)).toContain('critical orphaned-charge');
      await see(till.shop, 'payment.list', {});
      expect(await foundIn(till.shop)).not.toContain('critical orphaned-charge');
    });
  },
  onTestTime,
);

throughEveryDoor(
  'a list that is too long to be kept whole',
  (door) => {
    /** So many words that a page of payments is longer than what the journal keeps of it. */
    const wordy = { description: 'a fine thing '.repeat(9), custom: 'of the shop '.repeat(10) };
    const page = 20;

    /** Sells so often, and reads the page of the latest sales. */
    async function sellMuch(shop: Shop, times = page): Promise<void> {
      const cardId = await storeCard(shop);
      await inOrder([...Array.from({ length: times }).keys()], async (at) => {
        const transaction = { ...wordy, invoice_number: `INV-${at}` };
        await shop.ask('payment.create', 201, {
          body: paymentBody({ cardId, transaction }),
          headers: keyed(`key ${at}`),
        });
      });
      const { text } = await shop.reply('payment.list', 200, { query: { count: String(page) } });
      expect(text.length).toBeGreaterThan(journalDefaults.maxTextLength);
    }

    it('tells nobody of what was charged afterwards', async () => {
      const till = await Till.at(door.shop());
      await sellMuch(till.shop);
      till.meets('reset-after-commit');
      await till.pay({ key: 'lost', invoice: 'LOST' });
      expect(await foundIn(till.shop)).toContain('critical orphaned-charge');
    });

    it('tells of what stands at its end', async () => {
      const till = await Till.at(door.shop());
      till.meets('reset-after-commit');
      await till.pay({ key: 'lost', invoice: 'LOST' });
      await sellMuch(till.shop, page - 1);
      const { purchases } = await till.shop.merchant.verdict();
      const lost = purchases.find(({ label }) => label === 'LOST');
      expect(lost).toMatchObject({ charges: [{ known: 'read', toldBy: { how: 'list' } }] });
    });
  },
  onTestTime,
);
