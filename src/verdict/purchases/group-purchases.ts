/** Groups requests to pay into purchases. */
import { intentOf } from '../../journal/purchase-key.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { findRepeatPurchases } from '../client-knowledge/repeat-purchase.ts';
import { GroupedUnknownOutcomes } from '../client-knowledge/unknown-outcomes.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import { memoize, type JournalIndex } from '../evidence/journal-index.ts';
import { cardAndAmountOf, hasSameBody } from '../evidence/request-fields.ts';
import type { Charges } from './charge.ts';
import { Purchase, textOf, transactionOf } from './purchase.ts';
import { groupIntoSeries, type Series } from './series.ts';

/** Groups the requests to pay by what the buyer meant. */
export function groupPurchases(journal: JournalIndex, charges: Charges): readonly Purchase[] {
  const doubts = new GroupedUnknownOutcomes(journal, (entry) => cardAndAmountOf(journal, entry));
  const groups = groupIntoSeries(
    journal.of('payment.create'),
    (entry) => intentOfAttempt(journal, entry),
    (before, entry) =>
      isSamePurchase(
        transactionOf(journal, entry),
        () => doubts.hasUnknownBefore(before, entry) || isPaidAnew(journal, entry),
      ),
  );
  const told: PaymentFacts = {
    hasPaid: (entry) =>
      createdIds(entry).length > 0 &&
      charges.ofPayment(entry).every(({ state }) => state !== 'denied'),
    isRepeatPayment: (entry) => isPaidAnew(journal, entry),
  };
  return groups
    .flatMap((series) =>
      isNamedByCustom(journal, series) ? splitByCardAndAmount(journal, series, told) : [series],
    )
    .map((series) => new Purchase(journal, charges, series));
}

/** Whether several requests have but a `custom` in common. */
function isNamedByCustom(journal: JournalIndex, { entries }: Series): boolean {
  const [first, second] = entries;
  if (first === undefined || second === undefined) return false;
  const transaction = transactionOf(journal, first);
  return (
    textOf(memberOf(transaction, 'invoice_number')) === undefined &&
    textOf(memberOf(transaction, 'custom')) !== undefined
  );
}

/**
 * An invoice number names one purchase. `custom` may name one, or be the same for all that one buyer pays each month:
 * it names one that is paid again, as it was or with another card, while the client does not know that it is paid.
 */
function isSamePurchase(transaction: unknown, isInDoubt: () => boolean): boolean {
  const has = (name: string): boolean => textOf(memberOf(transaction, name)) !== undefined;
  return has('invoice_number') || (has('custom') && isInDoubt());
}

const repeatPayments = memoize(
  (journal: JournalIndex): ReadonlySet<StoredEntry> =>
    new Set(
      findRepeatPurchases(journal).flatMap(({ isOneOrder, attempts }) =>
        isOneOrder ? attempts.slice(1) : [],
      ),
    ),
);

/** With another card, as one order that an earlier request is for. */
function isPaidAnew(journal: JournalIndex, entry: StoredEntry): boolean {
  return repeatPayments(journal).has(entry);
}

/**
 * A request that was turned away before it was understood has no intent, but may have left its body. One that was not
 * read, or is none, is nobody's purchase.
 */
function intentOfAttempt(journal: JournalIndex, entry: StoredEntry): string | undefined {
  if (entry.intent !== undefined) return entry.intent;
  const body = journal.requestFieldsOf(entry);
  return body === undefined ? undefined : intentOf('payment.create', {}, body);
}

/** What of a request to pay is to be known for it. */
export interface PaymentFacts {
  /** Whether it took money, or holds it. */
  readonly hasPaid: (entry: StoredEntry) => boolean;
  /** Whether it pays anew, otherwise, for what an earlier one is for. */
  readonly isRepeatPayment: (entry: StoredEntry) => boolean;
}

/**
 * Some shops write one word into the `custom` of all that is bought: each card and amount that was paid is a purchase of
 * its own there. What nobody could pay belongs to the next that was paid, as whoever is declined tries another card.
 */
export function splitByCardAndAmount(
  journal: JournalIndex,
  series: Series,
  told: PaymentFacts,
): Series[] {
  const { key, entries } = series;
  const [first] = entries;
  if (entries.every((entry) => hasSameBody(entry, first))) return [series];
  const tries = [...groupBy(entries, (entry) => cardAndAmountOf(journal, entry)).values()];
  const paid = tries.filter((alike) => alike.some(told.hasPaid));
  if (paid.length < 2 || entries.some(told.isRepeatPayment)) return [series];
  const purchases: StoredEntry[][] = [];
  let unpaid: StoredEntry[] = [];
  for (const alike of tries) {
    if (!alike.some(told.hasPaid)) unpaid.push(...alike);
    else {
      purchases.push([...unpaid, ...alike]);
      unpaid = [];
    }
  }
  purchases.at(-1)?.push(...unpaid);
  return purchases.map((own, at) => ({
    key: at === 0 ? key : `${key}@${own[0]?.seq ?? ''}`,
    entries: own.toSorted((a, b) => a.seq - b.seq),
  }));
}
