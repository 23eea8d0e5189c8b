import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { dayMs, hourMs, merchantBalanceMinor } from '../../support/purchases.ts';
import { refusalOf } from '../../support/requests/refusals.ts';
import { sources, stateOf, to, usd } from './sources.ts';

for (const source of sources) {
  onEveryTransport(`refund a ${source.kind}`, (transport) => {
    it.each([
      ['an empty object', {}],
      ['nothing', ''],
      ['null', 'null'],
      ['an amount of null', { amount: null }],
      ['a description only', { description: 'Sorry' }],
    ])('201 refunds the full amount when the body is %s', async (_, body) => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      const refund = await shop.ask(source.refund, 201, to(source, id, body));
      expect(refund.amount).toEqual({ total: '30.11', currency: 'USD' });
      expect(await stateOf(shop, source, id)).toBe('refunded');
      expect(merchantBalanceMinor(shop)).toBe(0);
    });

    it('201 refunds in parts up to the full amount, and the ledger balances', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      const left = [merchantBalanceMinor(shop)];
      const states = [await stateOf(shop, source, id)];
      for (const total of ['10', '20.10', '0.01']) {
        await shop.ask(source.refund, 201, to(source, id, usd(total)));
        left.push(merchantBalanceMinor(shop));
        states.push(await stateOf(shop, source, id));
      }
      expect(left).toEqual([3011, 2011, 1, 0]);
      expect(states).toEqual(['completed', 'partially_refunded', 'partially_refunded', 'refunded']);
    });

    it('201 refunds the full amount by name', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      await shop.ask(source.refund, 201, to(source, id, usd('30.11')));
      expect(await stateOf(shop, source, id)).toBe('refunded');
    });

    it('201 keeps description, reason and invoice number, and shows the refund by its id', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      const notes = {
        description: 'd'.repeat(255),
        reason: 'r'.repeat(30),
        invoice_number: 'i'.repeat(127),
      };
      const refund = await shop.ask(
        source.refund,
        201,
        to(source, id, { ...usd('1.00'), ...notes }),
      );
      expect(refund).toMatchObject(notes);
      shop.merchant.clock.advance(hourMs);
      expect(await shop.ask('refund.get', 200, { params: { refund_id: refund.id } })).toEqual(
        refund,
      );
    });

    it('201 writes the transfers of a refund to the ledger', async () => {
      const shop = transport.shop();
      const { id, parent_payment: payment } = await source.make(shop);
      shop.merchant.clock.advance(hourMs);
      const refund = await shop.ask(source.refund, 201, to(source, id, usd('1.00')));
      expect(shop.merchant.ledger().transfers.at(-1)).toEqual({
        cause: 'refund',
        subject: refund.id,
        payment,
        debit: 'merchant',
        credit: 'cardholders',
        amount: { minor: 100, currency: 'USD' },
        atMs: Date.parse('2026-05-06T08:08:09.123Z'),
      });
      expect(shop.merchant.ledger().balances).toEqual({
        USD: { cardholders: -2911, merchant: 2911 },
      });
    });

    it('201 refunds until the last millisecond of 180 days, and refuses one later', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      shop.merchant.clock.advance(180 * dayMs);
      await shop.ask(source.refund, 201, to(source, id, usd('1.00')));
      shop.merchant.clock.advance(1);
      expect(await refusalOf(shop, source.refund, to(source, id, usd('1.00')))).toEqual({
        name: 'REFUND_TIME_LIMIT_EXCEEDED',
        message: 'The time within which this transaction could be refunded is over',
      });
      expect(merchantBalanceMinor(shop)).toBe(2911);
    });

    it('201 never refunds more than the transaction under concurrent requests', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => shop.send(source.refund, to(source, id, usd('10.00')))),
      );
      expect(answers.map(({ status }) => status).filter((status) => status === 201)).toHaveLength(
        3,
      );
      expect(merchantBalanceMinor(shop)).toBe(11);
    });
  });
}
