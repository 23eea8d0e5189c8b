/** What all reports know about verdicts. */
import type { Finding, Purchase, Verdict } from '../contract/control/types.ts';
import { severities, type Severity } from '../contract/constants.ts';
import { formatMinor, isCurrency, type Currency } from '../domain/money/money.ts';
import { formatCount, sumOf } from '../shared/counts.ts';

export type { Finding, Purchase, Verdict };
export type Attempt = Purchase['attempts'][number];
export type Charge = Purchase['charges'][number];

type Reason = Verdict['reasons'][number];

/** Why a verdict failed, other than a finding. */
export type OtherReason = Reason & { readonly kind: Exclude<Reason['kind'], 'finding'> };

/** Whether all of one or more verdicts passed. */
export function allPassed(verdicts: readonly Verdict[]): boolean {
  return verdicts.length > 0 && verdicts.every(({ passed }) => passed);
}

/** Sorts failed verdicts before passed ones, and keeps the order otherwise. */
export function failedFirst(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.toSorted((one, other) => Number(one.passed) - Number(other.passed));
}

/** Whether a verdict failed only because nothing arrived yet. */
export function isWaitingForRequests({ reasons, counts }: Verdict): boolean {
  return (
    counts.requests === 0 &&
    reasons.some(({ kind }) => kind === 'no-requests') &&
    reasons.every(({ kind }) => followsFromSilence.has(kind))
  );
}

/** Reasons that every merchant has before its first request, if its scenario asks for something. */
const followsFromSilence: ReadonlySet<Reason['kind']> = new Set([
  'no-requests',
  'unfired-rule',
  'unfilled-gate',
  'missed-event',
  'expectation',
]);

export type Total = Verdict['totals'][number];

/** One row of the money: what was charged, returned and kept, and how much of it is too much. */
export function describeTotal(total: Total): string {
  const { currency, charged, returned, net, returnedOfOthers } = total;
  const others = returnedOfOthers === undefined ? '' : ` (${returnedOfOthers} of fixture sales)`;
  return [
    `${currency}: ${charged} charged`,
    `${returned} returned${others}`,
    `${net} kept`,
    ...describeExcess(total),
  ].join(', ');
}

/**
 * How much the buyers paid too much, and how much they received back too much.
 *
 * @param unit What follows each amount.
 */
export function describeExcess({ excess, excessRefunded }: Total, unit = ''): readonly string[] {
  return [
    ...(excess === undefined ? [] : [`${excess}${unit} more than ordered`]),
    ...(excessRefunded === undefined ? [] : [`${excessRefunded}${unit} refunded too much`]),
  ];
}

/** How many requests are open, if any are. */
export function describeOpen({ counts: { open } }: Verdict): string | undefined {
  return open === 0 ? undefined : formatCount(open, 'open request');
}

/** The money that was pending, and what it counts as: `Pending: 2 sales, counted as completed (60.22 USD)`. */
export function describePending(verdict: Verdict): string | undefined {
  const parts = describePendingOf([verdict]);
  return parts === undefined ? undefined : `Pending: ${parts}`;
}

