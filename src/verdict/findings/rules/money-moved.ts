/** Findings about money that moved, or did not move, as nobody meant it to. */
import { problems } from '../../../contract/problems.ts';
import type { Money } from '../../../domain/money/money.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { withoutCardNumbers } from '../../../redaction/redact.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import {
  duplicateConfidence,
  type DuplicateConfidence,
} from '../../client-knowledge/duplicate-confidence.ts';
import { findRepeatPurchases } from '../../client-knowledge/repeat-purchase.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { createdIds, hasForcedEffect, hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { amountOf, hasSameBody, recordWorkOf } from '../../evidence/request-fields.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { orphanedCharges } from './money-orphaned.ts';
import {
  capitalize,
  describePurchase,
  firstExamples,
  formatMoney,
  formatNumber,
  formatTimes,
} from '../../phrases.ts';
import { duplicateSeverity, type OnceOnlyOperation } from '../../purchases/attempts.ts';
import type { Charge } from '../../purchases/charge.ts';
import type { Purchase } from '../../purchases/purchase.ts';

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
  yield* chargedAgain(evidence);
  yield* chargedAnew(evidence);
  yield* capturedAgain(evidence);
}

function* chargedAgain(evidence: Evidence): Generator<Notice> {
  for (const task of evidence.attemptGroups) {
    const { operation, attempts } = task;
    if (operation !== 'payment.create' || !mayBeDoneTwice(attempts)) continue;
    // Asked for last: whose purchase a refund is takes a look at all of them.
    const { purchase } = task;
    if (purchase === undefined) continue;
    const payments = keptOf(purchase, attempts);
    if (payments === undefined) continue;
    yield {
      ...chargedTwice(purchase, payments),
      ...weights[duplicateConfidence(evidence, task, new Set(payments.keys()))],
      ...remedyFor(attempts.filter(({ subject = '' }) => payments.has(subject))),
    };
  }
}

/** With another card, number or sum, neither is a repeat of the other, and the buyer has paid twice all the same. */
function* chargedAnew(evidence: Evidence): Generator<Notice> {
  for (const { custom, attempts, difference, cardCount, isOneOrder } of findRepeatPurchases(
    evidence,
  )) {
    const [first] = attempts;
    const purchase = evidence.purchaseLookup.byPayment(first?.subject ?? '');
    if (purchase === undefined) continue;
    const payments = keptOf(purchase, attempts);
    if (payments === undefined) continue;
    // The record holds what the client wrote, be it a card number.
    const name = `purchase "${withoutCardNumbers(custom)}"`;
    const how = {
      invoice: 'not under one invoice number',
      card: `on ${formatNumber(cardCount)} cards`,
      amount: 'for different amounts',
    }[difference];
    yield {
      ...chargedTwice(purchase, payments, { name, how: `, ${how}` }),
      ...weights[isOneOrder ? 'likely' : 'possible'],
    };
  }
}

/**
 * One capture that was carried out several times, though what was authorized has room for it. One that has an invoice
 * number of its own is no other part of the order when it comes again, as the service refuses no such number twice.
 * Without one, parts may cost the same: it is found where the client could not know of the first, or where more was
 * taken than was authorized.
 */
function* capturedAgain(evidence: Evidence): Generator<Notice> {
  const again = evidence.retriedGroups.filter(({ operation }) => operation === 'auth.capture');
  if (again.length === 0) return;
  const made = groupBy(evidence.charges, ({ entry }) => entry);
  for (const task of again) {
    const captures = task.attempts.flatMap((entry) => made.get(entry) ?? []);
    const held = captures.filter(({ retainedMinor }) => retainedMinor > 0);
    if (held.length < 2 || isOneLeft(held.map((one) => [one]))) continue;
    const sureness = duplicateConfidence(evidence, task, new Set(held.map(({ id }) => id)));
    const beyond = beyondHold(evidence, held);
    if (sureness === 'possible' && beyond === undefined) continue;
    const amounts = firstExamples(held.map(({ amount }) => formatMoney(amount))).join(', ');
    const name = task.isNamed ? ' under one invoice number' : '';
    const more = beyond === undefined ? '' : `; ${formatMoney(beyond)} more than was authorized`;
    const end = sureness === 'certain' ? more : `${more}, if it was meant once`;
    yield {
      what: `${capitalize(task.description)} was carried out ${formatTimes(held.length)}${name}: ${amounts}${end}.`,
      evidence: evidenceOf(held),
      purchase: task.purchase,
      ...weights[sureness],
      ...(sureness !== 'possible' && { severity: duplicateSeverity[task.operation] }),
    };
  }
}

