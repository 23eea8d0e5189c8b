/** How right clients send a request that must be carried out once: with one request id, waits, and a look afterwards. */
import { at } from '../../forcing/tolerant-client.ts';
import {
  bodyOf,
  idIn,
  partIn,
  paymentPath,
  textAt,
  type Answer,
  type Order,
  type ShopCode,
} from './shop-code.ts';

/** What a client knows at the end. */
export interface Known {
  readonly state: 'done' | 'pending' | 'not-done' | 'unknown';
  /** Of the sale, authorization, capture, refund or card. */
  readonly id: string;
  readonly paymentId: string;
}

const unknown: Known = { state: 'unknown', id: '', paymentId: '' };
const notDone: Known = { state: 'not-done', id: '', paymentId: '' };

/** Of one call. Clients that call twice, or from two places, give each call fewer tries. */
const mostTries = 4;

/** Waits grow, and differ from one request to the next. */
function waitMsAfter(code: ShopCode, tries: number, { waitMs }: Answer): number {
  const spanMs = 500 * 2 ** tries;
  return Math.max(waitMs, spanMs) + code.random() * spanMs;
}

const refusedForNow: readonly number[] = [408, 425, 429];

/** Whether an answer leaves open what was done. */
export function isUnknown({ status, body }: Answer): boolean {
  if (status === 204) return false;
  if (status < 300) return body === undefined;
  return status === 302 || status === 409 || (status >= 500 && status !== 501);
}

/** Whether an answer says that nothing was done, and that a repeat changes nothing. */
export function isRefusal(answer: Answer): boolean {
  return answer.status >= 400 && !isUnknown(answer) && !refusedForNow.includes(answer.status);
}

/** Sends a request until an answer shows what was done, each time with the same request id, if it has one. */
export async function persist(
  code: ShopCode,
  sent: { readonly path: string; readonly body: unknown; readonly key?: string | undefined },
  isReadable: (answer: Answer) => boolean,
  maxTries = mostTries,
): Promise<{ readonly answer: Answer; readonly wasUnknown: boolean }> {
  let wasUnknown = false;
  let hasNewToken = false;
  for (let tries = 0; ; tries++) {
    let answer = await code.post(sent.path, sent.body, sent.key);
    if (answer.status === 401 && !hasNewToken) {
      hasNewToken = true;
      await code.renewToken();
      answer = await code.post(sent.path, sent.body, sent.key);
    }
    const isOver = isRefusal(answer) || (answer.status < 300 && isReadable(answer));
    if (isOver || tries + 1 === maxTries) return { answer, wasUnknown: wasUnknown || !isOver };
    if (!refusedForNow.includes(answer.status)) wasUnknown = true;
    await code.wait(waitMsAfter(code, tries, answer));
  }
}

/** Reads something. A record that was just created may be missing at first. */
export async function read(code: ShopCode, path: string): Promise<Answer> {
  let hasNewToken = false;
  for (let tries = 0; ; tries++) {
    const answer = await code.get(path);
    if (answer.status === 200 && answer.body !== undefined) return answer;
    if (answer.status === 401 && !hasNewToken) {
      hasNewToken = true;
      await code.renewToken();
    } else if (isRefusal(answer) && answer.status !== 404) return answer;
    if (tries + 1 === mostTries) return answer;
    await code.wait(waitMsAfter(code, tries, answer));
  }
}

const states: Readonly<Record<string, Known['state']>> = {
  completed: 'done',
  partially_refunded: 'done',
  authorized: 'done',
  voided: 'not-done',
  captured: 'done',
  partially_captured: 'done',
  pending: 'pending',
  denied: 'not-done',
  reversed: 'not-done',
  refunded: 'not-done',
  failed: 'not-done',
};

/** What a payment shows of its sale or authorization. */
export function judge({ body }: Pick<Answer, 'body'>): Known | undefined {
  const { id, state } = partIn({ body });
  const paymentId = textAt(body, 'id');
  if (textAt(body, 'state') === 'failed') return { ...notDone, paymentId };
  const meaning = states[state];
  return meaning === undefined || id === '' ? undefined : { state: meaning, id, paymentId };
}

/** The payment of an order in the list, by its invoice number or else by everything else that names it. */
export async function find(code: ShopCode, order: Order): Promise<Known | undefined> {
  return (await findAll(code, order))[0];
}

/** All payments of an order in the list. A new payment may be missing for a minute. */
export async function findAll(code: ShopCode, order: Order): Promise<Known[]> {
  await code.wait(60_000);
  const found: Known[] = [];
  let start = '';
  for (let pages = 0; pages < 20; pages++) {
    const { body } = await read(code, `${paymentPath}?count=20${start}`);
    const payments = at(body, 'payments');
    for (const payment of Array.isArray(payments) ? (payments as unknown[]) : []) {
      const known = isOf(payment, order) ? judge({ body: payment }) : undefined;
      if (known !== undefined) found.push(known);
    }
    const next = textAt(body, 'next_id');
    if (next === '') break;
    start = `&start_id=${next}`;
  }
  return found;
}

function isOf(payment: unknown, order: Order): boolean {
  const transaction = at(payment, 'transactions', 0);
  if (order.invoice !== undefined) return textAt(transaction, 'invoice_number') === order.invoice;
  return (
    textAt(transaction, 'custom') === (order.custom ?? '') &&
    textAt(transaction, 'description') === (order.description ?? 'A test order') &&
    Number(textAt(transaction, 'amount', 'total')) === Number(order.total ?? '30.11')
  );
}

