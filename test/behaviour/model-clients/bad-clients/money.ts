/** Mistakes that cost money. */
import { dayMs } from '../../../support/purchases.ts';
import { judgePayment } from '../reference/records.ts';
import type { BadClient } from './bad-client.ts';
import type { CornerShop } from './corner-shop.ts';

const part = { amount: { total: '10.00', currency: 'USD' } } as const;

/** `double-charge`: relies on the request id while the service ignores it, and sends no invoice number. */
async function trustsTheKeyAlone(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', undefined, {
    sequence: ['reset-after-commit', 'request-id-ignored'],
  });
  const body = shop.payment({ transaction: { custom: shop.newInvoice() } });
  const key = shop.newKey();
  await shop.pay(body, { key });
  await shop.wait(600);
  await shop.pay(body, { key });
  await shop.look();
}

/** `concurrent-duplicates`: lets the buyer press the button twice and uses a new request id each time. */
async function doubleClick(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', { outcome: 'slow-first-byte', with: { delay: '300ms' } });
  const body = shop.payment();
  await shop.newToken();
  await Promise.all([
    shop.pay(body, { key: shop.newKey() }),
    shop.pay(body, { key: shop.newKey() }),
  ]);
}

/** `double-refund`: refunds the same part twice with two request ids. */
async function refundsTwice(shop: CornerShop): Promise<void> {
  const { id } = await shop.sell();
  for (let times = 0; times < 2; times++) {
    await shop.ask('POST', `/v1/payments/sale/${id}/refund`, { body: part, key: shop.newKey() });
  }
}

/** `refund-and-chargeback`: refunds a sale although it has just read that the bank charged it back. */
async function refundsDisputed(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'chargeback-opened-won-lost');
  const { id } = await shop.sell();
  await shop.wait(21 * dayMs);
  // The token of three weeks ago has expired.
  await shop.newToken();
  await shop.ask('GET', `/v1/payments/sale/${id}`);
  await shop.ask('POST', `/v1/payments/sale/${id}/refund`, { body: part, key: shop.newKey() });
}

/** `refund-not-checked`: tells the buyer that the money is on its way, and never looks at the pending refund again. */
async function forgetsPendingRefund(shop: CornerShop): Promise<void> {
  shop.meets('sale.refund', 'refund-failed-later');
  const { id } = await shop.sell();
  await shop.ask('POST', `/v1/payments/sale/${id}/refund`, { body: part, key: shop.newKey() });
  await shop.wait(4 * dayMs);
}

/** `hold-left-open`: captures what it ships, and forgets the rest of the authorization. */
async function forgetsTheRest(shop: CornerShop): Promise<void> {
  const body = shop.payment({ intent: 'authorize' });
  const paid = judgePayment((await shop.pay(body, { key: shop.newKey() })).body);
  if (paid?.state !== 'done') throw new Error('The authorization was not made.');
  const path = `/v1/payments/authorization/${paid.record.id}/capture`;
  await shop.ask('POST', path, { body: part, key: shop.newKey() });
  await shop.wait(30 * dayMs);
}

/** `charge-after-hard-decline`: uses a card again that the issuer declined for good. */
async function chargesAfterHardDecline(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'decline-lost-or-stolen');
  await shop.pay(shop.payment(), { key: shop.newKey() });
  await shop.wait(dayMs / 4);
  await shop.pay(shop.payment({ total: '12.50' }), { key: shop.newKey() });
}

/** `excessive-reattempts`: tries the same card and amount every day. */
async function dunsEveryDay(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'decline-insufficient-funds', { per: 'merchant', times: 16 });
  for (let day = 0; day < 16; day++) {
    await shop.newToken();
    await shop.pay(shop.payment(), { key: shop.newKey() });
    await shop.wait(dayMs);
  }
}

/** `sale-not-checked`: takes a 201 for a completed payment and deletes the card. */
async function ignoresPending(shop: CornerShop): Promise<void> {
  const cardId = await shop.keep('buyer-7');
  shop.meets('payment.create', 'sale-pending-then-denied');
  const body = shop.payment({ cardId, externalCustomerId: 'buyer-7' });
  const paid = await shop.pay(body, { key: shop.newKey() });
  if (judgePayment(paid.body)?.state !== 'pending') throw new Error('The sale is not pending.');
  await shop.ask('DELETE', `/v1/vault/credit-card/${cardId}`);
}

export const money: Readonly<Record<string, BadClient>> = {
  'no invoice number behind the request id': { rule: 'double-charge', run: trustsTheKeyAlone },
  'a double click': { rule: 'concurrent-duplicates', run: doubleClick },
  'the same refund twice': { rule: 'double-refund', run: refundsTwice },
  'a refund of what is disputed': { rule: 'refund-and-chargeback', run: refundsDisputed },
  'a charge after a hard decline': {
    rule: 'charge-after-hard-decline',
    run: chargesAfterHardDecline,
  },
  'a daily attempt': { rule: 'excessive-reattempts', run: dunsEveryDay },
  'a pending sale taken for paid': { rule: 'sale-not-checked', run: ignoresPending },
  'the rest of an authorization': { rule: 'hold-left-open', run: forgetsTheRest },
  'a pending refund forgotten': { rule: 'refund-not-checked', run: forgetsPendingRefund },
};
