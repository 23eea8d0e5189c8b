/** How a test asks for its verdict at the end. */
import type { VerdictInput } from '../client/connect.ts';

/** What is said about the verdict at the end; `judge: false` leaves it out. */
export interface EndOrder extends VerdictInput {
  readonly judge?: boolean | undefined;
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
