import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import type { JsonLeaf } from '../../evidence/json-leaves.ts';

const rawCard = /^payer\.funding_instruments\[\d+\]\.(?:credit_card|payment_card)\.[^.]+$/;

/** A body in which redaction left this mark, unless all of it is the one that belongs into a card that is stored. */
export function markedBody(
  evidence: Evidence,
  entry: StoredEntry,
  mark: string,
  field: string,
): unknown {
  const { request = '', signs, operation } = entry;
  if (signs.includes('mask-of-its-own')) return undefined;
  const body = evidence.bodyOf(entry);
  if (operation !== 'card.create' || request.indexOf(mark) < request.lastIndexOf(mark)) return body;
  const own = memberOf(body, field);
  return typeof own === 'string' && own.startsWith(mark) ? undefined : body;
}

/** Whether a leaf is a field of a card on its way in. */
export function isCardField({ operation }: StoredEntry, { path, key }: JsonLeaf): boolean {
  if (operation === 'card.create') return path === key;
  return operation === 'payment.create' && rawCard.test(path);
}

/** What clients call their keys may be long. */
const longestPlace = 80;

export function placeOf(entry: StoredEntry, { path }: JsonLeaf): string {
  return `${path.slice(0, longestPlace) || 'the body'} of ${nameOf(entry)}`;
}

export function nameOf({ operation, method }: StoredEntry): string {
  return operation ?? `a ${method} request`;
}
