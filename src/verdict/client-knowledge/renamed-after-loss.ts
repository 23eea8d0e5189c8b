/**
 * Did the client pay again under the name of an order with something added, or without the name, while it could not know
 * that the first payment had succeeded?
 *
 * A name that counts the attempts gets past the service, which refuses an invoice number that was paid.
 */
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { gapMs, indexAfter } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { groupBy } from '../evidence/group-by.ts';
import { redeliveryMs } from '../evidence/one-order-name.ts';
import { idsWithRelated } from '../evidence/records.ts';
import { workOf } from '../evidence/request-fields.ts';
import { sameIntentWindowMs } from '../purchases/series.ts';
import { firstDisclosures } from './disclosure.ts';
import { firstWithKey, isKeyResentAfter } from './idempotency-keys.ts';
import { isReaction } from './repeat-purchase.ts';
import { isReversedBefore } from './reversal.ts';

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
  const paid = evidence.of('payment.create').filter(({ committed }) => committed);
  if (paid.every(({ concludes }) => concludes === 'OK')) return [];
  const lost = paid.filter(({ concludes }) => concludes !== 'OK');
  const named = lost.filter((entry) => nameIn(evidence, entry) !== undefined);
  const byBase = groupBy(named, (entry) => baseOf(nameIn(evidence, entry)?.name ?? ''));
  const byCard = groupBy(named, cardIn);
  return paid.flatMap((again): RenamedAfterLoss[] => {
    const other = nameIn(evidence, again);
    const alike =
      other === undefined
        ? latestBefore(byCard.get(cardIn(again)) ?? [], again)
        : basesOf(other.name).flatMap((base) => byBase.get(base) ?? []);
    const first = alike.find((entry) => isPaidAgain(evidence, entry, again));
    const name = first && nameIn(evidence, first);
    return first === undefined || name === undefined
      ? []
      : [{ ...name, first, again, otherName: other?.name }];
  });
}

interface Named {
  readonly name: string;
  readonly isInvoice: boolean;
}

/** The name that the record of a payment gives its order. */
function nameIn({ records }: Evidence, { subject = '' }: StoredEntry): Named | undefined {
  const { invoiceNumber, custom } = records.payments.get(subject)?.transaction ?? {};
  const name = invoiceNumber ?? custom;
  return name === undefined ? undefined : { name, isInvoice: invoiceNumber !== undefined };
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
function latestBefore(lost: readonly StoredEntry[], again: StoredEntry): readonly StoredEntry[] {
  const latest = lost[indexAfter(lost, again.seq) - 1];
  return latest === undefined || gapMs(latest, again) > sameIntentWindowMs ? [] : [latest];
}

function isPaidAgain(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  const [one, other] = [first, again].map((entry) => nameIn(evidence, entry));
  return (
    one?.name !== other?.name &&
    (other === undefined || one?.isInvoice === other.isInvoice) &&
    gapMs(first, again) <= redeliveryMs &&
    isReaction(first, firstWithKey(evidence, again)) &&
    !isKeyResentAfter(evidence, first, again) &&
    workOf(evidence, first) === workOf(evidence, again) &&
    !isReversedBefore(evidence, first, again) &&
    !isShownBefore(evidence, first, again)
  );
}

/** Whether an answer had shown the first payment before the client paid again. */
function isShownBefore(evidence: Evidence, first: StoredEntry, again: StoredEntry): boolean {
  const disclosures = firstDisclosures(evidence);
  return createdIds(first)
    .flatMap((id) => idsWithRelated(id, evidence.records))
    .some((id) => (disclosures.get(id)?.seq ?? Infinity) < again.seq);
}
