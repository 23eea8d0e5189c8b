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

/** The id in the path of a link. */
const idInLink = /(\/v1\/(?:payments|vault)\/[a-z-]+\/)([\w-]+)/;

/**
 * Lengthens the value of an id field, and the id in a link. Any other value stays as it is.
 *
 * @param isLong Whether to lengthen this id. Default: every id.
 */
export function lengthenId(
  field: string,
  value: string,
  isLong: (id: string) => boolean = () => true,
): string {
  if (field === 'href') {
    return value.replace(
      idInLink,
      (_, start: string, id: string) => start + lengthened(id, isLong),
    );
  }
  return idFields.has(field) ? lengthened(value, isLong) : value;
}

function lengthened(value: string, isLong: (id: string) => boolean): string {
  const id = restoreId(value);
  return isLong(id) ? `${prefix}${id}-`.padEnd(length, filler) : value;
}

const longId = /NEXT-([\w-]+?)-Z+/g;

/** The stored ids of all lengthened ids in a text. */
export function longIdsIn(text: string): string[] {
  return Array.from(text.matchAll(longId), ([, id = '']) => id);
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
