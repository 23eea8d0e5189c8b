/** A shop whose code does what it is told, so that each bad client is nothing but its habit. */
import { randomUUID } from 'node:crypto';
import type { ForcedRule, Merchant } from '../../../../src/index.ts';
import { cardBody, paymentBody, type PaymentParts } from '../../../support/samples.ts';
import { vaultedCard } from '../reference/reference-shop.ts';
import { MerchantTime } from '../reference/merchant-clock.ts';
import { judgeCard, judgePayment, type Paid } from '../reference/records.ts';
import { attemptMs } from '../reference/surroundings.ts';
import { basic, bearer, formType, tokenForm, tokenPath } from '../setups/checkout.ts';

export interface Sent {
  readonly body?: unknown;
  readonly key?: string;
  /** Added to the usual ones, or taken away. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** A bearer token in place of the one that is kept. */
  readonly token?: string;
  /** `none` waits for ever. */
  readonly deadlineMs?: number | 'none';
}

/** What came back; a status of 0 where nothing did that can be read. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
}

/** As long as the sandbox holds a line that nobody leaves. */
const forEverMs = 60_000;

export class CornerShop {
  readonly merchant: Merchant;
  readonly #url: string;
  readonly #time: MerchantTime;
  #token: string | undefined;
  #orders = 1041;

  /** The merchant's clock must stand still. */
  constructor(merchant: Merchant, url: string) {
    this.merchant = merchant;
    this.#url = url;
    this.#time = new MerchantTime(merchant);
  }

  /** Arms what the habit shows itself on. */
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

  /** A payment for an order of its own with the card in the vault, unless it says otherwise. */
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

  /** Looks what became of its payments, as one does whose answer was lost. */
  look(): Promise<Reply> {
    return this.ask('GET', '/v1/payments/payment');
  }

  /** Pays as one should, and gives the sale. */
  async sell(): Promise<Paid> {
    const belief = judgePayment((await this.pay(this.payment(), { key: this.newKey() })).body);
    if (belief?.state !== 'done') throw new Error('The sale that was to be prepared was not made.');
    return belief.record;
  }

  /** Stores a card as one should, and gives its id. */
  async keep(customer: string, change: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const reply = await this.store(this.card(customer, change), { key: this.newKey() });
    const belief = judgeCard(reply.body);
    if (belief?.state !== 'done') throw new Error('The card that was to be prepared is not kept.');
    return belief.record;
  }

  async #send(method: string, to: string, sent: Sent): Promise<Reply> {
    const { body, deadlineMs = attemptMs } = sent;
    // Time passes for whoever has no deadline as well.
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
        // Bytes have no type of their own, so the only Content-Type is the one that is said.
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
