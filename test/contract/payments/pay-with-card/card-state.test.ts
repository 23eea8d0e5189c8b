/** Cards that cannot be paid with: unknown, deleted, another merchant's, expired. */
import { describe, expect, it } from 'vitest';
import { testNow, onEveryTransport } from '../../../support/transports.ts';
import { authorize, dayMs, pay, storeCard } from '../../../support/purchases.ts';
import { refusalOf } from '../../../support/requests/refusals.ts';
import { paymentBody } from '../../../support/samples.ts';

const nowMs = Date.parse(testNow);
const tokenExpired = {
  name: 'EXPIRED_CREDIT_CARD_TOKEN',
  message: 'The vaulted card has expired and cannot be paid with; store the card again',
};

onEveryTransport('the vaulted card of a payment', (transport) => {
  it('404 refuses an unknown card, with exactly these members', async () => {
    const request = { body: paymentBody({ cardId: 'CARD-2AB34567CD8901234KEXAMPL' }) };
    const { body, text } = await transport.shop().reply('payment.create', 404, request);
    expect(text).toBe(
      `{"name":"INVALID_RESOURCE_ID","message":"The requested resource ID was not found",` +
        `"information_link":"https://developer.paypal.com/docs/api/#INVALID_RESOURCE_ID","debug_id":"${body.debug_id}"}`,
    );
  });

  it('404 refuses a deleted card', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    const { name } = await shop.ask('payment.create', 404, { body: paymentBody({ cardId }) });
    expect(name).toBe('INVALID_RESOURCE_ID');
    expect(shop.merchant.ledger().transfers).toEqual([]);
  });

  it("404 refuses another merchant's card as if it were unknown", async () => {
    const cardId = await storeCard(transport.shop());
    const stranger = transport.shop();
    const theirs = await stranger.ask('payment.create', 404, { body: paymentBody({ cardId }) });
    const unknown = await stranger.ask('payment.create', 404, {
      body: paymentBody({ cardId: 'CARD-2AB34567CD8901234KEXAMPL' }),
    });
    expect({ ...theirs, debug_id: '' }).toEqual({ ...unknown, debug_id: '' });
  });

  it.each(['../credit-cards', 'CARD-%00', 'constructor', '__proto__'])(
    '404 treats %j like any other unknown id',
    async (cardId) => {
      const { name } = await transport
        .shop()
        .ask('payment.create', 404, { body: paymentBody({ cardId }) });
      expect(name).toBe('INVALID_RESOURCE_ID');
    },
  );

  it('400 checks the amount before it looks for the card', async () => {
    const body = paymentBody({ cardId: 'CARD-2AB34567CD8901234KEXAMPL', total: '0.00' });
    const { name } = await transport.shop().ask('payment.create', 400, { body });
    expect(name).toBe('VALIDATION_ERROR');
  });

  describe.each([
    // Three years less a day from the day it was stored, and the month's end after the printed expiry.
    [
      'the three years of the vault',
      { expire_month: 11, expire_year: 2031 },
      '2029-05-05T00:00:00Z',
    ],
    ['the printed expiry', { expire_month: 6, expire_year: 2026 }, '2026-07-01T00:00:00Z'],
  ])('at the end of %s', (_, expiry, validUntil) => {
    const leftMs = Date.parse(validUntil) - nowMs;

    it('201 pays until the last millisecond', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, expiry);
      shop.merchant.clock.advance(leftMs - 1);
      const payment = await pay(shop, { cardId });
      expect(payment.create_time).toBe(new Date(Date.parse(validUntil) - 1).toISOString());
    });

    it('400 refuses sales and authorizations from then on', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, expiry);
      shop.merchant.clock.advance(leftMs);
      for (const intent of ['sale', 'authorize']) {
        const request = { body: paymentBody({ cardId, intent }) };
        expect(await refusalOf(shop, 'payment.create', request)).toEqual(tokenExpired);
      }
      expect(shop.merchant.ledger().transfers).toEqual([]);
    });
  });

  it("400 expires cards by the merchant's own clock", async () => {
    const [late, early] = [transport.shop(), transport.shop()];
    const lateCard = await storeCard(late);
    const earlyCard = await storeCard(early);
    late.merchant.clock.advance(3 * 366 * dayMs);
    const request = { body: paymentBody({ cardId: lateCard }) };
    expect(await refusalOf(late, 'payment.create', request)).toEqual(tokenExpired);
    expect((await pay(early, { cardId: earlyCard })).create_time).toBe(testNow);
  });

  it('200 captures an authorization whose card was deleted', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const { id } = await authorize(shop, { cardId });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    const taken = await shop.ask('auth.capture', 200, {
      params: { authorization_id: id },
      body: { amount: { total: '30.11', currency: 'USD' } },
    });
    expect(taken.state).toBe('completed');
  });
});

onEveryTransport(
  'a vaulted card stored past its expiry',
  (transport) => {
    it('201 pays with an expired card if past expiries are allowed', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { expire_month: 11, expire_year: 2018 });
      const { payer } = await pay(shop, { cardId });
      expect(payer.funding_instruments[0]).toMatchObject({
        credit_card_token: { expire_month: '11', expire_year: '2018' },
      });
    });
  },
  { allowPastExpiry: true },
);