/** What all captures of an authorization took beyond what it held, where they did: some more is allowed. */
function beyondHold(
  { records, purchaseLookup }: Evidence,
  [one]: readonly Charge[],
): Money | undefined {
  const capture = records.captures.get(one?.id ?? '');
  const held = records.authorizations.get(capture?.authorizationId ?? '')?.amount;
  if (capture === undefined || held === undefined) return undefined;
  const { paymentId } = capture;
  const all = purchaseLookup.byPayment(paymentId)?.charges ?? [];
  const kept = all.filter((charge) => charge.paymentId === paymentId);
  const minor = kept.reduce((sum, { retainedMinor }) => sum + retainedMinor, -held.minor);
  return minor > 0 ? { ...held, minor } : undefined;
}

/** Whoever sent the same id again did what there is to do, but for looking. */
function remedyFor([first, second]: readonly StoredEntry[]): Pick<Notice, 'remedy'> {
  const id = first?.requestId;
  if (id === undefined || second === undefined || second.requestId !== id) return {};
  return {
    remedy: `The service forgets a PayPal-Request-Id after ${requestIdRetentionDays} days: look up what came of a request before it is repeated later than that.`,
  };
}

type Payments = ReadonlyMap<string, readonly Charge[]>;

/** What is kept of several payments, where it is more than one of them took. */
function keptOf(purchase: Purchase, attempts: readonly StoredEntry[]): Payments | undefined {
  const held = purchase.chargesBy(attempts).filter(({ retainedMinor }) => retainedMinor > 0);
  // Captures of one authorization are parts of one charge.
  const payments = groupBy(held, ({ paymentId }) => paymentId);
  return payments.size < 2 || isOneLeft([...payments.values()]) ? undefined : payments;
}

function chargedTwice(
  purchase: Purchase,
  payments: Payments,
  { name = describePurchase(purchase), how = '' } = {},
): Notice {
  const held = [...payments.values()].flat();
  const amounts = firstExamples([...payments.values()].map(takenWords)).join(', ');
  return {
    what: `${capitalize(name)} was charged ${formatTimes(payments.size)}${how}: ${amounts}.`,
    evidence: evidenceOf(held),
    purchase,
  };
}

/** All that one payment took, be it by several captures. */
function takenWords(of: readonly Charge[]): string {
  const [first] = of;
  return first === undefined ? '' : formatMoney({ ...first.amount, minor: takenMinor(of) });
}

function takenMinor(of: readonly Charge[]): number {
  return of.reduce((sum, { amount }) => sum + amount.minor, 0);
}

/** Whether so much of several payments was given back that no more is kept than one of them took. */
function isOneLeft(payments: readonly (readonly Charge[])[]): boolean {
  const held = payments.flat();
  if (new Set(held.map(({ amount }) => amount.currency)).size > 1) return false;
  const kept = held.reduce((sum, { retainedMinor }) => sum + retainedMinor, 0);
  return payments.some((of) => kept <= takenMinor(of));
}

/** A single request does its work once, unless it was forced to do it twice. */
function mayBeDoneTwice(attempts: readonly StoredEntry[]): boolean {
  return attempts.length > 1 || attempts[0]?.twin !== undefined;
}

const weights: Readonly<Record<DuplicateConfidence, Pick<Notice, 'severity' | 'confidence'>>> = {
  certain: {},
  'hardly-anew': { confidence: 'likely' },
  likely: { severity: 'high', confidence: 'likely' },
  // Without a name for it, and with every answer understood, somebody may have meant it twice.
  possible: { severity: 'medium', confidence: 'possible' },
};

function* doubleRefunds(evidence: Evidence): Generator<Notice> {
  for (const task of evidence.attemptGroups) {
    const { operation, attempts } = task;
    if (!isRefund(operation) || !mayBeDoneTwice(attempts)) continue;
    const makers = attempts.filter((entry) => refundsBy(evidence, entry).length > 0);
    const made = new Set(makers.flatMap((entry) => refundsBy(evidence, entry)));
    if (made.size < 2) continue;
    const confidence = duplicateConfidence(evidence, task, made);
    const end = confidence === 'certain' ? '' : ', if it was meant once';
    yield {
      what: `${capitalize(refundedWords(evidence, attempts))} was refunded ${formatTimes(made.size)}: ${refundWords(evidence, made)}${end}.`,
      evidence: firstExamples(makers),
      purchase: task.purchase,
      ...weights[confidence],
      ...remedyFor(makers),
    };
  }
  yield* refundsInVain(evidence);
}

