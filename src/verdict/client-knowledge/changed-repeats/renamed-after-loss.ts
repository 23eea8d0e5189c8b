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
import { redeliveryMs } from '../../evidence/one-order-name.ts';
import { transactionAsRequested, workOf } from '../../evidence/request-fields.ts';
import { sameIntentWindowMs } from '../../purchases/series.ts';
import { isShownBefore } from '../disclosure.ts';
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

/** A payment, and the name that its record gives its order. */
interface Paid {
  readonly entry: StoredEntry;
  readonly name: string | undefined;
  readonly isInvoice: boolean;
}

/** Finds the payments that were made again under another name for the same order. */
export function findRenamedAfterLoss(evidence: Evidence): RenamedAfterLoss[] {
  const committed = evidence.of('payment.create').filter((entry) => entry.committed);
  // Most answers arrive, and then no payment need be read.
  if (committed.every(({ concludes }) => concludes === 'OK')) return [];
  const paid = committed.map((entry) => toPaid(evidence, entry));
  const lost = paid.filter(({ entry, name }) => entry.concludes !== 'OK' && name !== undefined);
  if (lost.length === 0) return [];
  const byBase = groupBy(lost, ({ name = '' }) => baseOf(name));
  const byCard = groupBy(lost, ({ entry }) => cardIn(entry));
  return paid.flatMap((other): RenamedAfterLoss[] => {
    const { entry: again, name: otherName } = other;
    const alike =
      otherName === undefined
        ? latestBefore(byCard.get(cardIn(again)) ?? [], again)
        : basesOf(otherName).flatMap((base) => byBase.get(base) ?? []);
    const found = alike.find((one) => isPaidAgain(evidence, one, other));
    if (found?.name === undefined) return [];
    const { entry: first, name, isInvoice } = found;
    return [{ name, isInvoice, first, again, otherName }];
  });
}

function toPaid(evidence: Evidence, entry: StoredEntry): Paid {
  const payment = evidence.records.payments.get(entry.subject ?? '');
  const { invoiceNumber, custom } = payment
    ? transactionAsRequested(evidence, entry, payment)
    : { invoiceNumber: undefined, custom: undefined };
  return { entry, name: invoiceNumber ?? custom, isInvoice: invoiceNumber !== undefined };
}

const attempt = /[^a-z0-9]{1,3}(?:attempt|try|retry|versuch)[^a-z0-9]{0,2}\d{0,3}\)?$/i;

/** A name without the attempt that it counts. */
function baseOf(name: string): string {
  return name.replace(attempt, '');
}

/** The names to which something may have been added. It begins with a sign, because INV-12 is no attempt of INV-1. */
function basesOf(name: string): string[] {
  const ends = [...name.matchAll(/(?<=\d)[^a-z0-9]/gi)].map(({ index }) => index);
  return [baseOf(name), ...ends.map((end) => name.slice(0, end))];
}

function cardIn({ cardId, cardMark }: StoredEntry): string | undefined {
  return cardId ?? cardMark;
}

/** The latest of the payments before one without a name. What comes later may be for something else. */
function latestBefore(lost: readonly Paid[], again: StoredEntry): readonly Paid[] {
  const latest = lost[indexAfterSeq(lost, again.seq, ({ entry }) => entry.seq) - 1];
  return latest === undefined || gapMs(latest.entry, again) > sameIntentWindowMs ? [] : [latest];
}

function isPaidAgain(evidence: Evidence, one: Paid, other: Paid): boolean {
  const [first, again] = [one.entry, other.entry];
  return (
    one.name !== other.name &&
    (other.name === undefined || one.isInvoice === other.isInvoice) &&
    gapMs(first, again) <= redeliveryMs &&
    isReplacement(evidence, first, again) &&
    workOf(evidence, first) === workOf(evidence, again) &&
    !isShownBefore(evidence, first, again)
  );
}
