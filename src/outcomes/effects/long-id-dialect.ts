/** Ids as next year's service may make them, and the way back: what a client was shown, it may send. */

/** As long as an id may be. */
const length = 64;
const prefix = 'NEXT-';
/** Says where the stored one ends. No digit: with the last ones of an id they could read as a card number, and be hidden. */
const filler = 'Z';
const form = /^NEXT-(.+?)-Z+$/;

/** Members that name a record of the service; others (`external_customer_id`) are the client's own. */
const idMembers: ReadonlySet<string> = new Set([
  'id',
  'credit_card_id',
  'sale_id',
  'capture_id',
  'authorization_id',
  'parent_payment',
  'next_id',
  'card_id',
  'payment_id',
  'refund_id',
  'start_id',
]);

/** A member's value, longer where it is an id. */
export function lengthenId(member: string, value: string): string {
  return idMembers.has(member) ? `${prefix}${value}-`.padEnd(length, filler) : value;
}

/** Whether a text may hold a longer id: most do not, and need no second look. */
export function mayContainLongId(text: string): boolean {
  return text.includes(prefix);
}

/** The stored id in place of a longer one, and any other text as it is. */
export function restoreId(text: string): string {
  return text.startsWith(prefix) ? (form.exec(text)?.[1] ?? text) : text;
}

/** What a client sent, with stored ids in place of longer ones at every level. */
export function restoreIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restoreIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([member, held]) => [
      member,
      typeof held === 'string' && idMembers.has(member) ? restoreId(held) : restoreIds(held),
    ]),
  );
}
