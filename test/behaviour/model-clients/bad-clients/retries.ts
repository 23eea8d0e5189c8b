/** Mistakes with retries, or with giving up. */
import type { BadClient } from './bad-client.ts';
import type { CornerShop } from './corner-shop.ts';

/** Growing waits, each roughly twice the previous one. */
const goodWaitsMs = [600, 1_300, 2_500, 5_600, 11_000, 23_000] as const;

/** `retry-without-key`: retries a payment after a lost answer without a request id. */
async function noKeyOnRetry(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'reset-after-commit');
  const body = shop.payment();
  await shop.pay(body);
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body);
  await shop.look();
}

/** `new-key-on-retry`: creates a new request id for each attempt. */
async function newKeyOnRetry(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'reset-after-commit');
  const body = shop.payment();
  await shop.pay(body, { key: shop.newKey() });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key: shop.newKey() });
  await shop.look();
}

/** `key-reused-for-other-intent`: uses one request id for the whole process. */
async function oneKeyForAll(shop: CornerShop): Promise<void> {
  const key = shop.newKey();
  await shop.pay(shop.payment(), { key });
  await shop.pay(shop.payment({ total: '12.50' }), { key });
}

/** `key-low-entropy`: uses a counter that starts at 1 with each process. */
async function countedKeys(shop: CornerShop): Promise<void> {
  for (const key of ['1', '2', '3']) await shop.pay(shop.payment(), { key });
}

/** `amount-drift`: changes the amount between an attempt and its retry. */
async function otherAmountOnRetry(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit');
  const key = shop.newKey();
  const transaction = { invoice_number: shop.newInvoice() };
  await shop.pay(shop.payment({ transaction }), { key });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(shop.payment({ transaction, total: '31.11' }), { key });
}

/** `retry-of-final-4xx`: retries a decline like a network error. */
async function retriesFinal4xx(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'decline-generic', { times: 3 });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key });
  for (const waitMs of goodWaitsMs.slice(0, 2)) {
    await shop.wait(waitMs);
    await shop.pay(body, { key });
  }
}

/** `ignores-retry-after`: retries before the requested half minute is over. */
async function ignoresRetryAfter(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', { outcome: 'rate-limited-seconds', with: { retryAfter: 30 } });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key });
}

/** `retry-no-backoff`: retries at once, again and again. */
async function retriesAtOnce(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit', { times: 3 });
  const [body, key] = [shop.payment(), shop.newKey()];
  for (let tries = 0; tries < 4; tries++) await shop.pay(body, { key });
}

/** `retry-storm`: waits correctly but never stops. */
async function retriesWithoutEnd(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit', { times: 6 });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key });
  for (const waitMs of goodWaitsMs) {
    await shop.wait(waitMs);
    await shop.pay(body, { key });
  }
}

/** `gives-up-at-once`: takes one failed read for a final failure. */
async function givesUpOnRead(shop: CornerShop): Promise<void> {
  shop.meets('payment.list', 'rate-limited-no-header');
  await shop.look();
}

/** `no-read-after-unknown`: drops the order after an unknown outcome. */
async function forgetsUnknown(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit');
  await shop.pay(shop.payment(), { key: shop.newKey() });
}

/** `orphaned-charge`: drops the order although the card was charged. */
async function forgetsCharge(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'reset-after-commit');
  await shop.pay(shop.payment(), { key: shop.newKey() });
}

/** `no-deadline`: waits as long as the connection is open. */
async function waitsForEver(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', { outcome: 'hang-after-commit', with: { cap: '50ms' } });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key, deadlineMs: 'none' });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key });
}

/** `deadline-too-short`: disconnects after two seconds and retries. */
async function leavesTooSoon(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'hang-after-commit');
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key, deadlineMs: 2_000 });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key });
}

export const retries: Readonly<Record<string, BadClient>> = {
  'no request id on a retry': { rule: 'retry-without-key', run: noKeyOnRetry },
  'a new request id on each retry': { rule: 'new-key-on-retry', run: newKeyOnRetry },
  'one request id for two orders': { rule: 'key-reused-for-other-intent', run: oneKeyForAll },
  'request ids from a counter': { rule: 'key-low-entropy', run: countedKeys },
  'another amount on a retry': { rule: 'amount-drift', run: otherAmountOnRetry },
  'a declined payment retried': { rule: 'retry-of-final-4xx', run: retriesFinal4xx },
  'Retry-After ignored': { rule: 'ignores-retry-after', run: ignoresRetryAfter },
  'retries without a wait': { rule: 'retry-no-backoff', run: retriesAtOnce },
  'retries without an end': { rule: 'retry-storm', run: retriesWithoutEnd },
  'a read given up at once': { rule: 'gives-up-at-once', run: givesUpOnRead },
  'an unknown outcome dropped': { rule: 'no-read-after-unknown', run: forgetsUnknown },
  'a charge dropped': {
    rule: 'orphaned-charge',
    also: ['no-read-after-unknown'],
    run: forgetsCharge,
  },
  'no timeout': { rule: 'no-deadline', run: waitsForEver },
  'a timeout that is too short': { rule: 'deadline-too-short', run: leavesTooSoon },
};
