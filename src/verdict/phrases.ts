/** Phrases for amounts, counts, purchases and requests in verdict texts. */
import { dayMs, startOfDayMs } from '../domain/calendar.ts';
import { formatMinor, type Money } from '../domain/money/money.ts';
import type { StoredEntry } from '../journal/stored-entry.ts';
import type { Purchase } from './purchases/purchase.ts';

export { formatCount, formatTimes } from '../shared/counts.ts';

/** `30.11 USD`. */
export function formatMoney({ minor, currency }: Money): string {
  return `${formatMinor(minor, currency)} ${currency}`;
}

/** More equal amounts than these are summed up in one phrase. */
const mostEqualAmounts = 4;

/**
 * `30.11 USD at 10:32:07 and 30.11 USD at 10:32:09`; with the day if it differs. A long list of equal amounts is
 * `30.11 USD each, the first at 10:32:07 and the last at 10:34:00`.
 *
 * @param beforeMs Something that came before, perhaps on another day.
 */
export function listAmounts(
  moves: readonly { readonly amount: Money; readonly atMs: number }[],
  beforeMs: readonly number[] = [],
): string {
  const formatMoment = formatOfMoments([...beforeMs, ...moves.map(({ atMs }) => atMs)]);
  const [first, ...others] = moves;
  if (first !== undefined && moves.length > mostEqualAmounts) {
    const { currency, minor } = first.amount;
    const areEqual = others.every(
      ({ amount }) => amount.currency === currency && amount.minor === minor,
    );
    const times = moves.map(({ atMs }) => atMs).toSorted((one, other) => one - other);
    const [from = 0, to = 0] = [times[0], times.at(-1)];
    if (areEqual) {
      return `${formatMoney(first.amount)} each, the first ${formatMoment(from)} and the last ${formatMoment(to)}`;
    }
  }
  return listWords(moves.map(({ amount, atMs }) => `${formatMoney(amount)} ${formatMoment(atMs)}`));
}

/** Says when each of several things came: `at 10:32:07`, or `on 2026-05-06 10:32:07` if they came on different days. */
export function formatOfMoments(allMs: readonly number[]): (atMs: number) => string {
  const isOneDay = new Set(allMs.map(startOfDayMs)).size < 2;
  return (atMs) => (isOneDay ? `at ${formatTime(atMs)}` : `on ${formatDateTime(atMs)}`);
}

/** `10:32:07`, in UTC. */
export function formatTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(11, 19);
}

/** `2026-05-06 10:32:07`, in UTC. */
function formatDateTime(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** A longer list is cut to fewer items. So the rest of it is never one item. */
const mostListed = 6;
const fewListed = 4;

/** `a, b and c`; the rest of a long list is counted: `a, b and 7 more`. */
export function listWords(items: Iterable<string>): string;
export function listWords<T>(items: Iterable<T>, wordOf: (item: T) => string): string;
export function listWords<T>(items: Iterable<T>, wordOf: (item: T) => string = String): string {
  const all = [...items];
  const shown = all
    .slice(0, all.length > mostListed ? fewListed : mostListed)
    .map((item) => wordOf(item));
  if (all.length > shown.length) return `${shown.join(', ')} and ${all.length - shown.length} more`;
  const last = shown.pop();
  return shown.length === 0 ? (last ?? '') : `${shown.join(', ')} and ${last ?? ''}`;
}

/** `two`, `3`. */
export function formatNumber(count: number): string {
  return count === 2 ? 'two' : String(count);
}

/** `invoice A-7`, `purchase "A test order"`. */
export function describePurchase({ label, invoiceNumber }: Purchase): string {
  return invoiceNumber === undefined ? `purchase "${label}"` : `invoice ${invoiceNumber}`;
}

/** Starts a sentence with a phrase. */
export function capitalize(phrase: string): string {
  return phrase.charAt(0).toUpperCase() + phrase.slice(1);
}

/** Makes a sentence a part of another one. */
export function uncapitalize(phrase: string): string {
  return phrase.charAt(0).toLowerCase() + phrase.slice(1);
}

/** A duration is written in the largest unit of which it has two or more. */
const durationUnits = [
  ['min', 60_000],
  ['h', 3_600_000],
  ['days', dayMs],
] as const;

/** `40 ms`, `2.5 s`, `10 min`, `3.5 h`, `29 days`. */
export function formatDuration(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  const [unit, size] = durationUnits.findLast(([, each]) => ms >= 2 * each) ?? ['s', 1000];
  return `${Number((ms / size).toFixed(1))} ${unit}`;
}

/** Says why requests that the sandbox answered one after the other count as sent at the same time. */
export function explainServiceTime({ serviceTimeMs }: { readonly serviceTimeMs: number }): string {
  return `The sandbox had answered each before the next one came. They count as sent at once, because a client that waits for an answer uses its connection again, and the real service is assumed to take ${formatDuration(serviceTimeMs)} (serviceTimeMs). If your code waits for each answer, set serviceTimeMs to 0. To be certain, hold them at a gate: if your code waits, the second one never comes.`;
}

/** A few exchanges are enough to show a habit. */
const mostExamples = 20;

/** The first items as examples of all. */
export function firstExamples<T>(items: Iterable<T>): readonly T[] {
  return [...items].slice(0, mostExamples);
}

/** `payment.create 1a2b3c`: the operation or method, and the debug id. */
export function describeRequest({ operation, method, debugId }: StoredEntry): string {
  return `${operation ?? method} ${debugId}`;
}
