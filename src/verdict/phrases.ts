/** How amounts and counts are said in a finding. */
import { formatMinor, type Money } from '../domain/money/money.ts';
import type { StoredEntry } from '../journal/stored-entry.ts';
import type { Purchase } from './purchases/purchase.ts';

/** `30.11 USD`. */
export function formatMoney({ minor, currency }: Money): string {
  return `${formatMinor(minor, currency)} ${currency}`;
}

/** `once`, `twice`, `3 times`. */
export function formatTimes(count: number): string {
  return count === 1 ? 'once' : count === 2 ? 'twice' : `${count} times`;
}

/** `two`, `3`. */
export function formatNumber(count: number): string {
  return count === 2 ? 'two' : String(count);
}

/** `2 refunds`, `1 refund`. */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** How a purchase is called in a sentence. */
export function describePurchase({ label, invoiceNumber }: Purchase): string {
  return invoiceNumber === undefined ? `purchase "${label}"` : `invoice ${invoiceNumber}`;
}

/** As a sentence begins. */
export function capitalize(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** `40 ms`, `2.5 s`. */
export function formatDuration(ms: number): string {
  return ms < 1000 ? `${Math.round(ms)} ms` : `${Number((ms / 1000).toFixed(1))} s`;
}

/** Exchanges that a finding names at most: a habit is shown by a few of them. */
const mostShown = 20;

/** The first exchanges that show a habit. */
export function firstExamples<T>(shown: Iterable<T>): readonly T[] {
  return [...shown].slice(0, mostShown);
}

/** How a request is called in a sentence. */
export function describeRequest({ operation, method, debugId }: StoredEntry): string {
  return `${operation ?? method} ${debugId}`;
}
