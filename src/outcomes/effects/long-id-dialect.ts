/** Longer ids, as a later version of the service may send them. A client may send back the ids that it received. */

/** The longest id that the service may send. */
const length = 64;
const prefix = 'NEXT-';
/** Fills an id up. It is not a digit: digits next to an id could look like a card number, and redaction would hide them. */
const filler = 'Z';
const form = /^NEXT-(.+?)-Z+$/;

/** Fields that name a record of the service. Other fields, such as `external_customer_id`, belong to the client. */
const idFields: ReadonlySet<string> = new Set([
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

/** Lengthens the value of an id field and returns any other value unchanged. */
export function lengthenId(field: string, value: string): string {
  return idFields.has(field) ? `${prefix}${value}-`.padEnd(length, filler) : value;
}

/** Whether a text may contain a lengthened id. It is a cheap test: most texts contain none. */
export function mayContainLongId(text: string): boolean {
  return text.includes(prefix);
}

/** Returns the stored id for a lengthened one and any other text unchanged. */
export function restoreId(text: string): string {
  return text.startsWith(prefix) ? (form.exec(text)?.[1] ?? text) : text;
}

/** Restores the stored ids at every level of what a client sent. */
export function restoreIds(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(restoreIds);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([field, item]) => [
      field,
      typeof item === 'string' && idFields.has(field) ? restoreId(item) : restoreIds(item),
    ]),
  );
}