/** The same of several merchants, without a heading: `2 sales, counted as completed (60.22 USD)`. */
export function describePendingOf(verdicts: readonly Verdict[]): string | undefined {
  const groups = new Map<string, Pending[]>();
  for (const one of verdicts.flatMap(({ pending = [] }) => pending)) {
    const name = `${one.kind} ${one.becomes}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  const parts = Array.from(groups, ([name, group]) => {
    const [kind = '', becomes = ''] = name.split(' ');
    const fate = becomes === 'pending' ? 'still pending' : `counted as ${becomes}`;
    return `${formatCount(group.length, kind)}, ${fate} (${describeSum(group)})`;
  });
  const leftOut = sumOf(verdicts.map(({ counts: { pendingLeftOut = 0 } }) => pendingLeftOut));
  if (leftOut > 0) parts.push(`and ${leftOut} more`);
  return parts.length === 0 ? undefined : parts.join('; ');
}

type Pending = NonNullable<Verdict['pending']>[number];

/** The sum in each currency: `60.22 USD, 1200 JPY`. */
function describeSum(group: readonly Pending[]): string {
  const sums = new Map<Currency, number>();
  for (const { amount } of group) {
    if (!isCurrency(amount.currency)) continue;
    sums.set(amount.currency, (sums.get(amount.currency) ?? 0) + toMinor(amount.total));
  }
  return Array.from(
    sums,
    ([currency, minor]) => `${formatMinor(minor, currency)} ${currency}`,
  ).join(', ');
}

/** The minor units of an amount. A verdict writes all decimals of the currency. */
export function toMinor(amount: string): number {
  return Number(amount.replace('.', ''));
}

/** Whether a charge has taken money. A pending one may still, and a denied one never does. */
export function hasTakenMoney({ state }: Charge): boolean {
  return state !== 'pending' && state !== 'denied';
}

/**
 * Selects what a report of limited length shows, in its order. Every kind has a first item among them before one has a
 * second, so that no kind is hidden by the many items of another.
 */
export function selectOverKinds<T>(
  items: readonly T[],
  kindOf: (item: T) => string,
  max: number,
): readonly T[] {
  const counts = new Map<string, number>();
  const numbered = items.map((item, at) => {
    const kind = kindOf(item);
    const number = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, number);
    return { item, number, at };
  });
  return numbered
    .toSorted((one, other) => one.number - other.number)
    .slice(0, max)
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}

/** What the pending sales and refunds of a verdict count as, by their ids. */
export type PendingFates = ReadonlyMap<string, Pending['becomes']>;

/** Reads what was pending. What is pending still has no other state, so it is left out. */
export function pendingFates({ pending = [] }: Pick<Verdict, 'pending'>): PendingFates {
  return new Map(
    pending.filter(({ becomes }) => becomes !== 'pending').map(({ id, becomes }) => [id, becomes]),
  );
}

/** The state of a charge. A pending one is judged by what it becomes, which no answer has shown. */
export function describeState({ id, state }: Charge, fates: PendingFates): string {
  const fate = fates.get(id);
  return fate === undefined ? state : `pending, counted as ${fate}`;
}

/** Whether a finding makes its verdict fail. */
export function failsVerdict({ failOn }: Verdict, { severity, suppressed }: Finding): boolean {
  return suppressed === undefined && isAsBadAs(severity, failOn);
}

/** How many findings of each rule are suppressed, and why. A rule has one reason. */
export function describeSuppressed({ findings, counts }: Verdict): readonly string[] {
  const groups = new Map<string, { readonly reason: string; readonly count: number }>();
  for (const { rule, suppressed } of findings) {
    if (suppressed === undefined) continue;
    groups.set(rule, { reason: suppressed, count: (groups.get(rule)?.count ?? 0) + 1 });
  }
  const lines = Array.from(
    groups,
    ([rule, { reason, count }]) =>
      `Suppressed ${rule}, ${formatCount(count, 'finding')}: "${reason}"`,
  );
  const leftOut = counts.suppressed - sumOf(Array.from(groups.values(), ({ count }) => count));
  if (leftOut > 0)
    lines.push(`${formatCount(leftOut, 'more suppressed finding')} of the same rules.`);
  return lines;
}

/** Which suppressions expired, when, and what to do. */
export function describeExpired({ expiredSuppressions = [] }: Verdict): readonly string[] {
  return expiredSuppressions.map(
    ({ rule, reason, until, findings }) =>
      `The suppression of ${rule} expired after ${until}, so ${formatCount(findings, 'finding')} ${findings === 1 ? 'counts' : 'count'} again. Its reason was: "${reason}". Fix the cause, or set a later until if the reason still holds.`,
  );
}

/** The same for one finding, for reports that show each by itself; empty if it had no such suppression. */
export function expiredNote(
  { expiredSuppressions = [] }: Verdict,
  { rule }: Finding,
): readonly string[] {
  return expiredSuppressions
    .filter((expired) => expired.rule === rule)
    .map(
      ({ until }) =>
        `Its suppression expired after ${until}. Fix the cause, or set a later until if the reason still holds.`,
    );
}

export function otherReasons({ reasons }: Verdict): readonly OtherReason[] {
  return reasons.filter((reason): reason is OtherReason => reason.kind !== 'finding');
}

/** The worse one of two severities. */
export function worseOf(one: Severity, other: Severity): Severity {
  return isAsBadAs(one, other) ? one : other;
}

function isAsBadAs(severity: Severity, limit: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(limit);
}

/** `3 expectations held` or `2 of 3 expectations held`; nothing without expectations. */
export function describeExpectations({ expectations }: Verdict): string | undefined {
  if (expectations.length === 0) return undefined;
  const held = expectations.filter(({ ok }) => ok).length;
  const all = formatCount(expectations.length, 'expectation');
  return held === expectations.length ? `${all} held` : `${held} of ${all} held`;
}

/**
 * The purchase, card or record of each finding.
 *
 * Equal ones are numbered, for readers that tell findings apart by name.
 */
export function findingSubjects({ findings, purchases }: Verdict): readonly string[] {
  const labels = new Map(purchases.map(({ key, label }) => [key, label]));
  const counts = new Map<string, number>();
  return findings.map(({ rule, intent, subject }) => {
    const label = intent === undefined ? undefined : (labels.get(intent) ?? intent);
    const name = [label, subject].filter((part) => part !== undefined).join(' ');
    const key = `${rule} ${intent ?? ''} ${name}`;
    const count = (counts.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count === 1 ? name : `${name} (${count})`.trimStart();
  });
}
