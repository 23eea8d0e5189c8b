/** Reads redacted request bodies, and names places in them. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { JsonLeaf } from '../json-leaves.ts';

const rawCardField = /^payer\.funding_instruments\[\d+\]\.(?:credit_card|payment_card)\.[^.]+$/;

/** A body with a redaction mask outside the one field of a new card where it belongs. */
export function bodyWithStrayMask(
  evidence: Evidence,
  entry: StoredEntry,
  mask: string,
  cardField: string,
): unknown {
  const { request = '', signs, operation } = entry;
  if (signs.includes('mask-of-its-own')) return undefined;
  const body = evidence.bodyOf(entry);
  const hasSeveral = request.indexOf(mask) < request.lastIndexOf(mask);
  if (operation !== 'card.create' || hasSeveral) return body;
  const own = memberOf(body, cardField);
  return typeof own === 'string' && own.startsWith(mask) ? undefined : body;
}

/** Whether a value is a field of a card that the request stores or pays with. */
export function isCardField({ operation }: StoredEntry, { path, key }: JsonLeaf): boolean {
  if (operation === 'card.create') return path === key;
  return operation === 'payment.create' && rawCardField.test(path);
}

/** Clients may use long keys. */
const maxPathLength = 80;

/** `transactions[0].description of payment.create`. */
export function describePlace(entry: StoredEntry, { path }: JsonLeaf): string {
  return `${path.slice(0, maxPathLength) || 'the body'} of ${describeOperation(entry)}`;
}

/** `payment.create`, or `a POST request` to a path without an operation. */
export function describeOperation({ operation, method }: StoredEntry): string {
  return operation ?? `a ${method} request`;
}
