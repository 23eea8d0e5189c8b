/** PayPal-Request-Id: a repeat of a refund is the refund, not another one. */
import { expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { merchantBalanceMinor } from '../../support/purchases.ts';
import { refusalOf } from '../../support/requests/refusals.ts';
import { sources, to, usd } from './sources.ts';

const headers = { 'PayPal-Request-Id': 'refund-1042' };

for (const source of sources) {
  onEveryTransport(`repeat the refund of a ${source.kind}`, (transport) => {
    it('200 answers a repeat with the first refund, byte for byte, and refunds once', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      const request = { ...to(source, id, usd('10.00')), headers };
      const first = await shop.reply(source.refund, 201, request);
      const second = await shop.reply(source.refund, 200, request);
      expect(second.text).toBe(first.text);
      expect(second.headers.get('sandbox-replayed')).toBe('true');
      expect(merchantBalanceMinor(shop)).toBe(2011);
    });

    it('200 answers a repeat also when nothing remains to refund', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      const request = { ...to(source, id), headers };
      const first = await shop.ask(source.refund, 201, request);
      expect(await shop.ask(source.refund, 200, request)).toEqual(first);
    });

    it('201 accepts one request id for two transactions: an id belongs to a path', async () => {
      const shop = transport.shop();
      const made = [await source.make(shop), await source.make(shop)];
      for (const { id } of made) await shop.ask(source.refund, 201, { ...to(source, id), headers });
      expect(merchantBalanceMinor(shop)).toBe(0);
    });

    it('201 accepts a request id whose first request was refused', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      await shop.ask(source.refund, 400, { ...to(source, id, usd('99.00')), headers });
      await shop.ask(source.refund, 201, { ...to(source, id, usd('10.00')), headers });
      expect(merchantBalanceMinor(shop)).toBe(2011);
    });

    it('400 refuses another body with the same request id', async () => {
      const shop = transport.shop();
      const { id } = await source.make(shop);
      await shop.ask(source.refund, 201, { ...to(source, id, usd('10.00')), headers });
      const request = { ...to(source, id, usd('10.01')), headers };
      expect((await refusalOf(shop, source.refund, request)).name).toBe('DUPLICATE_REQUEST_ID');
      expect(merchantBalanceMinor(shop)).toBe(2011);
    });
  });
}
