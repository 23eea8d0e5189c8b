/** How a test asks for its verdict at the end. */
import type { VerdictOptions } from '../client/connect.ts';
import { ArgumentError, checkKeys } from '../outcomes/argument-error.ts';
import { shown } from '../shared/unknown-value.ts';
import { readVerdictOptions } from '../verdict/options.ts';

/** What is said about the verdict at the end; `judge: false` leaves it out. */
export interface EndOrder extends VerdictOptions {
  readonly judge?: boolean | undefined;
}

const keys = {
  judge: true,
  failOn: true,
  suppress: true,
  beliefs: true,
  expect: true,
  allowUnfired: true,
  allowDropped: true,
  allowNoRequests: true,
  waitMs: true,
} as const satisfies Record<keyof EndOrder, true>;

/**
 * What was said to `verb`, which is where it is read: at the end of the test no line of it would be named. Throws an
 * `ArgumentError` or a `VerdictOptionsError`. What `expect` names may come with a scenario, so the verdict reads that.
 */
export function checkedOrder(verb: string, order: EndOrder): EndOrder {
  checkKeys(verb, order, keys);
  const { judge, expect: _later, ...asked } = order;
  if (judge !== undefined && typeof judge !== 'boolean') {
    throw new ArgumentError(`judge must be true or false, not ${shown(judge)}.`, {
      place: 'judge',
    });
  }
  readVerdictOptions(asked, []);
  return order;
}

/** One order of several: later words win, suppressions and beliefs add up. */
export function mergedOrder(orders: readonly EndOrder[]): EndOrder {
  const merged = Object.assign({}, ...orders) satisfies EndOrder;
  return {
    ...merged,
    suppress: orders.flatMap(({ suppress = [] }) => suppress),
    beliefs: Object.assign({}, ...orders.map(({ beliefs }) => beliefs)),
  };
}
