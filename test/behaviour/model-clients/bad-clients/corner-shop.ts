/** A shop that each bad client uses, so that a client consists of its mistake alone. */
import { randomUUID } from 'node:crypto';
import type { ForcedRule, Merchant } from '../../../../src/index.ts';
import { cardBody, paymentBody, type PaymentParts } from '../../../support/samples.ts';
import { vaultedCard } from '../reference/reference-shop.ts';
import { MerchantClock } from '../reference/merchant-clock.ts';
import { judgeCard, judgePayment, type Paid } from '../reference/records.ts';
import { attemptMs } from '../reference/surroundings.ts';
import { basic, bearer, formType, tokenForm, tokenPath } from '../setups/checkout.ts';

export interface Sent {
  readonly body?: unknown;
  readonly key?: string;
  /** Headers to add to the usual ones, or to remove. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A bearer token instead of the stored one. */
  readonly token?: string;
  /** `none` waits without limit. */
  readonly deadlineMs?: number | 'none';
}

/** The answer; status 0 if none arrived or it was unreadable. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** As long as the sandbox keeps a hanging connection open. */
const forEverMs = 60_000;

export class CornerShop {
  readonly merchant: Merchant;
  readonly #url: string;
  readonly #time: MerchantClock;
  #token: string | undefined;
  #orders = 1041;

  /** Requires a frozen clock of the merchant. */
  constructor(merchant: Merchant, url: string) {
    this.merchant = merchant;
    this.#url = url;
    this.#time = new MerchantClock(merchant);
  }

  /** Forces the outcome that reveals the mistake. */
  meets(
    op: ForcedRule['op'],
    outcome: ForcedRule['outcome'],
    rule: Partial<ForcedRule> = {},
  ): void {
    this.merchant.force({ op, outcome, ...rule });
  }

  wait(delayMs: number): Promise<void> {
    return this.#time.sleep(delayMs);
  }

  newKey(): string {
    return randomUUID();
  }

  newInvoice(): string {
    return `order-${++this.#orders}`;
  }

  /** A payment for a new order with the vaulted card, unless the parts say otherwise. */
  payment(change: Partial<PaymentParts> = {}): Record<string, unknown> {
    return paymentBody({
      cardId: vaultedCard,
      transaction: { invoice_number: this.newInvoice() },
      ...change,
    });
  }

  card(customer: string, change: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
    return cardBody({ expire_year: 2099, external_customer_id: customer, ...change });
  }

  async newToken(): Promise<string> {
    const clientId = this.merchant.id;
    const reply = await this.#send('POST', tokenPath, {
      headers: {
        Authorization: basic({ clientId, secret: 'any' }),
        'Content-Type': formType,
      },
      body: tokenForm,
    });
    this.#token = bearer(reply.body).Authorization;
    return this.#token;
  }

  async ask(method: string, to: string, sent: Sent = {}): Promise<Reply> {
    const authorization = sent.token ?? this.#token ?? (await this.newToken());
    return this.#send(method, to, {
      ...sent,
      headers: {
        Authorization: authorization,
        'Content-Type': 'application/json',
        'PayPal-Request-Id': sent.key,
        ...sent.headers,
      },
    });
  }

  pay(body: object, sent: Sent = {}): Promise<Reply> {
    return this.ask('POST', '/v1/payments/payment', { ...sent, body });
  }

  store(body: object, sent: Sent = {}): Promise<Reply> {
    return this.ask('POST', '/v1/vault/credit-cards', { ...sent, body });
  }

  /** Reads the list of payments, as a client does after a lost answer. */
  look(): Promise<Reply> {
    return this.ask('GET', '/v1/payments/payment');
  }

  /** Pays correctly and returns the sale. */
  async sell(): Promise<Paid> {
    const belief = judgePayment((await this.pay(this.payment(), { key: this.newKey() })).body);
    if (belief?.state !== 'done') throw new Error('The sale that was to be prepared was not made.');
    return belief.record;
  }

  /** Stores a card correctly and returns its id. */
  async keep(customer: string, change: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const reply = await this.store(this.card(customer, change), { key: this.newKey() });
    const belief = judgeCard(reply.body);
    if (belief?.state !== 'done') throw new Error('The card that was to be prepared is not kept.');
    return belief.record;
  }

  async #send(method: string, to: string, sent: Sent): Promise<Reply> {
    const { body, deadlineMs = attemptMs } = sent;
    // Time passes for clients without a timeout, too.
    const alarm = this.#time.alarm(deadlineMs === 'none' ? forEverMs : deadlineMs);
    const headers = new Headers();
    for (const [name, value] of Object.entries(sent.headers ?? {})) {
      if (value !== undefined) headers.set(name, value);
    }
    try {
      const response = await fetch(new URL(to, this.#url), {
        method,
        headers,
        ...(deadlineMs === 'none' ? {} : { signal: alarm.signal }),
        // Bytes have no default type, so only an explicit Content-Type is sent.
        ...(body === undefined ? {} : { body: new TextEncoder().encode(written(body)) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    } catch {
      return { status: 0, headers: new Headers(), body: undefined };
    } finally {
      alarm.off();
    }
  }
}

function written(body: unknown): string {
  return typeof body === 'string' ? body : JSON.stringify(body);
}
