/**
 * Did the client pay again under the name of an order with something added, or without the name, while it could not know
 * that the first payment had succeeded?
 *
 * A name that counts the attempts gets past the service, which refuses an invoice number that was paid.
 */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { gapMs, indexAfterSeq } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { paymentContentOf } from '../../evidence/request-content.ts';
import { namesWithin, steadyName, withoutAddition } from '../../evidence/orders/order-number.ts';
import { requestedPayments, type PaymentRequest } from '../../evidence/requested-payments.ts';
import { maxRedeliveryMs, sameIntentWindowMs } from '../../evidence/time-windows.ts';
import { isDisclosedByAnotherAnswer } from '../disclosure.ts';
import { isReplacement } from '../reaction.ts';

export interface RenamedAfterLoss {
  /** The payment whose answer did not arrive. */
  readonly first: StoredEntry;
  readonly again: StoredEntry;
  /** The invoice number of both, or else their `custom`. */
  readonly name: string;
  /** Missing if the second payment had no name. */
  readonly otherName: string | undefined;
  readonly isInvoice: boolean;
}

/** Finds the payments that were made again under another name for the same order. */
export function findRenamedAfterLoss(evidence: Evidence): RenamedAfterLoss[] {
  // Most answers arrive, and then no payment need be read.
  if (evidence.of('payment.create').every(isAnswered)) return [];
  const paid = requestedPayments(evidence).filter(({ entry }) => entry.committed);
  const lost = paid.filter((one) => !isAnswered(one.entry) && nameOf(one) !== undefined);
  if (lost.length === 0) return [];
  const bases = new Map(paid.map((one) => [one, baseIn(one)]));
  const baseOf = (one: PaymentRequest) => bases.get(one) ?? '';
  const names = new Set(bases.values());
  const namesIn = (one: PaymentRequest) => [...new Set([baseOf(one), ...namesWithin(baseOf(one))])];
  const byName = new LostPayments(lost, (one) =>
    namesIn(one).filter((part) => part === baseOf(one) || names.has(part)),
  );
  const byCard = new LostPayments(lost, () => ['']);
  const lostNames = new Set<string | undefined>();
  const renamed: RenamedAfterLoss[] = [];
  for (const other of paid) {
    const { entry: again } = other;
    const otherName = nameOf(other);
    // A retry under the same name is for the same purchase anyway.
    if (lostNames.has(otherName)) continue;
    if (otherName !== undefined && !isAnswered(again)) lostNames.add(otherName);
    const alike =
      otherName === undefined
        ? byCard
            .latestBefore(other, '')
            .filter(({ entry }) => gapMs(entry, again) <= sameIntentWindowMs)
        : namesIn(other).flatMap((name) => byName.latestBefore(other, name));
    const found = alike.find((one) => isPaidAgain(evidence, one, other));
    const name = found && nameOf(found);
    if (found === undefined || name === undefined) continue;
    renamed.push({
      name,
      isInvoice: hasInvoiceNumber(found),
      first: found.entry,
      again,
      otherName,
    });
  }
  return renamed;
}

function isAnswered({ concludes }: StoredEntry): boolean {
  return concludes === 'OK';
}

/** The name that a payment gives its order. */
function nameOf({ payment: { transaction } }: PaymentRequest): string | undefined {
  return transaction.invoiceNumber ?? transaction.custom;
}

function hasInvoiceNumber({ payment }: PaymentRequest): boolean {
  return payment.transaction.invoiceNumber !== undefined;
}

/** The name of a payment without what its client added for the attempt. */
function baseIn(one: PaymentRequest): string {
  return withoutAddition(nameOf(one) ?? '');
}

/** Whether a part of both names is new for each. What is left may be a customer, who buys the same thing again later. */
function isMadeAnew(...both: readonly PaymentRequest[]): boolean {
  return both.every((one) => steadyName(nameOf(one) ?? '') !== nameOf(one));
}

/** Payments whose answers were lost, by their names, cards and amounts. */
class LostPayments {
  readonly #byKey: ReadonlyMap<string, readonly { readonly one: PaymentRequest }[]>;

  constructor(
    lost: readonly PaymentRequest[],
    namesOf: (one: PaymentRequest) => readonly string[],
  ) {
    const named = lost.flatMap((one) =>
      namesOf(one).map((name) => ({ one, key: keyOf(one, name) })),
    );
    this.#byKey = groupBy(named, ({ key }) => key);
  }

  /** The latest of a name that came before another payment. */
  latestBefore(other: PaymentRequest, name: string): readonly PaymentRequest[] {
    const lost = this.#byKey.get(keyOf(other, name)) ?? [];
    const latest = lost[indexAfterSeq(lost, other.entry.seq - 1, ({ one }) => one.entry.seq) - 1];
    return latest === undefined ? [] : [latest.one];
  }
}

function keyOf({ entry: { cardId, cardMark }, payment }: PaymentRequest, name: string): string {
  return `${cardId ?? cardMark} ${payment.transaction.amount.minor} ${name}`;
}

function isPaidAgain(evidence: Evidence, one: PaymentRequest, other: PaymentRequest): boolean {
  const otherName = nameOf(other);
  if (nameOf(one) === otherName) return false;
  const [first, again] = [one.entry, other.entry];
  return (
    (otherName === undefined || hasInvoiceNumber(one) === hasInvoiceNumber(other)) &&
    gapMs(first, again) <= (isMadeAnew(one, other) ? sameIntentWindowMs : maxRedeliveryMs) &&
    isReplacement(evidence, first, again) &&
    paymentContentOf(evidence, first) === paymentContentOf(evidence, again) &&
    !isDisclosedByAnotherAnswer(evidence, first, again)
  );
}
