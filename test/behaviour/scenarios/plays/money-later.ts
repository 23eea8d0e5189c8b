/** Plays of money that comes, goes or fails on the merchant's clock, and of cards that cannot be seen yet. */
import { expect } from 'vitest';
import { dayMs } from '../../../support/purchases.ts';
import { at } from '../../forcing/tolerant-client.ts';
import { heard, saleIn, type Buyer } from './buyer.ts';
import type { Play } from './play.ts';

const causes = (buyer: Buyer) => buyer.shop.merchant.ledger().transfers.map(({ cause }) => cause);

async function saleState(buyer: Buyer, id: string): Promise<unknown> {
  return at((await buyer.read('sale.get', `/v1/payments/sale/${id}`)).body, 'state');
}

/** Pays an order and returns the sale of the response. */
async function sold(buyer: Buyer, total?: string) {
  const cardId = await buyer.store();
  const order = { cardId, name: 'red', ...(total === undefined ? {} : { total }) };
  const tries = await buyer.buy(order);
  expect(heard(tries)).toEqual([201]);
  return saleIn(tries[0]?.body) ?? expect.fail('There is no sale.');
}

const refundOf = (id: string) => ({ path: `/v1/payments/sale/${id}/refund`, body: {} });

const chargeback: Play = {
  good: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    await sold(buyer);
    clock.advance(20 * dayMs - 1);
    expect(causes(buyer)).toEqual(['sale']);
    clock.advance(1);
    expect(causes(buyer)).toEqual(['sale', 'chargeback']);
    clock.advance(10 * dayMs);
    expect(causes(buyer)).toEqual(['sale', 'chargeback']);
  },
  fired: { 'dispute every sale': 1, 'refund of a disputed sale': 0 },
  balanceMinor: 0,
  careless: async (buyer) => {
    const { id } = await sold(buyer);
    buyer.shop.merchant.clock.advance(20 * dayMs);
    expect(heard(await buyer.persist('sale.refund', refundOf(id), 'back'))).toEqual([201]);
  },
  breaks: ['ledger.lossPerSale'],
};

const dunning: Play = {
  good: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    const short = {
      cardId: buyer.given('short'),
      externalCustomerId: 'customer-short',
      name: 'january',
    };
    const stolen = {
      cardId: buyer.given('stolen'),
      externalCustomerId: 'customer-stolen',
      name: 'theft',
    };
    const answers = [await buyer.pay(stolen, 'theft')];
    expect(at(answers[0]?.body, 'processor_response', 'advice_code')).toBe('03_DO_NOT_TRY_AGAIN');
    for (const id of ['first', 'second', 'payday']) {
      answers.push(await buyer.pay(short, id));
      clock.advance(2 * dayMs);
    }
    expect(answers.map(({ body }) => at(body, 'name') ?? saleIn(body)?.state)).toEqual([
      'CREDIT_CARD_REFUSED',
      'INSTRUMENT_DECLINED',
      'INSTRUMENT_DECLINED',
      'completed',
    ]);
  },
  fired: { 'insufficient funds until payday': 2, 'stolen card': 1 },
  balanceMinor: 3011,
  careless: async (buyer) => {
    const order = {
      cardId: buyer.given('stolen'),
      externalCustomerId: 'customer-stolen',
      name: 'theft',
    };
    await buyer.pay(order);
    await buyer.pay(order);
  },
  breaks: ['sales.byCard.short', 'attempts.byCard.stolen'],
};

const pendingThenDenied: Play = {
  good: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    const sale = await sold(buyer, '500.00');
    expect([sale.state, buyer.paid.size, causes(buyer)]).toEqual(['pending', 0, []]);
    clock.advance(2 * dayMs - 1);
    expect(await saleState(buyer, sale.id)).toBe('pending');
    clock.advance(1);
    expect(await saleState(buyer, sale.id)).toBe('denied');
    expect(causes(buyer)).toEqual([]);
  },
  fired: { 'review large payments': 1 },
  balanceMinor: 0,
  careless: async (buyer) => {
    // It splits the order to avoid the review.
    await sold(buyer, '499.99');
  },
  breaks: ['sales.states.denied', 'sales.states.completed'],
};

const refundChaos: Play = {
  good: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    const { id } = await sold(buyer);
    const tries = await buyer.persist('sale.refund', refundOf(id), 'back');
    expect(heard(tries)).toEqual(['ECONNRESET', 409, 200]);
    expect(at(tries.at(-1)?.body, 'state')).toBe('pending');
    expect(await saleState(buyer, id)).toBe('refunded');
    clock.advance(3 * dayMs);
    expect([await saleState(buyer, id), causes(buyer)]).toEqual(['completed', ['sale']]);
    const again = await buyer.persist('sale.refund', refundOf(id), 'once more');
    expect(heard(again)).toEqual([201]);
    expect([await saleState(buyer, id), causes(buyer)]).toEqual(['refunded', ['sale', 'refund']]);
  },
  fired: { 'three refund attempts': 4 },
  balanceMinor: 0,
};

const freshCardUnknown: Play = {
  good: async (buyer) => {
    const { clock } = buyer.shop.merchant;
    const cardId = await buyer.store();
    const path = `/v1/vault/credit-card/${cardId}`;
    const order = { cardId, name: 'red' };
    expect((await buyer.read('card.get', path)).status).toBe(404);
    expect((await buyer.pay(order, 'red')).status).toBe(404);
    clock.advance(1499);
    expect((await buyer.read('card.get', path)).status).toBe(404);
    clock.advance(1);
    expect((await buyer.read('card.get', path)).status).toBe(200);
    expect((await buyer.pay(order, 'red')).status).toBe(201);
  },
  fired: { 'new card is not visible': 3 },
  balanceMinor: 3011,
  careless: async (buyer) => {
    await buyer.read('card.get', `/v1/vault/credit-card/${await buyer.store()}`);
    await buyer.send('card.create', { body: { ...storedAgain } });
  },
  breaks: ['cards.perPan'],
};

const storedAgain = {
  number: '4417119669820331',
  type: 'visa',
  expire_month: 11,
  expire_year: 2031,
};

export const moneyLater = {
  chargeback,
  dunning,
  'fresh-card-unknown': freshCardUnknown,
  'pending-then-denied': pendingThenDenied,
  'refund-chaos': refundChaos,
} as const;
