import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { mayBeDoneTwice, weights, remedyFor } from './duplicates.ts';
import { duplicateConfidence } from '../../client-knowledge/duplicate-confidence.ts';
import { findRepeatPurchases } from '../../client-knowledge/repeat-purchase.ts';
import { hideCardNumbers } from '../../../redaction/redact.ts';
import {
  formatNumber,
  firstExamples,
  formatMoney,
  capitalize,
  formatTimes,
  describePurchase,
} from '../../phrases.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { duplicateSeverity } from '../../purchases/attempts.ts';
import type { Charge } from '../../purchases/charge.ts';
import type { Money } from '../../../domain/money/money.ts';
import type { Purchase } from '../../purchases/purchase.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';

/** One purchase was charged more than once, and the money was not given back. */
export const doubleCharge: FindingRule = {
  id: 'double-charge',
  severity: 'critical',
  about: 'One purchase was charged more than once, and the money was not given back.',
  remedy:
    'Send one PayPal-Request-Id for each purchase, kept before the first try, and one invoice number with it.',
  find: doubleCharges,
};

function* doubleCharges(evidence: Evidence): Generator<Detection> {
  yield* chargedAgain(evidence);
  yield* chargedAnew(evidence);
  yield* capturedAgain(evidence);
}

function* chargedAgain(evidence: Evidence): Generator<Detection> {
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
function* chargedAnew(evidence: Evidence): Generator<Detection> {
  for (const { custom, attempts, difference, cardCount, isOneOrder } of findRepeatPurchases(
    evidence,
  )) {
    const [first] = attempts;
    const purchase = evidence.purchaseLookup.byPayment(first?.subject ?? '');
    if (purchase === undefined) continue;
    const payments = keptOf(purchase, attempts);
    if (payments === undefined) continue;
    // The record holds what the client wrote, be it a card number.
    const name = `purchase "${hideCardNumbers(custom)}"`;
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
function* capturedAgain(evidence: Evidence): Generator<Detection> {
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
): Detection {
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

function evidenceOf(charges: readonly Charge[]): readonly StoredEntry[] {
  return firstExamples(new Set(charges.map(({ entry }) => entry)));
}
