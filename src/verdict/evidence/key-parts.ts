/** Days, weeks, months and parts of an order in request ids, as of a job that runs for each of them. */
import { startOfDayMs } from '../../domain/calendar.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
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
    differOnlyIn(parts, first, again) ||
    // On one day of the merchant's clock, the client chose two periods, and did not read them from a clock.
    (differOnlyIn(periods, first, again) && startOfDayMs(first.atMs) === startOfDayMs(again.atMs))
  );
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
  const order = orderNumberIn(orderName)?.split(' ').at(-1) ?? orderName;
  const start = requestId.replace(count, '');
  return (
    differOnlyIn(count, first, again) && start !== requestId && start.toLowerCase().includes(order)
  );
}

function differOnlyIn(
  names: RegExp,
  { requestId: one = '' }: StoredEntry,
  { requestId: other = '' }: StoredEntry,
): boolean {
  return one !== other && one.replaceAll(names, '') === other.replaceAll(names, '');
}
