import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { merchantBalanceMinor } from '../../support/purchases.ts';
import {
  formatIssue,
  issuesOf,
  malformedRequest,
  refusalOf,
  requiredIssue,
  zeroIssue,
} from '../../support/requests/refusals.ts';
import { sources, stateOf, to, usd } from './sources.ts';

const unknownId = '4AB56789CD0123456';

const refusals = {
  exceeded: {
    name: 'REFUND_EXCEEDED_TRANSACTION_AMOUNT',
    message: 'The refund is larger than what is left of the transaction',
  },
  alreadyRefunded: {
    name: 'TRANSACTION_ALREADY_REFUNDED',
    message: 'This transaction has already been refunded in full',
  },
  afterPartial: {
    name: 'FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND',
    message: 'A part was refunded already; name the amount to refund',
  },
  currencyMismatch: {
    name: 'CURRENCY_MISMATCH',
    message: 'The currency must be the one of the original transaction',
  },
};

for (const source of sources) {
  onEveryTransport(`refuse to refund a ${source.kind}`, (transport) => {
    it('400 refuses a refund larger than the transaction', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      const request = to(source, id, usd('30.12'));
      expect(await refusalOf(shop, source.refund, request)).toEqual(refusals.exceeded);
      expect(await stateOf(shop, source, id)).toBe('completed');
      expect(merchantBalanceMinor(shop)).toBe(3011);
    });

    it('400 refuses a refund larger than the remaining amount', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      await shop.ask(source.refund, 201, to(source, id, usd('10.00')));
      const request = to(source, id, usd('20.12'));
      expect(await refusalOf(shop, source.refund, request)).toEqual(refusals.exceeded);
      expect(merchantBalanceMinor(shop)).toBe(2011);
    });

    it.each([
      ['an empty object', {}],
      ['an amount of null', { amount: null }],
    ])('400 refuses a full refund after a partial one, by %s', async (_, body) => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      await shop.ask(source.refund, 201, to(source, id, usd('10.00')));
      expect(await refusalOf(shop, source.refund, to(source, id, body))).toEqual(
        refusals.afterPartial,
      );
      expect(merchantBalanceMinor(shop)).toBe(2011);
    });

    it.each([
      ['in full', {}],
      ['in part', usd('0.01')],
      ['by more than it was', usd('99.00')],
    ])('400 refuses to refund %s a transaction that is refunded in full', async (_, body) => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      await shop.ask(source.refund, 201, to(source, id));
      expect(await refusalOf(shop, source.refund, to(source, id, body))).toEqual(
        refusals.alreadyRefunded,
      );
      expect(merchantBalanceMinor(shop)).toBe(0);
    });

    it('400 refuses another currency', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      for (const currency of ['EUR', 'JPY', 'ZAR']) {
        const request = to(source, id, { amount: { total: '1', currency } });
        expect(await refusalOf(shop, source.refund, request)).toEqual(refusals.currencyMismatch);
      }
    });

    it.each([
      [usd('0.00'), 'amount.total', zeroIssue],
      [usd('0'), 'amount.total', zeroIssue],
      [usd('-1.00'), 'amount.total', formatIssue],
      [usd('1.5'), 'amount.total', formatIssue],
      [usd('1,50'), 'amount.total', formatIssue],
      [usd(1), 'amount.total', formatIssue],
      [usd('9'.repeat(30)), 'amount.total', formatIssue],
      [usd(null), 'amount.total', requiredIssue],
      [{ amount: { total: '1.00' } }, 'amount.currency', requiredIssue],
      [
        { amount: { total: '1.00', currency: 'ABC' } },
        'amount.currency',
        'Must be a three-letter ISO 4217 currency code',
      ],
      [{ description: 'd'.repeat(256) }, 'description', 'Value exceeds max length of 255'],
      [{ reason: 'r'.repeat(31) }, 'reason', 'Value exceeds max length of 30'],
      [{ invoice_number: 'i'.repeat(128) }, 'invoice_number', 'Value exceeds max length of 127'],
    ])('400 refuses the body %j for its %s', async (body, field, issue) => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      expect(await issuesOf(shop, source.refund, to(source, id, body))).toEqual([[field, issue]]);
      expect(merchantBalanceMinor(shop)).toBe(3011);
    });

    it.each([
      ['an unknown key', { surprise: 1 }],
      ['an unknown key in the amount', { amount: { total: '1.00', currency: 'USD', surprise: 1 } }],
      ['an amount as a text', { amount: '1.00' }],
      ['a reason as a fraction', { reason: 7.5 }],
      ['a list', '[]'],
      ['no JSON', '{'],
    ])('400 refuses a body with %s', async (_, body) => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      expect(await refusalOf(shop, source.refund, to(source, id, body))).toEqual(malformedRequest);
    });

    it('404 refuses an unknown id before it checks the amount', async () => {
      const shop = transport.shop();
      const refusal = await shop.ask(source.refund, 404, to(source, unknownId, usd('0.00')));
      expect(refusal).toEqual({
        name: 'INVALID_RESOURCE_ID',
        message: 'The requested resource ID was not found',
        information_link: 'https://developer.paypal.com/docs/api/#INVALID_RESOURCE_ID',
        debug_id: refusal.debug_id,
      });
    });

    it("404 refuses another merchant's transaction and leaves it unchanged", async () => {
      const owner = transport.shop();
      const { id } = await source.make(owner);
      const { name } = await transport.shop().ask(source.refund, 404, to(source, id));
      expect(name).toBe('INVALID_RESOURCE_ID');
      expect(merchantBalanceMinor(owner)).toBe(3011);
    });
  });
}