/** A whole refund that is refused was already made: whoever asks for it again does not know that. */
function* refundsInVain(evidence: Evidence): Generator<Notice> {
  const requests = groupBy(evidence.of('sale.refund', 'capture.refund'), (entry) =>
    recordWorkOf(evidence, entry),
  );
  for (const [, ofOne] of requests) {
    const makers = ofOne.filter((entry) => refundsBy(evidence, entry).length > 0);
    const [first] = makers;
    if (first === undefined) continue;
    // A repeat that says it is one is none of these.
    const ids = new Set(makers.map(({ requestId }) => requestId));
    const again = ofOne.filter(
      (entry) =>
        entry.seq > first.seq &&
        entry.problem === problems['already-refunded'].name &&
        // One that was forced says nothing about what is left.
        !hasForcedEffect(entry, 'error') &&
        (entry.requestId === undefined || !ids.has(entry.requestId)),
    );
    if (again.length === 0) continue;
    const asked = [...makers, ...again];
    yield {
      what: `A refund of ${refundedWords(evidence, ofOne)} was asked for ${formatTimes(asked.length)}; only the sandbox's limit kept the money from going back again.`,
      evidence: firstExamples(asked),
      purchase: evidence.purchaseLookup.byRecord(recordIdIn(first) ?? ''),
    };
  }
}

/** What these requests ask money back of. */
function refundedWords({ purchaseLookup }: Evidence, [first]: readonly StoredEntry[]): string {
  const id = (first && recordIdIn(first)) ?? '';
  const purchase = purchaseLookup.byRecord(id);
  const kind = first?.operation === 'capture.refund' ? 'capture' : 'sale';
  return `${kind} ${id}${purchase === undefined ? '' : ` (${describePurchase(purchase)})`}`;
}

/** All ask for the same amount, of which one refund was meant. */
function refundWords({ records }: Evidence, made: ReadonlySet<string>): string {
  const amounts = [...made].flatMap((id) => records.refunds.get(id)?.amount ?? []);
  const [first, ...others] = amounts;
  if (first === undefined) return '';
  const tooMuch = others.reduce((sum, { minor }) => sum + minor, 0);
  return `${firstExamples(amounts.map(formatMoney)).join(', ')}; ${formatMoney({ ...first, minor: tooMuch })} too much`;
}

function isRefund(operation: OnceOnlyOperation): boolean {
  return operation === 'sale.refund' || operation === 'capture.refund';
}

/** Ids of the refunds that it made. One that failed gave nothing back, and may be made again. */
function refundsBy({ records }: Evidence, entry: StoredEntry): string[] {
  return createdIds(entry).filter((id) => records.refunds.get(id)?.settlement !== 'failed');
}

function* refundsAndChargebacks(evidence: Evidence): Generator<Notice> {
  for (const entry of evidence.of('sale.refund')) {
    const [made = ''] = refundsBy(evidence, entry);
    const refund = evidence.records.refunds.get(made);
    const sale = refund && evidence.records.sales.get(refund.of.id);
    if (refund === undefined || (sale?.dispute !== 'open' && sale?.dispute !== 'lost')) continue;
    const opened = evidence
      .transfersOf(sale.paymentId)
      .find(({ cause, subject }) => cause === 'chargeback' && subject === sale.id);
    // Nobody can look for a dispute that comes after the refund.
    if (opened === undefined || refund.createdAtMs < opened.atMs) continue;
    yield {
      what: `${formatMoney(refund.amount)} was refunded of sale ${sale.id}, whose dispute is ${sale.dispute}.`,
      evidence: [entry],
      purchase: evidence.purchaseLookup.byPayment(sale.paymentId),
    };
  }
}

function* amountDrifts(evidence: Evidence): Generator<Notice> {
  for (const purchase of evidence.purchases) {
    const { attempts } = purchase;
    // Nearly all that is sent again is sent as it was, and need not be read.
    if (attempts.every((entry) => hasSameBody(entry, attempts[0]))) continue;
    if (purchase.invoiceNumber === undefined) continue;
    // Whoever was declined, or refused, may ask for another amount: nothing was charged.
    const from = attempts.findIndex((entry) => mayHaveCharged(purchase, entry));
    const byAmount = groupBy(from === -1 ? [] : attempts.slice(from), (entry) =>
      amountOf(evidence, entry),
    );
    if (byAmount.size < 2) continue;
    yield {
      what: `${capitalize(describePurchase(purchase))} was asked for with different amounts: ${firstExamples(byAmount.keys()).join(', ')}.`,
      evidence: firstExamples([...byAmount.values()].flatMap(([first]) => first ?? [])),
      purchase,
    };
  }
}

/** One that an answer said was denied did not, though it made a record. */
function mayHaveCharged(purchase: Purchase, entry: StoredEntry): boolean {
  if (!entry.committed) return hasUnknownOutcome(entry);
  return !purchase.chargesBy([entry]).some(({ state }) => state === 'denied');
}

function evidenceOf(charges: readonly Charge[]): readonly StoredEntry[] {
  return firstExamples(new Set(charges.map(({ entry }) => entry)));
}
