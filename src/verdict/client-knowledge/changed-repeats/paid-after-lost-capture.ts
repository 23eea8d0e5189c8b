/** Did the client get the money of an order in another way, while it could not know that a capture had succeeded? */
import type { Capture } from '../../../domain/records.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { gapMs, indexAfterSeq } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn, type JournalIndex } from '../../evidence/journal-index.ts';
import { withoutAddition } from '../../evidence/orders/attempt-marks.ts';
import { isNamedOrder } from '../../evidence/orders/order-names.ts';
import { namesWithin } from '../../evidence/orders/order-number.ts';
import { orderNameOf } from '../../evidence/orders/order-words.ts';
import { customerIdOf } from '../../evidence/records.ts';
import { cardOf, customerIn, storedCardOf } from '../../evidence/request-fields.ts';
import { committedPayments, type PaymentRequest } from '../../evidence/requested-payments.ts';
import { sameDayWindowMs } from '../../evidence/time-windows.ts';
import { isDisclosedByAnotherAnswer } from '../disclosure.ts';
import { isCaptureReadBefore } from '../reads/reads-by-id.ts';
import { firstWithKey, lastWithKey } from '../idempotency-keys.ts';
import { isReplacement } from '../reaction.ts';
import { isSameAmount } from './amounts.ts';

export interface PaidAfterLostCapture {
  /** The request that authorized the money. */
  readonly first: StoredEntry;
  /** The capture whose answer did not arrive. */
  readonly capture: StoredEntry;
  /** The request that charged or authorized money for the order again. */
  readonly again: StoredEntry;
}

/**
 * Finds orders that were paid again while a capture was unknown: for what was authorized, or for what was captured.
 *
 * A client that does not know whether a capture succeeded asks, or repeats the capture, before it takes the money in another
 * way. So the payment may come from another card of the customer, in more words, or under a name that was made of the first.
 */
export const findPaidAfterLostCapture = memoize(
  (journal: JournalIndex): readonly PaidAfterLostCapture[] => {
    const lost = journal
      .of('auth.capture')
      .filter(({ committed, concludes }) => committed && concludes !== 'OK');
    if (lost.length === 0) return [];
    const made = committedPayments(journal);
    const byPayment = groupBy(made, ({ payment }) => payment.id);
    const decisions = made
      .map((request) => ({ request, decided: firstWithKey(journal, request.entry) }))
      .sort((one, other) => one.decided.seq - other.decided.seq);
    const byOrder = new Map<string, Decision[]>();
    for (const decision of decisions) {
      for (const order of ordersOf(journal, decision.request)) {
        const others = byOrder.get(order);
        if (others === undefined) byOrder.set(order, [decision]);
        else others.push(decision);
      }
    }
    return lost.flatMap((capture): PaidAfterLostCapture[] => {
      const { records } = journal;
      const authorization = records.authorizations.get(recordIdIn(capture) ?? '');
      const captured = records.captures.get(capture.subject ?? '');
      const first = byPayment.get(authorization?.paymentId ?? '')?.[0];
      if (first === undefined || captured === undefined) return [];
      const [order = ''] = ordersOf(journal, first);
      const again = findPaidAgain(journal, capture, byOrder.get(order) ?? [], (other) =>
        isForSameOrder(journal, first, captured, other),
      );
      return again === undefined ? [] : [{ first: first.entry, capture, again }];
    });
  },
);

/**
 * The orders that a payment may be for, as keys: its own, and those whose names it holds. Without a customer, a card pays an
 * order that has no number. Without a name there are none.
 */
function ordersOf(journal: JournalIndex, request: PaymentRequest): readonly string[] {
  const { entry, payment } = request;
  const name = orderNameOf(payment.transaction) ?? payment.transaction.invoiceNumber;
  if (name === undefined) return [];
  const base = withoutAddition(name);
  const customer = customerIdOf(payment) ?? customerIn(journal, entry);
  const payer = customer ?? (isNumbered(journal, request) ? '' : cardIn(journal, entry));
  return [...new Set([base, ...namesWithin(base)])].map((order) => JSON.stringify([order, payer]));
}

/** Whether the name of a payment is that of one order. */
function isNumbered(journal: JournalIndex, { entry, payment }: PaymentRequest): boolean {
  return payment.transaction.invoiceNumber !== undefined || isNamedOrder(journal, entry);
}

function cardIn(journal: JournalIndex, entry: StoredEntry): string | undefined {
  return storedCardOf(journal, entry) ?? cardOf(journal, entry);
}

/**
 * Whether a payment is for what was authorized or captured. Parts of an order may cost the same and differ in their words, but
 * an amount that only the capture had is no chance.
 */
function isForSameOrder(
  journal: JournalIndex,
  first: PaymentRequest,
  captured: Capture,
  other: PaymentRequest,
): boolean {
  const { amount, description } = first.payment.transaction;
  const paid = other.payment.transaction;
  const isAuthorized = isSameAmount(paid.amount, amount);
  if (!isAuthorized && !isSameAmount(paid.amount, captured.amount)) return false;
  const saysSame = [description, undefined].includes(paid.description) || description === undefined;
  return (
    (saysSame || !isAuthorized) &&
    (cardIn(journal, first.entry) === cardIn(journal, other.entry) || isNumbered(journal, first))
  );
}

/** The first of these authorizations or payments of one order that was sent because a capture of another one was unknown. */
export function findLostCaptureBetween(
  journal: JournalIndex,
  requests: readonly StoredEntry[],
): PaidAfterLostCapture | undefined {
  const found = foundByAgain(journal);
  if (found.size === 0) return undefined;
  const all = new Set(requests);
  return requests.flatMap((again) => found.get(again) ?? []).find(({ first }) => all.has(first));
}

const foundByAgain = memoize((journal: JournalIndex) =>
  groupBy(findPaidAfterLostCapture(journal), ({ again }) => again),
);

/** A request to pay, and the first request with its id: what the client decided then, it carries out with each repeat. */
interface Decision {
  readonly request: PaymentRequest;
  readonly decided: StoredEntry;
}

/** @param decisions Requests that may be for the same order, by the time of the decision. */
function findPaidAgain(
  journal: JournalIndex,
  capture: StoredEntry,
  decisions: readonly Decision[],
  isForSame: (other: PaymentRequest) => boolean,
): StoredEntry | undefined {
  const lastTry = lastWithKey(journal, capture);
  const from = indexAfterSeq(decisions, capture.seq, ({ decided }) => decided.seq);
  for (let at = from; at < decisions.length; at++) {
    const { request, decided } = decisions[at] ?? {};
    if (request === undefined || decided === undefined) break;
    const { entry: again } = request;
    // The client meant to repeat the capture itself.
    if (again.seq <= lastTry.seq) continue;
    // Whatever was decided later came too late as well, and the client knew of the capture then.
    const isTooLate =
      gapMs(capture, decided) >= sameDayWindowMs ||
      isDisclosedByAnotherAnswer(journal, capture, decided);
    if (isTooLate) break;
    if (isForSame(request) && isPaidAgain(journal, capture, again)) return again;
  }
  return undefined;
}

function isPaidAgain(journal: JournalIndex, capture: StoredEntry, again: StoredEntry): boolean {
  return (
    gapMs(capture, again) < sameDayWindowMs &&
    isReplacement(journal, capture, again) &&
    !isCaptureReadBefore(journal, capture, again)
  );
}
