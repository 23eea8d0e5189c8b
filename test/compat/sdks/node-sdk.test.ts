/** The official Node SDK, paypal-rest-sdk 1.8.1 from npm, over a socket (contract.md §14). */
import sdk from 'paypal-rest-sdk';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { profiles } from '../../../src/contract/profile.ts';
import { createSandbox, type Listening, type Merchant, type Sandbox } from '../../../src/index.ts';
import { testNow } from '../../support/transports.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { NodeSdkShop } from './node-sdk-shop.ts';

const usd = (total: string) => ({ amount: { total, currency: 'USD' } });
const nineHoursMs = 9 * 60 * 60 * 1000;

it('the tested Node SDK has the version that the contract names', () => {
  expect(sdk.version).toBe('1.8.1');
});

describe.each(['documented', 'recorded'] as const)('the Node SDK (%s)', (profileName) => {
  const profile = profiles[profileName];
  const heard: string[] = [];
  let sandbox: Sandbox;
  let at: Listening;
  let merchant: Merchant;
  let shop: NodeSdkShop;
  let shops = 0;

  beforeAll(async () => {
    sandbox = createSandbox({
      seed: 'node-sdk',
      fixtures: 'empty',
      profile: profileName,
      clock: { start: testNow, frozen: true },
      listeners: { onExchange: ({ operation, status }) => heard.push(`${operation} ${status}`) },
    });
    at = await sandbox.listen({ port: 0 });
  });
  afterAll(() => sandbox.close());

  // The SDK caches tokens by client id for the whole process, across both profiles.
  beforeEach(() => {
    const clientId = `${profileName}-${++shops}`;
    merchant = sandbox.merchant(clientId);
    shop = new NodeSdkShop(at, clientId);
    heard.length = 0;
  });

  const saleOf = async (total: string) => {
    const card = await shop.storeCard(cardBody());
    const payment = await shop.pay(paymentBody({ cardId: card.id, total }));
    const [related] = payment.transactions[0]?.related_resources ?? [];
    if (related === undefined || !('sale' in related)) throw new Error('The payment has no sale.');
    return { payment, sale: related.sale };
  };

  const holdOf = async (total: string) => {
    const card = await shop.storeCard(cardBody());
    const payment = await shop.pay(paymentBody({ cardId: card.id, total, intent: 'authorize' }));
    const [related] = payment.transactions[0]?.related_resources ?? [];
    if (related === undefined || !('authorization' in related)) {
      throw new Error('The payment has no authorization.');
    }
    return { payment, hold: related.authorization };
  };

  it('gets a token that names its merchant', async () => {
    expect(await shop.token()).toMatch(new RegExp(`^Bearer A21\\.${merchant.id}\\.`));
  });

  it('stores, shows, lists, patches and deletes a card', async () => {
    const expiry = (month: number, year: number) =>
      profile.vaultExpiryAs === 'string'
        ? { expire_month: String(month), expire_year: String(year) }
        : { expire_month: month, expire_year: year };
    const { number: _number, cvv2: _cvv2, ...echoed } = cardBody();

    const card = await shop.storeCard(cardBody({ external_customer_id: 'cust-42' }));
    expect(card).toMatchObject({
      ...echoed,
      ...expiry(11, 2031),
      state: 'ok',
      number: 'xxxxxxxxxxxx0331',
      external_customer_id: 'cust-42',
      create_time: '2026-05-06T07:08:09Z',
    });
    expect(card).not.toHaveProperty('cvv2');
    expect(card.links.map(({ rel, method }) => `${method} ${rel}`)).toEqual([
      'GET self',
      'DELETE delete',
      'PATCH patch',
    ]);
    for (const { href } of card.links) {
      expect(href).toBe(`${at.url}/v1/vault/credit-card/${card.id}`);
    }
    expect(await shop.showCard(card.id)).toEqual(card);

    const other = await shop.storeCard(cardBody({ external_customer_id: 'cust-43' }));
    expect(await shop.listCards({})).toMatchObject({
      items: [card, other],
      total_items: 2,
      total_pages: 1,
    });
    expect(
      await shop.listCards({ external_customer_id: 'cust-42', page: 1, page_size: 10 }),
    ).toMatchObject({ items: [card], total_items: 1 });

    merchant.clock.advance(2000);
    const patched = await shop.patchCard(card.id, [
      { op: 'replace', path: '/first_name', value: 'Grace' },
      { op: 'replace', path: '/expire_year', value: 2032 },
    ]);
    expect(patched).toEqual({
      ...card,
      ...expiry(11, 2032),
      first_name: 'Grace',
      update_time: '2026-05-06T07:08:11Z',
    });

    expect(await shop.deleteCard(card.id)).toEqual({});
    const gone = await shop.refusal((config, done) => sdk.creditCard.get(card.id, config, done));
    expect(gone).toMatchObject({ status: 404, name: 'INVALID_RESOURCE_ID' });
    const again = await shop.refusal((config, done) => sdk.creditCard.del(card.id, config, done));
    expect(again).toMatchObject({ status: 404, name: 'INVALID_RESOURCE_ID' });
    const unpaid = await shop.refusal((config, done) =>
      sdk.payment.create(paymentBody({ cardId: card.id }), config, done),
    );
    expect(unpaid).toMatchObject({ status: 404, name: 'INVALID_RESOURCE_ID' });
  });

  it('adds an address to a card that has none', async () => {
    const { billing_address: address, ...bare } = cardBody();
    const card = await shop.storeCard(bare);
    expect(card).not.toHaveProperty('billing_address');
    const patched = await shop.patchCard(card.id, [
      { op: 'add', path: '/billing_address', value: address },
    ]);
    expect(patched).toEqual({ ...card, billing_address: address });
  });

  it('pays with the vaulted card, and reads the payment and the sale', async () => {
    const card = await shop.storeCard(cardBody({ external_customer_id: 'cust-42' }));
    const payment = await shop.pay(
      paymentBody({ cardId: card.id, externalCustomerId: 'cust-42', total: '7' }),
    );
    const time = profile.paymentTimes === 'seconds' ? '2026-05-06T07:08:09Z' : testNow;
    expect(payment).toMatchObject({
      state: profile.vaultedPaymentState,
      intent: 'sale',
      create_time: time,
      payer: {
        payment_method: 'credit_card',
        funding_instruments: [
          {
            credit_card_token: {
              credit_card_id: card.id,
              external_customer_id: 'cust-42',
              last4: '0331',
              type: 'visa',
              expire_month: String(card.expire_month),
              expire_year: String(card.expire_year),
            },
          },
        ],
      },
      transactions: [
        {
          amount: {
            total: '7.00',
            currency: 'USD',
            ...(profile.addsSubtotal ? { details: { subtotal: '7.00' } } : {}),
          },
          description: 'A test order',
          related_resources: [{ sale: { state: 'completed', amount: usd('7.00').amount } }],
        },
      ],
    });
    expect(await shop.showPayment(payment.id)).toEqual(payment);

    const [related] = payment.transactions[0]?.related_resources ?? [];
    const sale = related !== undefined && 'sale' in related ? related.sale : undefined;
    expect(sale).toMatchObject({ parent_payment: payment.id, create_time: time });
    expect(sale?.links.map(({ rel, method }) => `${method} ${rel}`)).toEqual([
      'GET self',
      `${profile.refundLinkMethod} refund`,
      'GET parent_payment',
    ]);
    expect(await shop.showSale(sale?.id ?? '')).toEqual(sale);
  });

  it('lists payments, newest first', async () => {
    const made: string[] = [];
    for (const total of ['1.00', '2.00', '3.00']) {
      made.unshift((await saleOf(total)).payment.id);
      merchant.clock.advance(1000);
    }
    const page = await shop.listPayments({ count: 2 });
    expect(page.payments.map(({ id }) => id)).toEqual(made.slice(0, 2));
    expect(page).toMatchObject({ count: 2, next_id: made[2] });

    const rest = await shop.listPayments({ count: 2, start_id: page.next_id });
    expect(rest.payments.map(({ id }) => id)).toEqual(made.slice(2));
    expect(rest.count).toBe(1);
    expect(rest).not.toHaveProperty('next_id');
  });

  it('refunds a part, is refused more than the rest, and refunds the rest', async () => {
    const { payment, sale } = await saleOf('10.00');
    const part = await shop.refundSale(sale.id, usd('4.00'));
    expect(part).toMatchObject({ state: 'completed', ...usd('4.00'), sale_id: sale.id });
    expect(await shop.showRefund(part.id)).toEqual(part);
    expect(await shop.showSale(sale.id)).toMatchObject({ state: 'partially_refunded' });

    const tooMuch = await shop.refusal((config, done) =>
      sdk.sale.refund(sale.id, usd('6.01'), config, done),
    );
    expect(tooMuch).toMatchObject({ status: 400, name: 'REFUND_EXCEEDED_TRANSACTION_AMOUNT' });
    expect(tooMuch).not.toHaveProperty('details');

    const unnamed = await shop.refusal((config, done) =>
      sdk.sale.refund(sale.id, {}, config, done),
    );
    expect(unnamed.name).toBe('FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND');

    await shop.refundSale(sale.id, usd('6.00'));
    expect(await shop.showSale(sale.id)).toMatchObject({ state: 'refunded' });
    const shown = await shop.showPayment(payment.id);
    expect(shown.transactions[0]?.related_resources.map((one) => Object.keys(one)[0])).toEqual([
      'sale',
      'refund',
      'refund',
    ]);
    const nothingLeft = await shop.refusal((config, done) =>
      sdk.sale.refund(sale.id, usd('0.01'), config, done),
    );
    expect(nothingLeft.name).toBe('TRANSACTION_ALREADY_REFUNDED');
    expect(merchant.ledger().balances).toEqual({ USD: { cardholders: 0, merchant: 0 } });
  });

  it('refunds in full with an empty body', async () => {
    const { sale } = await saleOf('10.00');
    expect(await shop.refundSale(sale.id, {})).toMatchObject(usd('10.00'));
    expect(await shop.showSale(sale.id)).toMatchObject({ state: 'refunded' });
  });

  it('authorizes, captures a part and the final part, and refunds a capture', async () => {
    const { hold } = await holdOf('10.00');
    expect(hold).toMatchObject({ state: 'authorized', amount: usd('10.00').amount });
    expect(await shop.showAuthorization(hold.id)).toEqual(hold);

    const part = await shop.capture(hold.id, { ...usd('4.00'), is_final_capture: false });
    expect(part).toMatchObject({ state: 'completed', is_final_capture: false, ...usd('4.00') });
    expect(await shop.showAuthorization(hold.id)).toMatchObject({ state: 'partially_captured' });

    const last = await shop.capture(hold.id, { ...usd('5.00'), is_final_capture: true });
    expect(last.is_final_capture).toBe(true);
    expect(await shop.showAuthorization(hold.id)).toMatchObject({ state: 'captured' });

    const { is_final_capture: _final, links: _links, ...kept } = last;
    expect(await shop.showCapture(last.id)).toMatchObject(kept);
    const refund = await shop.refundCapture(last.id, usd('5.00'));
    expect(refund).toMatchObject({ capture_id: last.id, ...usd('5.00') });
    expect(await shop.showCapture(last.id)).toMatchObject({ state: 'refunded' });

    const closed = await shop.refusal((config, done) =>
      sdk.authorization.capture(hold.id, usd('1.00'), config, done),
    );
    expect(closed).toMatchObject({ status: 400, name: 'AUTHORIZATION_ALREADY_COMPLETED' });
    const unvoidable = await shop.refusal((config, done) =>
      sdk.authorization.void(hold.id, config, done),
    );
    expect(unvoidable).toMatchObject({ status: 400, name: 'AUTHORIZATION_CANNOT_BE_VOIDED' });
    expect(merchant.ledger().balances).toEqual({ USD: { cardholders: -400, merchant: 400 } });
  });

  it('voids once, and is refused a second time', async () => {
    const { hold } = await holdOf('10.00');
    const voided = await shop.voidAuthorization(hold.id);
    expect(voided.state).toBe('voided');
    expect(voided).not.toHaveProperty('valid_until');
    expect(voided.links.map(({ rel }) => rel)).toEqual(['self', 'parent_payment']);

    const twice = await shop.refusal((config, done) =>
      sdk.authorization.void(hold.id, config, done),
    );
    expect(twice).toMatchObject({ status: 400, name: 'AUTHORIZATION_CANNOT_BE_VOIDED' });
    expect(twice.message).toContain('voided');
    const captured = await shop.refusal((config, done) =>
      sdk.authorization.capture(hold.id, usd('1.00'), config, done),
    );
    expect(captured).toMatchObject({ status: 400, name: 'AUTHORIZATION_VOIDED' });
    expect(merchant.ledger().transfers).toEqual([]);
  });

  it('cannot reauthorize a card', async () => {
    const { hold } = await holdOf('10.00');
    const refusal = await shop.refusal((config, done) =>
      sdk.authorization.reauthorize(hold.id, usd('10.00'), config, done),
    );
    expect(refusal).toMatchObject({ status: 400, name: 'DCC_REAUTHORIZATION_NOT_ALLOWED' });
  });

  it('reads the names of invalid fields', async () => {
    const missing = await shop.refusal((config, done) => sdk.creditCard.create({}, config, done));
    expect(missing).toMatchObject({ status: 400, name: 'VALIDATION_ERROR' });
    expect(missing.details).toEqual(
      ['number', 'expire_year', 'expire_month', 'type'].map((field) => ({
        field,
        issue: 'Required field missing',
      })),
    );
    const wrong = await shop.refusal((config, done) =>
      sdk.creditCard.create(cardBody({ number: '4111111111111112' }), config, done),
    );
    expect(wrong.details).toEqual([{ field: 'number', issue: 'Value is invalid' }]);
    expect(JSON.stringify(wrong)).not.toContain('4111111111111112');
    const { id } = await shop.storeCard(cardBody());
    const amount = await shop.refusal((config, done) =>
      sdk.payment.create(paymentBody({ cardId: id, total: '24.4' }), config, done),
    );
    expect(amount.details?.map(({ field }) => field)).toEqual(['transactions[0].amount.total']);
    const shape = await shop.refusal((config, done) =>
      sdk.creditCard.update(id, { op: 'replace' }, config, done),
    );
    expect(shape).toMatchObject({ status: 400, name: 'MALFORMED_REQUEST' });
  });

  it('requests a new token after the old one expired, and repeats the call itself', async () => {
    const card = await shop.storeCard(cardBody());
    merchant.clock.advance(nineHoursMs);
    heard.length = 0;
    expect(await shop.showCard(card.id)).toEqual(card);
    expect(heard).toEqual(['card.get 401', 'token.create 200', 'card.get 200']);

    heard.length = 0;
    await shop.showCard(card.id);
    expect(heard).toEqual(['card.get 200']);
  });

  it('cannot read data of another client id', async () => {
    const { payment, sale } = await saleOf('10.00');
    const stranger = new NodeSdkShop(at, `${merchant.id}-stranger`);
    expect((await stranger.listPayments({})).payments).toEqual([]);
    expect((await stranger.listCards({})).items).toEqual([]);
    const calls = [
      stranger.refusal((config, done) => sdk.payment.get(payment.id, config, done)),
      stranger.refusal((config, done) => sdk.sale.get(sale.id, config, done)),
      stranger.refusal((config, done) => sdk.sale.refund(sale.id, {}, config, done)),
    ];
    for (const { status, name } of await Promise.all(calls)) {
      expect([status, name]).toEqual([404, 'INVALID_RESOURCE_ID']);
    }
    expect(await shop.showSale(sale.id)).toEqual(sale);
  });

  it('works with one configuration for all calls', async () => {
    sdk.configure(shop.config);
    const card = await new Promise((resolve, reject) => {
      sdk.creditCard.create(cardBody(), (error, response) => {
        if (error === null) resolve(response);
        else reject(error);
      });
    });
    expect(card).toMatchObject({ number: 'xxxxxxxxxxxx0331', httpStatusCode: 201 });
    expect((await shop.listCards({})).total_items).toBe(1);
  });
});
