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
  const underOtherNames = new LostPayments(evidence, lost);
  const byCard = groupBy(lost, ({ entry }) => cardIn(entry));
  const renamed: RenamedAfterLoss[] = [];
  for (const other of paid) {
    const { entry: again } = other;
    const otherName = nameOf(other);
    const alike =
      otherName === undefined
        ? latestBefore(byCard.get(cardIn(again)) ?? [], again)
        : underOtherNames.like(other, otherName);
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

const attempt = /[^a-z0-9]{1,3}(?:attempt|try|retry|versuch)[^a-z0-9]{0,2}\d{0,3}\)?$/i;

/** A name without the attempt that it counts. */
function baseOf(name: string): string {
  return name.replace(attempt, '');
}

/** The names to which something may have been added. It begins with a sign, because INV-12 is no attempt of INV-1. */
function basesOf(name: string): string[] {
  const bases = [baseOf(name)];
  for (const { index } of name.matchAll(/(?<=\d)[^a-z0-9]/gi)) bases.push(name.slice(0, index));
  return bases;
}

function cardIn({ cardId, cardMark }: StoredEntry): string | undefined {
  return cardId ?? cardMark;
}

/** The latest of the payments before one without a name. What comes later may be for something else. */
function latestBefore(
  lost: readonly PaymentRequest[],
  again: StoredEntry,
): readonly PaymentRequest[] {
  const latest = lost[indexAfterSeq(lost, again.seq, ({ entry }) => entry.seq) - 1];
  return latest === undefined || gapMs(latest.entry, again) > sameIntentWindowMs ? [] : [latest];
}

function isPaidAgain(evidence: Evidence, one: PaymentRequest, other: PaymentRequest): boolean {
  const otherName = nameOf(other);
  const [first, again] = [one.entry, other.entry];
  return (
    (otherName === undefined || hasInvoiceNumber(one) === hasInvoiceNumber(other)) &&
    gapMs(first, again) <= maxRedeliveryMs &&
    isReplacement(evidence, first, again) &&
    paymentContentOf(evidence, first) === paymentContentOf(evidence, again) &&
    !isDisclosedByAnotherAnswer(evidence, first, again)
  );
}

/** Payments whose answers were lost. */
class LostPayments {
  readonly #evidence: Evidence;
  readonly #namesByBase: ReadonlyMap<string, readonly string[]>;
  readonly #byName: ReadonlyMap<string, readonly PaymentRequest[]>;
  /** Those of each name by their content, without the ones that the client has learned of. */
  readonly #unknownByName = new Map<string, Map<string, readonly PaymentRequest[]>>();

  constructor(evidence: Evidence, lost: readonly PaymentRequest[]) {
    this.#evidence = evidence;
    this.#byName = groupBy(lost, (one) => nameOf(one) ?? '');
    this.#namesByBase = groupBy(this.#byName.keys(), baseOf);
  }

  /** Those with the content of a later payment, under another name of the same order, that are unknown to the client. */
  like(other: PaymentRequest, otherName: string): readonly PaymentRequest[] {
    const names = basesOf(otherName).flatMap((base) => this.#namesByBase.get(base) ?? []);
    return names.flatMap((name) => (name === otherName ? [] : this.#unknown(name, other)));
  }

  #unknown(name: string, { entry }: PaymentRequest): readonly PaymentRequest[] {
    let byContent = this.#unknownByName.get(name);
    if (byContent === undefined) {
      byContent = groupBy(this.#byName.get(name) ?? [], (one) => this.#contentOf(one));
      this.#unknownByName.set(name, byContent);
    }
    const content = paymentContentOf(this.#evidence, entry);
    const unknown = (byContent.get(content) ?? []).filter(
      (one) => !isDisclosedByAnotherAnswer(this.#evidence, one.entry, entry),
    );
    byContent.set(content, unknown);
    return unknown;
  }

  #contentOf({ entry }: PaymentRequest): string {
    return paymentContentOf(this.#evidence, entry);
  }
}
