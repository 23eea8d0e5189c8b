import { expect, it } from 'vitest';
import { onEveryTransport } from '../../../support/transports.ts';
import { authorizationOf, pay, saleOf, storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';

/** Ids come from the seed and the merchant, so they are the same on every transport. */
const ids = {
  card: 'CARD-9MX87562CS60423754FEUBFB',
  payment: 'PAY-3WC11419CV8329722FQC3LBC',
  transaction: '1LI81972EH5749880',
};

const owned = { external_customer_id: 'cust-42' };

const golden = (cardId: string, intent: string) => ({
  body: paymentBody({
    cardId,
    externalCustomerId: 'cust-42',
    total: '9.90',
    currency: 'EUR',
    intent,
  }),
});

onEveryTransport('pay with a vaulted card', (transport) => {
  it('201 answers a sale byte for byte as documented', async () => {
    const shop = transport.shop('golden');
    const cardId = await storeCard(shop, owned);
    const reply = await shop.reply('payment.create', 201, golden(cardId, 'sale'));
    const time = '2026-05-06T07:08:09.123Z';
    const { payment, transaction } = ids;
    const v1 = `${transport.base}/v1/payments`;
    expect(reply.text).toBe(
      `{"id":"${payment}","create_time":"${time}","update_time":"${time}","state":"created","intent":"sale",` +
        `"payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card_token":` +
        `{"credit_card_id":"${ids.card}","external_customer_id":"cust-42","last4":"0331","type":"visa",` +
        `"expire_month":"11","expire_year":"2031"}}]},` +
        `"transactions":[{"amount":{"total":"9.90","currency":"EUR"},"description":"A test order",` +
        `"related_resources":[{"sale":{"id":"${transaction}","create_time":"${time}","update_time":"${time}",` +
        `"state":"completed","amount":{"total":"9.90","currency":"EUR"},"parent_payment":"${payment}",` +
        `"links":[{"href":"${v1}/sale/${transaction}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/sale/${transaction}/refund","rel":"refund","method":"GET"},` +
        `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"}]}}]}],` +
        `"links":[{"href":"${v1}/payment/${payment}","rel":"self","method":"GET"}]}`,
    );
  });

  it('201 holds money for an authorization, byte for byte as documented', async () => {
    const shop = transport.shop('golden-authorization');
    const cardId = await storeCard(shop, owned);
    const reply = await shop.reply('payment.create', 201, golden(cardId, 'authorize'));
    const time = '2026-05-06T07:08:09.123Z';
    const payment = reply.body.id;
    const { id } = authorizationOf(reply.body);
    const v1 = `${transport.base}/v1/payments`;
    expect(reply.text).toBe(
      `{"id":"${payment}","create_time":"${time}","update_time":"${time}","state":"created","intent":"authorize",` +
        `"payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card_token":` +
        `{"credit_card_id":"${cardId}","external_customer_id":"cust-42","last4":"0331","type":"visa",` +
        `"expire_month":"11","expire_year":"2031"}}]},` +
        `"transactions":[{"amount":{"total":"9.90","currency":"EUR"},"description":"A test order",` +
        `"related_resources":[{"authorization":{"id":"${id}","create_time":"${time}","update_time":"${time}",` +
        `"state":"authorized","amount":{"total":"9.90","currency":"EUR"},"parent_payment":"${payment}",` +
        `"valid_until":"2026-06-04T07:08:09.123Z",` +
        `"links":[{"href":"${v1}/authorization/${id}","rel":"self","method":"GET"},` +
        `{"href":"${v1}/authorization/${id}/capture","rel":"capture","method":"POST"},` +
        `{"href":"${v1}/authorization/${id}/void","rel":"void","method":"POST"},` +
        `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"}]}}]}],` +
        `"links":[{"href":"${v1}/payment/${payment}","rel":"self","method":"GET"}]}`,
    );
    expect(shop.merchant.ledger()).toMatchObject({ transfers: [], balances: {} });
  });

  it('201 creates unique ids of the real form', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const payments = [await pay(shop, { cardId }), await pay(shop, { cardId })];
    const sales = payments.map(saleOf);
    for (const { id } of payments) expect(id).toMatch(/^PAY-[0-9A-Z]{17}[A-Z2-7]{7}$/);
    for (const { id } of sales) expect(id).toMatch(/^[0-9A-Z]{17}$/);
    expect(new Set([...payments, ...sales].map(({ id }) => id)).size).toBe(4);
  });

  it('201 moves the money from the cardholder to the merchant', async () => {
    const shop = transport.shop();
    const payment = await pay(shop, { total: '30.11' });
    expect(shop.merchant.ledger()).toMatchObject({
      transfers: [
        {
          cause: 'sale',
          subject: saleOf(payment).id,
          payment: payment.id,
          debit: 'cardholders',
          credit: 'merchant',
          amount: { minor: 3011, currency: 'USD' },
          atMs: Date.parse(payment.create_time),
        },
      ],
      balances: { USD: { cardholders: -3011, merchant: 3011 } },
    });
  });

  it('201 serves the path with a trailing slash, without a redirect', async () => {
    const shop = transport.shop();
    const body = paymentBody({ cardId: await storeCard(shop) });
    const path = '/v1/payments/payment/';
    const payment = await shop.ask('payment.create', 201, { path, body });
    expect(payment.links).toEqual([
      { href: `${transport.base}/v1/payments/payment/${payment.id}`, rel: 'self', method: 'GET' },
    ]);
  });

  it('201 shows the card as of the payment, also after a change or deletion', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const paid = await pay(shop, { cardId });
    await shop.ask('card.update', 200, {
      params: { card_id: cardId },
      body: [{ op: 'replace', path: '/expire_year', value: 2033 }],
    });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    const shown = await shop.ask('payment.get', 200, { params: { payment_id: paid.id } });
    expect(shown).toEqual(paid);
  });
});

