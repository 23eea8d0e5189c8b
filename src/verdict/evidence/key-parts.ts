/** Days, weeks, months and parts of an order in request ids, as of a job that runs for each of them. */
import { startOfDayMs } from '../../domain/calendar.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { countsAttempts } from './orders/attempt-marks.ts';
import { orderNumberIn } from './orders/order-number.ts';

/** A day, week or month: `2026-05-06`, `20260506`, `2026-W19`, `2026-05`. */
const periods = /(?<!\d)20\d\d-?(?:W\d\d|[01]\d(?:-?[0-3]\d)?)(?!\d)/gi;

/** Words for a part of an order that is paid, sent or done by itself. */
const partWord = String.raw`room|night|seat|ticket|parcel|package|shipment|delivery|fulfill?ment|consignment|pallet|box|lot|leg|line|milestone|stage|phase|inst(?:all?(?:ment)?)?|part|item`;

/**
 * A part of an order: `room-2`, `night 3`, `shipment=1`, or the first number of `1-of-3` and `1/3`. A number alone may count
 * attempts, as in `attempt-1-of-3` and `order/7/1`, and a long one may be a time.
 */
const parts = new RegExp(
  String.raw`(?<![a-z])(?:${partWord})[^a-z0-9]?\d{1,4}(?![a-z0-9])|(?<=[^a-z0-9])(?<!(?:attempt|try|versuch|click|run)[^a-z0-9])\d{1,2}(?=(?:/|[^a-z0-9]?of[^a-z0-9]?)\d{1,2}(?![a-z0-9/]))`,
  'gi',
);

/**
 * Whether the request ids name other periods or other parts: they are alike but for the day, week or month in them, or for
 * the number of a room, night or the like.
 */
export function nameOtherParts(first: StoredEntry, again: StoredEntry): boolean {
  return (
    numberOtherParts(first, again) ||
    // On one day of the merchant's clock, the client chose two periods, and did not read them from a clock.
    (differOnlyIn(periods, first, again) && startOfDayMs(first.atMs) === startOfDayMs(again.atMs))
  );
}

/** Whether the request ids are alike but for the number of a room, night or the like. */
export function numberOtherParts(first: StoredEntry, again: StoredEntry): boolean {
  return differOnlyIn(parts, first, again);
}

/** A short number at the end, which counts parts or attempts, but not one after a word for attempts. */
const count = /(?<=[^a-z0-9])(?<!(?:attempt|try|versuch)[^a-z0-9])\d{1,2}$/gi;

/**
 * Whether the request ids are alike but for a number at their end, and hold the number of their order: `b12-1` and `b12-2` of
 * booking 12. They may count its parts, or the attempts to pay it.
 *
 * @param orderName The name that both payments give their order.
 */
export function numberPartsOf(orderName: string, first: StoredEntry, again: StoredEntry): boolean {
  const { requestId = '' } = first;
  const start = requestId.replace(count, '');
  return (
    differOnlyIn(count, first, again) &&
    start !== requestId &&
    start.toLowerCase().includes(markOf(orderName))
  );
}

/** What a request id holds of the name of its order: the number, or the whole name. */
function markOf(orderName: string): string {
  return orderNumberIn(orderName)?.split(' ').at(-1) ?? orderName.toLowerCase();
}

/** A small number after a word, at the end or before a day or month: `passenger-2`, `sim-1-2026-05`. */
const counted = new RegExp(
  String.raw`^(?<start>.*)(?<!\p{L})(?<word>\p{L}{3,})[^\p{L}\d]?(?<number>\d{1,2})(?<end>[^\p{L}\d]${periods.source})?$`,
  'iu',
);

/**
 * Whether the second request id counts on from the first one: `trip-901-passenger-2` after `trip-901-passenger-1`. Any word
 * between the name of the order and the number may stand for a part, but not a word for attempts.
 *
 * @param orderName The name that both payments give their order.
 */
export function countsOn(orderName: string, first: StoredEntry, again: StoredEntry): boolean {
  const [one, next] = [first, again].map((entry) => countIn(orderName, entry));
  return one !== undefined && one.rest === next?.rest && one.number + 1 === next.number;
}

/** The number that a request id counts after the name of its order, and what else it says. */
function countIn(
  orderName: string,
  { requestId = '' }: StoredEntry,
): { readonly number: number; readonly rest: string } | undefined {
  const { start = '', word = '', number, end = '' } = counted.exec(requestId)?.groups ?? {};
  if (!start.toLowerCase().includes(markOf(orderName)) || countsAttempts(word)) return undefined;
  return { number: Number(number), rest: [start, word, end].join(' ') };
}

function differOnlyIn(
  names: RegExp,
  { requestId: one = '' }: StoredEntry,
  { requestId: other = '' }: StoredEntry,
): boolean {
  return one !== other && one.replaceAll(names, '') === other.replaceAll(names, '');
}
