/** Purchases that were paid with another card while nobody could know that the first one had been charged. */
import type { KeptEntry } from '../journal/kept-entry.ts';
import { amountOf, cardOf } from './asked.ts';
import { OpenDoubts } from './doubt.ts';
import type { Evidence } from './evidence.ts';
import { groupedBy } from './grouped.ts';
import { isSentAfter } from './kept-ids.ts';
import { madeBy } from './made-by.ts';
import { once } from './once.ts';
import type { Purchase } from './purchase.ts';
import { windowMs } from './series.ts';
import { gapMs } from './trail.ts';

/** What a client could not know of, and what it asked for next with another card. */
export interface PaidAnew {
  readonly purchase: Purchase;
  readonly attempts: readonly [doubt: KeptEntry, again: KeptEntry];
  /** No other payment carries its `custom`, which so stands for one order; and the first request did not come again. */
  readonly isOneOrder: boolean;
}

/** The first time that it happened to each purchase; an invoice number would not have let it happen. */
export function* paidAnew(evidence: Evidence): Generator<PaidAnew> {
  for (const purchase of evidence.purchases) {
    const { attempts, invoiceNumber, custom } = purchase;
    if (attempts.length < 2 || invoiceNumber !== undefined || custom === undefined) continue;
    const pair = firstPair(evidence, attempts);
    if (pair === undefined) continue;
    const isOnlyName = paymentsNamed(evidence).get(pair[0].intent) === 2;
    const isKept = isSentAfter(evidence, ...pair);
    // Buyers who pay the same under one word, each with a request id that is kept.
    if (isKept && !isOnlyName) continue;
    yield { purchase, attempts: pair, isOneOrder: isOnlyName && !isKept };
  }
}

function firstPair(
  evidence: Evidence,
  attempts: readonly KeptEntry[],
): PaidAnew['attempts'] | undefined {
  for (const [, alike] of groupedBy(attempts, (entry) => amountOf(evidence, entry))) {
    const doubts = new OpenDoubts(evidence);
    for (const entry of alike) {
      const doubt = doubts.latestAt(entry);
      if (doubt !== undefined && isPaidAnew(evidence, doubt, entry)) return [doubt, entry];
      doubts.see(entry);
    }
  }
  return undefined;
}

function isPaidAnew(evidence: Evidence, doubt: KeptEntry, entry: KeptEntry): boolean {
  if (!entry.committed || gapMs(doubt, entry) > windowMs) return false;
  if (cardOf(evidence, doubt) === cardOf(evidence, entry)) return false;
  const [one, other] = [doubt, entry].map((attempt) => customerOf(evidence, attempt));
  return one === undefined || other === undefined || one === other;
}

/** Whose card it was, where the merchant says so. */
function customerOf({ records }: Evidence, { subject = '' }: KeptEntry): string | undefined {
  const instrument = records.payments.get(subject)?.instrument;
  if (instrument?.kind !== 'token') return undefined;
  return instrument.externalCustomerId ?? instrument.payerId;
}

/** How many payments were made under each name. */
const paymentsNamed = once((evidence): ReadonlyMap<string | undefined, number> => {
  const counts = new Map<string | undefined, number>();
  for (const entry of evidence.of('payment.create')) {
    const made = madeBy(entry).length;
    if (made > 0) counts.set(entry.intent, (counts.get(entry.intent) ?? 0) + made);
  }
  return counts;
});
