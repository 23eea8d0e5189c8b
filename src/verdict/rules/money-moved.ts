/** Findings about money that moved, or did not move, as nobody meant it to. */
import { problems } from '../../contract/problems.ts';
import type { KeptEntry } from '../../journal/kept-entry.ts';
import { memberAlong, memberOf, stepsOf } from '../../member.ts';
import type { Charge } from '../charge.ts';
import type { Evidence } from '../evidence.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { groupedBy } from '../grouped.ts';
import type { Purchase } from '../purchase.ts';
import { madeBy } from '../made-by.ts';
import { isMeantOnce, workOf, type TaskOperation } from '../task.ts';
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
      'A sale that the cardholder disputed was refunded after that, so the money can go back twice.',
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

function* doubleCharges(evidence: Evidence): Generator<Notice> {
  for (const task of evidence.tasks) {
    const { attempts, purchase } = task;
    if (purchase === undefined || !mayBeDoneTwice(attempts)) continue;
    const held = purchase.chargesBy(attempts).filter(({ keptMinor }) => keptMinor > 0);
    // Captures of one authorization are parts of one charge; the domain keeps their sum within it.
    const payments = groupedBy(held, ({ paymentId }) => paymentId);
    if (payments.size < 2 || isOneLeft([...payments.values()])) continue;
    yield {
      what: `${capital(purchaseWords(purchase))} was charged ${timesWords(payments.size)}: ${firstOf(held.map(({ amount }) => moneyWords(amount))).join(', ')}.`,
      evidence: evidenceOf(held),
      purchase,
      ...(!isMeantOnce(evidence, task, new Set(payments.keys())) && mayBeMeant),
    };
  }
}

/** Whether so much of several payments was given back that no more is kept than one of them took. */
function isOneLeft(payments: readonly (readonly Charge[])[]): boolean {
  const held = payments.flat();
  if (new Set(held.map(({ amount }) => amount.currency)).size > 1) return false;
  const kept = held.reduce((sum, { keptMinor }) => sum + keptMinor, 0);
  return payments.some((of) => kept <= of.reduce((sum, { amount }) => sum + amount.minor, 0));
}

/** A single request does its work once, unless it was forced to do it twice. */
function mayBeDoneTwice(attempts: readonly KeptEntry[]): boolean {
  return attempts.length > 1 || attempts[0]?.twin !== undefined;
}

/** Without a name for it, and with every answer understood, somebody may have meant it twice. */
const mayBeMeant = { severity: 'medium', confidence: 'possible' } as const;

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
  for (const task of evidence.tasks) {
    const { operation, attempts } = task;
    if (!isRefund(operation) || !mayBeDoneTwice(attempts)) continue;
    const makers = attempts.filter((entry) => refundsBy(evidence, entry).length > 0);
    const made = new Set(makers.flatMap((entry) => refundsBy(evidence, entry)));
    if (made.size < 2) continue;
    yield {
      what: `The same refund was made ${timesWords(made.size)}.`,
      evidence: firstOf(makers),
      ...(!isMeantOnce(evidence, task, made) && mayBeMeant),
    };
  }
  yield* refundsInVain(evidence);
}

/** A whole refund that is refused was already made: whoever asks for it again does not know that. */
function* refundsInVain(evidence: Evidence): Generator<Notice> {
  const requests = groupedBy(evidence.of('sale.refund', 'capture.refund'), (entry) =>
    workOf(evidence, entry),
  );
  for (const [, ofOne] of requests) {
    const makers = ofOne.filter((entry) => refundsBy(evidence, entry).length > 0);
    const [first] = makers;
    if (first === undefined) continue;
    // A repeat that says it is one is none of these.
    const ids = new Set(makers.map(({ requestId }) => requestId));
    const again = ofOne.filter(
      ({ seq, problem, requestId }) =>
        seq > first.seq &&
        problem === problems['already-refunded'].name &&
        (requestId === undefined || !ids.has(requestId)),
    );
    if (again.length === 0) continue;
    yield {
      what: `A refund was asked for ${timesWords(1 + again.length)}; only the sandbox's limit kept the money from going back again.`,
      evidence: firstOf([first, ...again]),
    };
  }
}

function isRefund(operation: TaskOperation): boolean {
  return operation === 'sale.refund' || operation === 'capture.refund';
}

/** Ids of the refunds that it made. One that failed gave nothing back, and may be made again. */
function refundsBy({ records }: Evidence, entry: KeptEntry): string[] {
  return madeBy(entry).filter((id) => records.refunds.get(id)?.settlement !== 'failed');
}

function* refundsAndChargebacks(evidence: Evidence): Generator<Notice> {
  for (const entry of evidence.of('sale.refund')) {
    const refund =
      entry.committed && entry.subject !== undefined
        ? evidence.records.refunds.get(entry.subject)
        : undefined;
    const sale = refund && evidence.records.sales.get(refund.of.id);
    if (refund === undefined || (sale?.dispute !== 'open' && sale?.dispute !== 'lost')) continue;
    const opened = evidence
      .transfersOf(sale.paymentId)
      .find(({ cause, subject }) => cause === 'chargeback' && subject === sale.id);
    // Nobody can look for a dispute that comes after the refund.
    if (opened === undefined || refund.createdAtMs < opened.atMs) continue;
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
