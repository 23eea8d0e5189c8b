/** What two programs may write in different ways: escapes, JSON, and the lines of a cart. */
import { canonical } from '../../../journal/query/request-details.ts';
import { memberOf } from '../../../shared/unknown-value.ts';

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** An escape of HTML, perhaps of one that was escaped before. */
const htmlEscape = /&(?:amp;)*(amp|lt|gt|quot|apos|nbsp|#\d{1,5}|#x[\da-f]{1,4});/gi;

/** A text without the escapes of HTML and of URLs: `Tea & cake` of `Tea &amp; cake` and of `Tea%20%26%20cake`. */
export function unescaped(text: string): string {
  if (!/[&%]/.test(text)) return text;
  const plain = text.replaceAll(htmlEscape, (_, name: string) => {
    if (!name.startsWith('#')) return characters[name.toLowerCase()] ?? '';
    const isHex = /^#x/i.test(name);
    return String.fromCodePoint(Number.parseInt(name.slice(isHex ? 2 : 1), isHex ? 16 : 10));
  });
  return plain.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    try {
      return decodeURIComponent(escapes);
    } catch {
      // It is no text in UTF-8.
      return escapes;
    }
  });
}

/** A member of JSON that is new for each attempt. */
const attemptMember =
  /^(?:attempts?|try|tries|retry|retries)(?:_?(?:count|no|num|number))?$|^(?:request|trace|correlation|idempotency)[_-]?(?:id|key)$/i;

/** Most texts of JSON have no such member. */
const mayCountAttempts =
  /"(?:attempt|try|tries|retry|retries|request|trace|correlation|idempotency)/i;

/** Whether a text is JSON with a member that is new for each attempt. */
export function countsAttempts(text: string): boolean {
  return mayCountAttempts.test(text) && inOneOrder(text, false) !== inOneOrder(text);
}

/**
 * A text in which the order of members does not matter, if it is JSON or a query: `{"a":1,"b":2}` and `{"b":2,"a":1}`.
 *
 * @param withAttempt Whether the members of an object that count its attempts belong to it.
 */
export function inOneOrder(text: string, withAttempt = true): string {
  if (/^\w+=[^&]*(?:&\w+=[^&]*)+$/.test(text)) return text.split('&').sort().join('&');
  if (!/^\s*[{["]/.test(text)) return text;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  if (typeof value === 'string') return inOneOrder(value, withAttempt);
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return JSON.stringify(
    canonical(
      isObject && !withAttempt
        ? Object.fromEntries(
            Object.entries(value ?? {}).filter(([name]) => !attemptMember.test(name)),
          )
        : value,
    ),
  );
}

/** Whether two carts hold the same items. Two lines for one thing say the same as one line for two of it. */
export function haveSameItems(
  items: readonly unknown[] | undefined,
  otherItems: readonly unknown[] | undefined,
): boolean {
  return (
    items !== undefined &&
    otherItems !== undefined &&
    mergedLines(items) === mergedLines(otherItems)
  );
}

function mergedLines(items: readonly unknown[]): string {
  const quantities = new Map<string, number>();
  for (const item of items) {
    const thing = JSON.stringify(canonical({ ...Object(item), quantity: undefined }));
    const quantity = Number(memberOf(item, 'quantity') ?? 1);
    quantities.set(thing, (quantities.get(thing) ?? 0) + quantity);
  }
  const lines = [...quantities].map(([thing, quantity]) => `${quantity} ${thing}`);
  return JSON.stringify(lines.sort());
}
