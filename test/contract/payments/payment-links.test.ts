/** Every link that a payment or anything that came of it shows can be followed with the method it names. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { authorize, authorizationOf, capture, pay, saleOf } from '../../support/purchases.ts';

interface Linked {
  readonly links: readonly {
    readonly href: string;
    readonly rel: string;
    readonly method: string;
  }[];
}

const tenDollars = { amount: { total: '10.00', currency: 'USD' } };

/** What to send along. GET and void need nothing. */
const bodies: Readonly<Record<string, unknown>> = {
  refund: { amount: { total: '0.01', currency: 'USD' } },
  capture: tenDollars,
  void: {},
};

/** Follows every link in its order; gives what each was called, how it was followed and what came back. */
async function followAll(shop: Shop, { links }: Linked): Promise<unknown[]> {
  const followed: unknown[] = [];
  for (const link of links) {
    const body = link.method === 'POST' ? bodies[link.rel] : undefined;
    const response = await shop.follow(link, body);
    await response.text();
    followed.push([link.rel, link.method, response.status]);
  }
  return followed;
}

for (const [profile, refundMethod, refundStatus] of [
  ['documented', 'GET', 200],
  ['recorded', 'POST', 201],
] as const) {
  onEveryTransport(
    `links of payments, ${profile} profile`,
    (transport) => {
      it('200 leads from a payment to itself', async () => {
        const shop = transport.shop();
        const payment = await pay(shop);
        expect(await followAll(shop, payment)).toEqual([['self', 'GET', 200]]);
      });

      it(`${refundStatus} leads from a sale to its refund by ${refundMethod}`, async () => {
        const shop = transport.shop();
        expect(await followAll(shop, saleOf(await pay(shop)))).toEqual([
          ['self', 'GET', 200],
          ['refund', refundMethod, refundStatus],
          ['parent_payment', 'GET', 200],
        ]);
      });

      it('200 leads from a refund to the sale', async () => {
        const shop = transport.shop();
        const { id } = saleOf(await pay(shop));
        const params = { sale_id: id };
        const refund = await shop.ask('sale.refund', 201, { params, body: tenDollars });
        expect(await followAll(shop, refund)).toEqual([
          ['self', 'GET', 200],
          ['parent_payment', 'GET', 200],
          ['sale', 'GET', 200],
        ]);
      });

      it('200 leads from an authorization to its capture and its void', async () => {
        const shop = transport.shop();
        const payment = await pay(shop, { intent: 'authorize' });
        expect(await followAll(shop, authorizationOf(payment))).toEqual([
          ['self', 'GET', 200],
          ['capture', 'POST', 200],
          ['void', 'POST', 200],
          ['parent_payment', 'GET', 200],
        ]);
      });

      it('200 leads from a voided authorization only to itself and its payment', async () => {
        const shop = transport.shop();
        const { id } = await authorize(shop);
        const params = { authorization_id: id };
        const voided = await shop.ask('auth.void', 200, { params, body: {} });
        expect(await followAll(shop, voided)).toEqual([
          ['self', 'GET', 200],
          ['parent_payment', 'GET', 200],
        ]);
      });

      it('200 leads from a new capture to its refund and back to the authorization', async () => {
        const shop = transport.shop();
        const taken = await capture(shop, (await authorize(shop)).id, '10.00');
        expect(await followAll(shop, taken)).toEqual([
          ['self', 'GET', 200],
          ['refund', 'POST', 201],
          ['authorization', 'GET', 200],
          ['parent_payment', 'GET', 200],
        ]);
      });

      it('200 leads from a shown capture to its refund, and from there to the capture', async () => {
        const shop = transport.shop();
        const { id } = await capture(shop, (await authorize(shop)).id, '10.00');
        const params = { capture_id: id };
        const refund = await shop.ask('capture.refund', 201, {
          params,
          body: { amount: { total: '1.00', currency: 'USD' } },
        });
        expect(await followAll(shop, refund)).toEqual([
          ['self', 'GET', 200],
          ['parent_payment', 'GET', 200],
          ['capture', 'GET', 200],
        ]);
        const shown = await shop.ask('capture.get', 200, { params });
        expect(await followAll(shop, shown)).toEqual([
          ['self', 'GET', 200],
          ['refund', 'POST', 201],
          ['parent_payment', 'GET', 200],
        ]);
      });

      it("200 leads from a sale's list of refunds to itself and the sale", async () => {
        const shop = transport.shop();
        const { id } = saleOf(await pay(shop));
        const list = await shop.ask('sale.refunds', 200, { params: { sale_id: id } });
        expect(await followAll(shop, list)).toEqual([
          ['self', 'GET', 200],
          ['sale', 'GET', 200],
        ]);
      });
    },
    { profile },
  );
}
