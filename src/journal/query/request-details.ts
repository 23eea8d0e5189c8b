/** What a client says to tell two purchases apart, beside card, amount, invoice number and `custom`. */
import { memberOf } from '../../shared/unknown-value.ts';

/** Names that other parts of a verdict compare by their meaning. */
const comparedElsewhere: ReadonlySet<string> = new Set(['amount', 'invoice_number', 'custom']);
const instruments: ReadonlySet<string> = new Set(['funding_instruments']);
const ownParts: ReadonlySet<string> = new Set(['payer', 'transactions', ...comparedElsewhere]);

/**
 * Returns everything else in a body as one text: description, items, address, notes, the details of the amount, and
 * what the service ignores.
 * Neither the order of keys and items nor the notation of an amount matters.
 */
export function requestDetailsOf(body: unknown): string {
  const transactions = memberOf(body, 'transactions');
  return JSON.stringify([
    canonicalWithout(ownParts, body),
    canonicalWithout(instruments, memberOf(body, 'payer')),
    Array.isArray(transactions)
      ? transactions.map((one: unknown) => [
          canonicalWithout(comparedElsewhere, one),
          partsOf(memberOf(memberOf(one, 'amount'), 'details')),
        ])
      : null,
  ]);
}

/** The parts of an amount beside goods: tax, shipping and others. Nothing and the subtotal say no more than the total. */
function partsOf(details: unknown): unknown {
  if (typeof details !== 'object' || details === null) return '';
  const parts = Object.entries(details).filter(
    ([name, value]) => name !== 'subtotal' && Number(value) !== 0,
  );
  return parts.length === 0 ? '' : canonicalMembers(parts, 0);
}

function canonicalWithout(names: ReadonlySet<string>, value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return '';
  return canonicalMembers(
    Object.entries(value).filter(([name]) => !names.has(name)),
    0,
  );
}

/** The service refuses deeper bodies. Here they must not exhaust the stack. */
const maxDepth = 32;

/** A value in which neither the order of keys and items nor the notation of an amount matters. */
export function canonical(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return null;
  if (Array.isArray(value)) {
    return sortedByText(value.map((item: unknown) => canonical(item, depth + 1)));
  }
  if (typeof value === 'object' && value !== null) {
    return canonicalMembers(Object.entries(value), depth);
  }
  const text = String(value ?? '');
  return /^-?\d+\.\d*0$/.test(text) ? text.replace(/\.?0+$/, '') : text;
}

/** A client may read the items of one cart from its database in any order. */
function sortedByText(items: readonly unknown[]): readonly unknown[] {
  if (items.length < 2) return items;
  return items
    .map((item) => [JSON.stringify(item), item] as const)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([, item]) => item);
}

/** What is empty says no more than what is missing. */
function canonicalMembers(members: [string, unknown][], depth: number): unknown {
  return members
    .filter(([, member]) => member !== '' && member !== null)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => [name, canonical(member, depth + 1)]);
}
