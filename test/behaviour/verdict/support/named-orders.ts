/** Payments of orders with names in any field, each with a request id of its own. */
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';
import { see } from '../../forcing/tolerant-client.ts';
import { hourMs } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import type { Shop } from '../../../support/transports.ts';
import { foundIn } from './findings.ts';
import { keyed } from './payment-attempts.ts';

let keys = 0;

/** A request id that no other request has. */
export function newKey(): string {
  keys++;
  return `key-${keys}`;
}

export interface NamedOrder {
  readonly cardId: string;
  readonly customer?: string | undefined;
  readonly total?: string;
  readonly currency?: string;
  readonly intent?: string;
  /** All others go into the transaction. */
  readonly [name: string]: string | undefined;
}

/** Pays once, and accepts any answer. */
export function send(shop: Shop, order: NamedOrder, key = newKey()) {
  const { cardId, customer, total, currency, intent, ...transaction } = order;
  const body = paymentBody({
    cardId,
    transaction,
    ...(customer !== undefined && { externalCustomerId: customer }),
    ...(total !== undefined && { total }),
    ...(currency !== undefined && { currency }),
    ...(intent !== undefined && { intent }),
  });
  return see(shop, 'payment.create', { body, headers: keyed(key) });
}

/** The next payment meets this. */
export function lose(shop: Shop, outcome: OutcomeId = 'reset-after-commit'): void {
  shop.merchant.force({ op: 'payment.create', outcome, times: 1 });
}

/** The findings that fail a verdict. */
export async function highIn(shop: Shop): Promise<string[]> {
  return (await foundIn(shop)).filter((name) => /^(?:critical|high)/.test(name));
}

/** Lists all payments some hours later, as a report does. */
export async function report(shop: Shop): Promise<void> {
  shop.merchant.clock.advance(6 * hourMs);
  await shop.ask('payment.list', 200, { query: { count: '20' } });
}
