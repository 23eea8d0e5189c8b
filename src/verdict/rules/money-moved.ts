/** Findings about money that moved, or did not move, as nobody meant it to. */
import { problems } from '../../contract/problems.ts';
import type { KeptEntry } from '../../journal/kept-entry.ts';
import { memberAlong, memberOf, stepsOf } from '../../member.ts';
import type { Charge } from '../charge.ts';
import type { Evidence } from '../evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { groupedBy } from '../grouped.ts';
import type { Purchase } from '../purchase.ts';
import { capital, firstOf, moneyWords, purchaseWords, timesWords } from '../words.ts';

export const movedRules: readonly FindingRule[] = [
  {
    id: 'double-charge',
    severity: 'critical',
    about: 'One purchase was charged more than once, and the money was not given back.',
    remedy:
      'Send one PayPal-Request-Id for each purchase, kept before the first try, and one invoice number with it.',
    find: doubleCharges,
  },
  {
    id: 'orphaned-charge',
    severity: 'critical',
    about: 'A card was charged and the client never learnt of it.',
    remedy:
      'After an answer that is lost or unreadable, repeat with the same PayPal-Request-Id or look the payment up.',
    needsWholeJournal: true,
    find: orphanedCharges,
  },
  {
    id: 'double-refund',
    severity: 'critical',
    about: 'The same money was asked back more than once.',
    remedy: 'Send one PayPal-Request-Id for each refund, and read the sale before another one.',
    find: doubleRefunds,
  },
  {
    id: 'refund-and-chargeback',
    severity: 'high',
    about:
      'A sale that the cardholder disputes was refunded as well, so the money can go back twice.',
    remedy: 'Look whether a dispute is open before refunding.',
    find: refundsAndChargebacks,
  },
  {
    id: 'amount-drift',
    severity: 'medium',
    about: 'A retry of one purchase asked for another amount.',
    remedy: 'Fix the amount of a purchase before the first try.',
    find: amountDrifts,
  },
];

function* doubleCharges({ purchases }: Evidence): Generator<Notice> {
  for (const purchase of purchases) {
    if (!mayHoldTwo(purchase)) continue;
    const held = purchase.charges.filter(({ keptMinor }) => keptMinor > 0);
    // Captures of one authorization are parts of one charge; the domain keeps their sum within it.
    const payments = groupedBy(held, ({ paymentId }) => paymentId);
    if (payments.size < 2) continue;
    const isMeant = purchase.invoiceNumber === undefined && !hadDoubt(purchase, held);
    yield {
      what: `${capital(purchaseWords(purchase))} was charged ${timesWords(payments.size)}: ${firstOf(held.map(({ amount }) => moneyWords(amount))).join(', ')}.`,
      evidence: evidenceOf(held),
      purchase,
      // Without an invoice number, and with every answer understood, a buyer may have meant it twice.
      ...(isMeant && { severity: 'medium', confidence: 'possible' }),
    };
  }
}

/** A single request makes one payment, unless it was forced to make it twice. */
function mayHoldTwo({ attempts }: Purchase): boolean {
  return attempts.length > 1 || attempts[0]?.twin !== undefined;
}

/** Whether the client had reason to think that it was not charged. */
function hadDoubt({ attempts }: Purchase, held: readonly Charge[]): boolean {
  const last = held.at(-1);
  return (
    new Set(held.map(({ entry }) => entry)).size < held.length ||
    attempts.some(
      ({ seq, concludes }) => concludes !== 'OK' && last !== undefined && seq < last.entry.seq,
    )
  );
}

function* orphanedCharges({ charges, purchases }: Evidence): Generator<Notice> {
  const lost = charges.filter(({ known, keptMinor }) => known === 'never' && keptMinor > 0);
  const bought = lost.length === 0 ? undefined : purchaseOfCharges(purchases);
  for (const charge of lost) {
    yield {
      what: `${moneyWords(charge.amount)} was taken and the client was never told: ${charge.id} stood in no answer that reached it.`,
      evidence: [charge.entry],
      purchase: bought?.get(charge),
    };
  }
}

function purchaseOfCharges(purchases: readonly Purchase[]): ReadonlyMap<Charge, Purchase> {
  return new Map(
    purchases.flatMap((purchase) =>
      purchase.charges.map((charge): [Charge, Purchase] => [charge, purchase]),
    ),
  );
}

function* doubleRefunds(evidence: Evidence): Generator<Notice> {
  const requests = evidence
    .of('sale.refund', 'capture.refund')
    .filter(({ replayed, status }) => !replayed && status !== 0);
  for (const [, ofOne] of groupedBy(requests, ({ path }) => path)) {
    const first = ofOne.find(({ committed }) => committed);
    if (first === undefined) continue;
    const again = ofOne.filter(
      (entry) => entry !== first && entry.seq > first.seq && isSameRefund(evidence, first, entry),
    );
    if (again.length === 0) continue;
    const wasPaid = again.some(({ committed }) => committed);
    yield {
      what: wasPaid
        ? `The same refund was made ${timesWords(1 + again.filter(({ committed }) => committed).length)}.`
        : `A refund was asked for ${timesWords(1 + again.length)}; only the sandbox's limit kept the money from going back again.`,
      evidence: firstOf([first, ...again]),
      confidence: wasPaid ? 'likely' : 'certain',
    };
  }
}

/** The same amount and invoice, and not as a repeat that says it is one. */
function isSameRefund(evidence: Evidence, first: KeptEntry, other: KeptEntry): boolean {
  if (other.requestId !== undefined && other.requestId === first.requestId) return false;
  // A whole refund that is refused was already made: whoever asks for it again does not know that.
  if (!other.committed && other.problem !== problems['already-refunded'].name) return false;
  const [one, another] = [first, other].map((entry) => {
    const body = evidence.bodyOf(entry);
    return JSON.stringify([memberOf(body, 'amount'), memberOf(body, 'invoice_number')]);
  });
  return one === another;
}

function* refundsAndChargebacks(evidence: Evidence): Generator<Notice> {
  for (const entry of evidence.of('sale.refund')) {
    const refund =
      entry.committed && entry.subject !== undefined
        ? evidence.records.refunds.get(entry.subject)
        : undefined;
    const sale = refund && evidence.records.sales.get(refund.of.id);
    if (refund === undefined || (sale?.dispute !== 'open' && sale?.dispute !== 'lost')) continue;
    yield {
      what: `${moneyWords(refund.amount)} was refunded of sale ${sale.id}, whose dispute is ${sale.dispute}.`,
      evidence: [entry],
    };
  }
}

const toAmount = stepsOf('transactions[0].amount');

function* amountDrifts(evidence: Evidence): Generator<Notice> {
  for (const purchase of evidence.purchases) {
    if (purchase.attempts.length < 2 || purchase.invoiceNumber === undefined) continue;
    const byTotal = groupedBy(purchase.attempts, (entry) => {
      const amount = memberAlong(evidence.bodyOf(entry), toAmount);
      return `${String(memberOf(amount, 'total'))} ${String(memberOf(amount, 'currency'))}`;
    });
    if (byTotal.size < 2) continue;
    yield {
      what: `${capital(purchaseWords(purchase))} was asked for with different amounts: ${firstOf(byTotal.keys()).join(', ')}.`,
      evidence: firstOf([...byTotal.values()].flatMap(([first]) => first ?? [])),
      purchase,
    };
  }
}

function evidenceOf(charges: readonly Charge[]): readonly KeptEntry[] {
  return firstOf(new Set(charges.map(({ entry }) => entry)));
}
