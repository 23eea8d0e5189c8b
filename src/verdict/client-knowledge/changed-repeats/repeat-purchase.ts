/**
 * Did the client pay one order again, with another card, number or amount, while it could not know that the first
 * payment had succeeded?
 *
 * An equal payment is a retry, which is judged by its request id. A different one gets past both the request id and the
 * invoice number. Only its name shows that it is for the same order: `custom`, or a text with the number of the order.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { paidCardOf } from '../../evidence/cards.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { customerIdOf, paymentCardOf } from '../../evidence/records.ts';
import type { PaymentRequest } from '../../evidence/requested-payments.ts';
import { sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { disclosuresOf, isKnownBefore } from '../disclosure.ts';
import { isKeyResentAfter } from '../idempotency-keys.ts';
import { moneyArrivedMs, wasPending } from '../unknown-outcomes.ts';
import {
  findChains,
  hasSameAmount,
  hasSameInvoiceNumber,
  hasAlmostSameAmount,
  type Chain,
} from './payment-chains.ts';

/** Different payments under one name, each sent while the outcome of an earlier one was unknown. */
export interface RepeatPurchase {
  readonly name: string;
  /** Two or more, oldest first. */
  readonly attempts: readonly StoredEntry[];
  /** How the attempts differ, so that neither the service nor a request id could stop the second one. */
  readonly difference: 'card' | 'invoice' | 'amount';
  /** How many different cards the attempts used, as far as the journal shows. */
  readonly cardCount: number;
  /** Whether the name certainly stands for one order: no other payment has it, and the first success stayed unknown. */
  readonly isOneOrder: boolean;
  /** Whether the client had been shown each earlier payment before it made the last one. */
  readonly isShownFirst: boolean;
  /** Whether each earlier sale was still pending, and the last payment differs from it by a few cents. */
  readonly isPending: boolean;
}

/** Finds the orders that were paid again in another way. */
export const findRepeatPurchases = memoize((journal: JournalIndex): readonly RepeatPurchase[] => {
  const chains = findChains(journal);
  return chains.flatMap((chain) => toRepeatPurchase(journal, chain));
});

/** Whether a request belongs to an order that was paid again in another way. */
export function isInRepeatPurchase(journal: JournalIndex, entry: StoredEntry): boolean {
  return requestsInRepeatPurchases(journal).has(entry);
}

const requestsInRepeatPurchases = memoize(
  (journal: JournalIndex): ReadonlySet<StoredEntry> =>
    new Set(findRepeatPurchases(journal).flatMap(({ attempts }) => attempts)),
);

function toRepeatPurchase(
  journal: JournalIndex,
  { name, links, hasOwnName }: Chain,
): RepeatPurchase[] {
  const earlier = links.slice(0, -1);
  const last = links.at(-1);
  if (last === undefined) return [];
  const difference = differenceBetween(earlier, last);
  const isKeyKept = earlier.some(({ entry }) => isKeyResentAfter(journal, entry, last.entry));
  // Several buyers may pay the same amount under one name. Then each has its own invoice number, or a request id
  // that is kept.
  if (difference === 'invoice' ? isKeyKept || !hasOwnName : isKeyKept && !hasOwnName) return [];
  // A client that knows of the first payment wants something else when it pays another amount.
  const isKnown = earlier.every((request) => isKnownBefore(journal, request.entry, last.entry));
  const isPending = earlier.every((request) => isRepricedWhilePending(journal, request, last));
  if (difference === 'amount' && (isKeyKept || (isKnown && !isPending))) return [];
  const isReconciledFirst = earlier.every((request) => isReconciled(journal, request, last));
  return [
    {
      name,
      difference,
      attempts: links.map(({ entry }) => entry),
      cardCount: new Set(
        links.map(({ entry, payment }) => paidCardOf(journal, entry) ?? paymentCardOf(payment)),
      ).size,
      isOneOrder: hasOwnName && !isKeyKept && !isReconciledFirst,
      isShownFirst: isKnown,
      isPending,
    },
  ];
}

function differenceBetween(
  earlier: readonly PaymentRequest[],
  last: PaymentRequest,
): RepeatPurchase['difference'] {
  if (earlier.some((request) => !hasSameAmount(request, last))) return 'amount';
  const isSameInvoice = earlier.every(({ payment }) => hasSameInvoiceNumber(payment, last.payment));
  return isSameInvoice ? 'card' : 'invoice';
}

/**
 * Whether the client read the payment before it paid again. If these may be two buyers, the read must come soon after
 * the lost answer.
 */
function isReconciled(
  journal: JournalIndex,
  earlier: PaymentRequest,
  last: PaymentRequest,
): boolean {
  const { entry, payment } = earlier;
  // While its sale is pending, an answer with the payment does not disclose that the money arrived.
  if (entry.concludes === 'OK') return !wasPending(journal, entry);
  if (isKnownBefore(journal, entry, last.entry)) return true;
  const customer = customerIdOf(payment);
  if (customer !== undefined && customer === customerIdOf(last.payment)) return false;
  return disclosuresOf(journal, entry).some(
    (disclosing) => gapMs(entry, disclosing) <= sameIntentWindowMs,
  );
}

/** Whether the client knew that a sale was pending when it paid almost the same amount. */
function isRepricedWhilePending(
  journal: JournalIndex,
  earlier: PaymentRequest,
  last: PaymentRequest,
): boolean {
  return (
    earlier.entry.concludes === 'OK' &&
    moneyArrivedMs(journal, earlier.entry) > last.entry.atMs &&
    hasAlmostSameAmount(earlier, last)
  );
}
