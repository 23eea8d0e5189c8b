/** Bad habits of asking again, or of not asking. */
import type { BadClient } from './bad-client.ts';
import type { CornerShop } from './corner-shop.ts';

/** Waits that grow, each a little other than twice the one before. */
const goodWaitsMs = [600, 1_300, 2_500, 5_600, 11_000, 23_000] as const;

/** `retry-without-key`: the answer is lost, and the payment is sent again with nothing that ties the two together. */
async function noKeyOnRetry(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'reset-after-commit');
  const body = shop.payment();
  await shop.pay(body);
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body);
  await shop.look();
}

/** `new-key-on-retry`: "unique for every request" was taken by the word. */
async function newKeyOnRetry(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'reset-after-commit');
  const body = shop.payment();
  await shop.pay(body, { key: shop.newKey() });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key: shop.newKey() });
  await shop.look();
}

/** `key-reused-for-other-intent`: one request id for the whole process. */
async function oneKeyForAll(shop: CornerShop): Promise<void> {
  const key = shop.newKey();
  await shop.pay(shop.payment(), { key });
  await shop.pay(shop.payment({ total: '12.50' }), { key });
}

/** `key-low-entropy`: a counter that begins at 1 with each start of the process. */
async function countedKeys(shop: CornerShop): Promise<void> {
  for (const key of ['1', '2', '3']) await shop.pay(shop.payment(), { key });
}

/** `amount-drift`: the cart changed between the try and its repeat. */
async function otherAmountOnRetry(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit');
  const key = shop.newKey();
  const transaction = { invoice_number: shop.newInvoice() };
  await shop.pay(shop.payment({ transaction }), { key });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(shop.payment({ transaction, total: '31.11' }), { key });
}

/** `retry-of-final-4xx`: a decline is treated like a bad line. */
async function retriesFinal4xx(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'decline-generic', { times: 3 });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key });
  for (const waitMs of goodWaitsMs.slice(0, 2)) {
    await shop.wait(waitMs);
    await shop.pay(body, { key });
  }
}

/** `ignores-retry-after`: half a minute is asked for, and not given. */
async function ignoresRetryAfter(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', { outcome: 'rate-limited-seconds', with: { retryAfter: 30 } });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key });
}

/** `retry-no-backoff`: again, and again, at once. */
async function retriesAtOnce(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit', { times: 3 });
  const [body, key] = [shop.payment(), shop.newKey()];
  for (let tries = 0; tries < 4; tries++) await shop.pay(body, { key });
}

/** `retry-storm`: polite in its waits, and without an end. */
async function retriesWithoutEnd(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit', { times: 6 });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key });
  for (const waitMs of goodWaitsMs) {
    await shop.wait(waitMs);
    await shop.pay(body, { key });
  }
}

/** `gives-up-at-once`: a read that fails once is a failure. */
async function givesUpOnRead(shop: CornerShop): Promise<void> {
  shop.meets('payment.list', 'rate-limited-no-header');
  await shop.look();
}

/** `no-read-after-unknown`: an error is an error, and the order is dropped. */
async function forgetsUnknown(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'error-500-before-commit');
  await shop.pay(shop.payment(), { key: shop.newKey() });
}

/** `orphaned-charge`: the same, and the card was charged. */
async function forgetsCharge(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'reset-after-commit');
  await shop.pay(shop.payment(), { key: shop.newKey() });
}

/** `no-deadline`: waits as long as the line is held. */
async function waitsForEver(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', { outcome: 'hang-after-commit', with: { cap: '50ms' } });
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key, deadlineMs: 'none' });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key });
}

/** `deadline-too-short`: leaves after two seconds, and asks again. */
async function leavesTooSoon(shop: CornerShop): Promise<void> {
  shop.meets('payment.create', 'hang-after-commit');
  const [body, key] = [shop.payment(), shop.newKey()];
  await shop.pay(body, { key, deadlineMs: 2_000 });
  await shop.wait(goodWaitsMs[0]);
  await shop.pay(body, { key });
}

export const retries: Readonly<Record<string, BadClient>> = {
  'no request id on a repeat': { rule: 'retry-without-key', run: noKeyOnRetry },
  'a new request id on each repeat': { rule: 'new-key-on-retry', run: newKeyOnRetry },
  'one request id for two orders': { rule: 'key-reused-for-other-intent', run: oneKeyForAll },
  'request ids from a counter': { rule: 'key-low-entropy', run: countedKeys },
  'another amount on a repeat': { rule: 'amount-drift', run: otherAmountOnRetry },
  'a declined payment repeated': { rule: 'retry-of-final-4xx', run: retriesFinal4xx },
  'Retry-After ignored': { rule: 'ignores-retry-after', run: ignoresRetryAfter },
  'repeats without a wait': { rule: 'retry-no-backoff', run: retriesAtOnce },
  'repeats without an end': { rule: 'retry-storm', run: retriesWithoutEnd },
  'a read given up at once': { rule: 'gives-up-at-once', run: givesUpOnRead },
  'an unknown end forgotten': { rule: 'no-read-after-unknown', run: forgetsUnknown },
  'a charge forgotten': {
    rule: 'orphaned-charge',
    also: ['no-read-after-unknown'],
    run: forgetsCharge,
  },
  'no deadline': { rule: 'no-deadline', run: waitsForEver },
  'a deadline that is too short': { rule: 'deadline-too-short', run: leavesTooSoon },
};
