/** Attempts to pay and the time between them, on a running clock that only the test moves. */
import { see, type Seen } from '../../forcing/tolerant-client.ts';
import { testNow, type Shop } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { paymentBody } from '../../../support/samples.ts';
import type { OutcomeId } from '../../../../src/outcomes/outcome-id.ts';

/** Time passes only when the test says so, however slow the machine is. */
export const onTestTime = { clock: {}, systemClock: { nowMs: () => Date.parse(testNow) } } as const;

export interface Attempt {
  readonly key?: string;
  readonly invoice?: string;
  readonly custom?: string;
  readonly description?: string;
  readonly total?: string;
  /** How long the client waits before the attempt. */
  readonly afterMs?: number;
}

export class Checkout {
  readonly shop: Shop;
  readonly #cardId: string;

  private constructor(shop: Shop, cardId: string) {
    this.shop = shop;
    this.#cardId = cardId;
  }

  /** Opens a checkout with a card in the vault. */
  static async at(shop: Shop): Promise<Checkout> {
    return new Checkout(shop, await storeCard(shop));
  }

  /** Pays, and takes whatever comes. */
  async pay({ key, afterMs = 0, ...parts }: Attempt): Promise<Seen> {
    if (afterMs > 0) this.shop.merchant.clock.advance(afterMs);
    return see(this.shop, 'payment.create', { body: this.body(parts), headers: keyed(key) });
  }

  /** One try after the other. */
  async payAll(...attempts: readonly Attempt[]): Promise<void> {
    for (const attempt of attempts) await this.pay(attempt);
  }

  body({ invoice, custom, description, total = '30.11' }: Attempt = {}): Record<string, unknown> {
    const transaction = {
      ...(invoice !== undefined && { invoice_number: invoice }),
      ...(custom !== undefined && { custom }),
      ...(description !== undefined && { description }),
    };
    return paymentBody({ cardId: this.#cardId, total, transaction });
  }

  /** The next so many payments meet this. */
  forceOutcome(
    outcome: OutcomeId,
    times = 1,
    parameters: Readonly<Record<string, string | number>> = {},
  ) {
    this.shop.merchant.force({
      op: 'payment.create',
      per: 'merchant',
      outcome: { outcome, with: parameters },
      times,
    });
  }
}

export function keyed(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { 'PayPal-Request-Id': key };
}