/** Whether the issuer says never to try the card again. */
export function isFinalDecline({ body }: Answer): boolean {
  return /"advice_code":"(?:03|21)/.test(JSON.stringify(body ?? ''));
}

/** Pays for an order once, and finds out what became of it. */
export async function pay(
  code: ShopCode,
  order: Order,
  key: string = code.newKey(),
  maxTries = mostTries,
): Promise<Known> {
  if (code.blockedCards.has(order.cardId)) return notDone;
  return sendPayment(code, order, { body: bodyOf(order), key, maxTries });
}

/** Sends a payment until it is clear what became of it: from an answer, or from the list if the answers left it open. */
export async function sendPayment(
  code: ShopCode,
  order: Order,
  {
    body,
    key,
    maxTries,
  }: { readonly body: unknown; readonly key?: string; readonly maxTries?: number },
): Promise<Known> {
  const sent = { path: paymentPath, body, key };
  const isJudged = (seen: Answer): boolean => judge(seen) !== undefined;
  return concludePayment(code, order, await persist(code, sent, isJudged, maxTries));
}

/** What became of a payment: the last answer shows it, or the list if the answers left it open. */
export async function concludePayment(
  code: ShopCode,
  order: Order,
  { answer, wasUnknown }: { readonly answer: Answer; readonly wasUnknown: boolean },
): Promise<Known> {
  const known = answer.status < 300 ? judge(answer) : undefined;
  if (known !== undefined) return known;
  if (isFinalDecline(answer)) code.blockedCards.add(order.cardId);
  const duplicates = ['DUPLICATE_TRANSACTION', 'PAYMENT_ALREADY_DONE', 'DUPLICATE_REQUEST_ID'];
  if (!wasUnknown && !duplicates.includes(textAt(answer.body, 'name'))) return notDone;
  return (await find(code, order)) ?? unknown;
}

/** Waits until a pending sale is decided. */
export async function settle(code: ShopCode, known: Known): Promise<Known> {
  if (known.state !== 'pending') return known;
  await code.wait(5 * 24 * 3_600_000);
  const { body } = await read(code, `/v1/payments/sale/${known.id}`);
  const state = states[textAt(body, 'state')];
  return state === undefined ? known : { ...known, state };
}

/** Refunds a part of a sale or capture, or the rest of it. */
export async function refund(
  code: ShopCode,
  {
    of = 'sale',
    id,
    total,
    currency = 'USD',
    description,
    key = code.newKey(),
    maxTries = mostTries,
  }: {
    readonly of?: 'sale' | 'capture';
    readonly id: string;
    readonly total?: string;
    readonly currency?: string;
    readonly description?: string;
    readonly key?: string;
    readonly maxTries?: number;
  },
): Promise<Known> {
  const path = `/v1/payments/${of}/${id}/refund`;
  const body = {
    ...(total !== undefined && { amount: { total, currency } }),
    ...(description !== undefined && { description }),
  };
  const made = await persist(code, { path, body, key }, (seen) => idIn(seen) !== '', maxTries);
  return conclude(code, made, `/v1/payments/${of}/${id}`);
}

/** Captures a part of an authorization. */
export async function capture(
  code: ShopCode,
  {
    id,
    total,
    isFinal = false,
    invoice,
    key = code.newKey(),
  }: {
    readonly id: string;
    readonly total: string;
    readonly isFinal?: boolean;
    readonly invoice?: string;
    readonly key?: string;
  },
): Promise<Known> {
  const path = `/v1/payments/authorization/${id}/capture`;
  const body = {
    amount: { total, currency: 'USD' },
    is_final_capture: isFinal,
    ...(invoice !== undefined && { invoice_number: invoice }),
  };
  const made = await persist(code, { path, body, key }, (seen) => idIn(seen) !== '');
  return conclude(code, made, `/v1/payments/authorization/${id}`);
}

/** Reads the record if the answers left it open. */
async function conclude(
  code: ShopCode,
  { answer, wasUnknown }: { readonly answer: Answer; readonly wasUnknown: boolean },
  path: string,
): Promise<Known> {
  const id = idIn(answer);
  if (answer.status < 300 && id !== '') {
    return { state: states[textAt(answer.body, 'state')] ?? 'done', id, paymentId: '' };
  }
  if (!wasUnknown) {
    // It may say that the whole amount is refunded already.
    await read(code, path);
    return notDone;
  }
  const seen = await read(code, path);
  const parent = textAt(seen.body, 'parent_payment');
  if (parent !== '') await read(code, `${paymentPath}/${parent}`);
  return unknown;
}

/** Gives back what an order holds: a void of an authorization, a refund of a sale. A void that was refused changes nothing. */
export async function cancel(code: ShopCode, order: Order, known: Known): Promise<Known> {
  if (known.id === '') return known;
  if (order.intent !== 'authorize') return refund(code, { id: known.id });
  const path = `/v1/payments/authorization/${known.id}`;
  const sent = { path: `${path}/void`, body: {}, key: code.newKey() };
  const made = await persist(code, sent, (seen) => idIn(seen) !== '');
  const voided = await conclude(code, made, path);
  if (voided.id !== '') return voided;
  const { body } = await read(code, path);
  return { ...known, state: states[textAt(body, 'state')] ?? 'unknown' };
}