onEveryTransport(
  'pay with a vaulted card, recorded profile',
  (transport) => {
    it('201 answers a sale byte for byte as recorded', async () => {
      const shop = transport.shop('golden');
      const cardId = await storeCard(shop, owned);
      const reply = await shop.reply('payment.create', 201, golden(cardId, 'sale'));
      const time = '2026-05-06T07:08:09Z';
      const { payment, transaction } = ids;
      const v1 = `${transport.base}/v1/payments`;
      expect(reply.text).toBe(
        `{"id":"${payment}","create_time":"${time}","update_time":"${time}","state":"approved","intent":"sale",` +
          `"payer":{"payment_method":"credit_card","funding_instruments":[{"credit_card_token":` +
          `{"credit_card_id":"${ids.card}","external_customer_id":"cust-42","last4":"0331","type":"visa",` +
          `"expire_month":"11","expire_year":"2031"}}]},` +
          `"transactions":[{"amount":{"total":"9.90","currency":"EUR","details":{"subtotal":"9.90"}},` +
          `"description":"A test order",` +
          `"related_resources":[{"sale":{"id":"${transaction}","create_time":"${time}","update_time":"${time}",` +
          `"state":"completed","amount":{"total":"9.90","currency":"EUR"},"parent_payment":"${payment}",` +
          `"links":[{"href":"${v1}/sale/${transaction}","rel":"self","method":"GET"},` +
          `{"href":"${v1}/sale/${transaction}/refund","rel":"refund","method":"POST"},` +
          `{"href":"${v1}/payment/${payment}","rel":"parent_payment","method":"GET"}]}}]}],` +
          `"links":[{"href":"${v1}/payment/${payment}","rel":"self","method":"GET"}]}`,
      );
    });

    it('201 writes the expiry month without a leading zero', async () => {
      const shop = transport.shop();
      const cardId = await storeCard(shop, { expire_month: '09' });
      const payment = await pay(shop, { cardId });
      expect(payment.payer.funding_instruments).toEqual([
        {
          credit_card_token: {
            credit_card_id: cardId,
            last4: '0331',
            type: 'visa',
            expire_month: '9',
            expire_year: '2031',
          },
        },
      ]);
    });

    it('201 keeps details that were sent, and omits zero parts', async () => {
      const shop = transport.shop();
      const amount = {
        total: '9.90',
        currency: 'EUR',
        details: { shipping: '0.00', subtotal: '9.00', tax: '0.90' },
      };
      const payment = await pay(shop, { transaction: { amount } });
      expect(payment.transactions[0]?.amount).toEqual({
        total: '9.90',
        currency: 'EUR',
        details: { subtotal: '9.00', tax: '0.90' },
      });
    });
  },
  { profile: 'recorded' },
);
