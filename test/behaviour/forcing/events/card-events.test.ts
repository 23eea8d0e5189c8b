/** Events on the merchant's clock: cards that issuers change, held money, and sales that follow their payment. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import {
  dayMs,
  merchantBalanceMinor,
  pay,
  relatedOf,
  sell,
  storeCard,
} from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import { booksOf } from '../books.ts';
import { at, see } from '../tolerant-client.ts';

const cardNow = (shop: Shop, id: string) => shop.ask('card.get', 200, { params: { card_id: id } });

onEveryTransport('an account updater', (transport) => {
  it.each([
    ['card-auto-updated', '4000009900001127', 'xxxxxxxxxxxx1127'],
    ['card-auto-replaced', '4000009900001135', 'xxxxxxxxxxxx1136'],
  ])('changes a card exactly on time: %s', async (_id, number, after) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { number, expire_month: 6, expire_year: 2026 });
    const before = await cardNow(shop, cardId);
    shop.merchant.clock.advance(30 * dayMs - 1);
    expect(await cardNow(shop, cardId)).toEqual(before);
    shop.merchant.clock.advance(1);
    const card = await cardNow(shop, cardId);
    expect(card).toMatchObject({ id: cardId, number: after, expire_month: 6, expire_year: 2029 });
    expect(Date.parse(card.update_time)).toBe(Date.parse(card.create_time) + 30 * dayMs);
    // It would have expired in June. Now the three years after its storage end first.
    expect([before.valid_until, card.valid_until]).toEqual([
      '2026-07-01T00:00:00Z',
      '2029-05-05T00:00:00Z',
    ]);
    shop.merchant.clock.advance(60 * dayMs);
    await pay(shop, { cardId });
  });

  it('closes a card: it stays readable, and every payment is declined', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { number: '4000009900001143' });
    await pay(shop, { cardId });
    shop.merchant.clock.advance(30 * dayMs);
    expect((await cardNow(shop, cardId)).state).toBe('ok');
    const refused = await shop.reply('payment.create', 400, { body: paymentBody({ cardId }) });
    expect(refused.body).toMatchObject({
      name: 'CREDIT_CARD_REFUSED',
      processor_response: { advice_code: '03_DO_NOT_TRY_AGAIN' },
    });
    expect(refused.headers.get('sandbox-outcome')).toBe('decline-invalid-account; by=card');
  });

  it('does not change a card that was deleted before', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { number: '4000009900001127' });
    await shop.ask('card.delete', 204, { params: { card_id: cardId } });
    shop.merchant.clock.advance(30 * dayMs);
    await shop.ask('card.get', 404, { params: { card_id: cardId } });
    // The event was still scheduled at the export, which is valid.
    const other = transport.shop();
    const gone = await storeCard(other, { number: '4000009900001127' });
    await other.ask('card.delete', 204, { params: { card_id: gone } });
    other.merchant.import(JSON.parse(JSON.stringify(other.merchant.export())));
    other.merchant.clock.advance(30 * dayMs);
    await other.ask('card.get', 404, { params: { card_id: gone } });
  });

  it('changes a given card by a timeline, also after an export and import', async () => {
    const shop = transport.shop();
    shop.merchant.playScenario({
      scenario: 'reissued',
      version: 1,
      about: 'One card is renewed, another closed.',
      given: {
        cards: [
          { ref: 'renewed', number: '4242424242424242', type: 'visa', expire: '2027-01' },
          { ref: 'closed', number: '4111111111111111', type: 'visa', expire: '2027-01' },
        ],
      },
      timeline: [
        { at: '+P1D', event: 'card-auto-updated', card: 'renewed' },
        { at: '+P2D', event: 'card-closed-by-issuer', card: 'closed' },
      ],
    });
    const { items } = await shop.ask('card.list', 200);
    const [renewed = '', closed = ''] = items.map(({ id }) => id);
    shop.merchant.clock.advance(dayMs);
    expect((await cardNow(shop, renewed)).expire_year).toBe(2030);
    expect((await cardNow(shop, closed)).expire_year).toBe(2027);
    await pay(shop, { cardId: closed });
    shop.merchant.import(JSON.parse(JSON.stringify(shop.merchant.export())));
    shop.merchant.clock.advance(dayMs);
    await shop.ask('payment.create', 400, { body: paymentBody({ cardId: closed }) });
    await pay(shop, { cardId: renewed });
  });

  it('must name a card in a timeline', () => {
    const shop = transport.shop();
    expect(() =>
      shop.merchant.playScenario({
        scenario: 'reissued',
        version: 1,
        about: 'The card is not named.',
        timeline: [{ at: '+P1D', event: 'card-auto-updated' }],
      }),
    ).toThrow('"card-auto-updated" happens to a card. Name it');
  });
});

onEveryTransport('a sale whose money is held', (transport) => {
  it('is completed at once and released exactly on time', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop, { number: '4000009900001036' });
    const sale = await sell(shop, { cardId, total: '10.00' });
    expect([sale.state, sale.payment_hold_status]).toEqual(['completed', 'HELD']);
    expect(merchantBalanceMinor(shop)).toBe(1000);
    const params = { sale_id: sale.id };
    shop.merchant.clock.advance(21 * dayMs - 1);
    expect((await shop.ask('sale.get', 200, { params })).payment_hold_status).toBe('HELD');
    shop.merchant.clock.advance(1);
    const released = await shop.ask('sale.get', 200, { params });
    expect([released.state, released.payment_hold_status]).toEqual(['completed', undefined]);
    expect(Date.parse(released.update_time)).toBe(Date.parse(sale.create_time) + 21 * dayMs);
    expect(merchantBalanceMinor(shop)).toBe(1000);
  });
});

onEveryTransport('a partially committed payment', (transport) => {
  it('answers 500, has no sale at first, and gets its sale and money on time', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    shop.merchant.force({ op: 'payment.create', outcome: 'partial-commit' });
    const headers = { 'PayPal-Request-Id': 'one' };
    const body = paymentBody({ cardId, total: '10.00' });
    await shop.ask('payment.create', 500, { body, headers });
    const repeated = await shop.ask('payment.create', 201, { body, headers });
    expect([repeated.state, relatedOf(repeated), merchantBalanceMinor(shop)]).toEqual([
      'created',
      [],
      0,
    ]);
    shop.merchant.import(JSON.parse(JSON.stringify(shop.merchant.export())));
    shop.merchant.clock.advance(1999);
    expect(merchantBalanceMinor(shop)).toBe(0);
    shop.merchant.clock.advance(1);
    const made = await shop.ask('payment.get', 200, { params: { payment_id: repeated.id } });
    expect(relatedOf(made)).toMatchObject([
      { sale: { state: 'completed', parent_payment: repeated.id, amount: { total: '10.00' } } },
    ]);
    expect(Date.parse(made.update_time)).toBe(Date.parse(made.create_time) + 2000);
    expect(merchantBalanceMinor(shop)).toBe(1000);
    shop.merchant.clock.advance(dayMs);
    expect((await booksOf(shop)).transfers).toHaveLength(1);
  });

  it('can fail, and then has no sale, no money and no patch', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const seen = await see(shop, 'payment.create', {
      body: paymentBody({ cardId }),
      headers: { 'Sandbox-Outcome': 'payment-state-failed' },
    });
    const id = String(at(JSON.parse(seen.text), 'id'));
    shop.merchant.clock.advance(dayMs);
    const params = { payment_id: id };
    const failed = await shop.ask('payment.get', 200, { params });
    expect([failed.state, relatedOf(failed)]).toEqual(['failed', []]);
    const patch = [{ op: 'replace', path: '/transactions/0/custom', value: 'late' }];
    await shop.ask('payment.update', 400, { params, body: patch });
    expect(merchantBalanceMinor(shop)).toBe(0);
  });
});
