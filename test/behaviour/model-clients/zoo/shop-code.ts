/** What each client of the zoo is written with: one request over `fetch` or a new connection, and time that tests move. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { see, at } from '../../forcing/tolerant-client.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import type { Shop } from '../../../support/transports.ts';
import { MerchantClock } from '../reference/merchant-clock.ts';

/** What a client could read of an answer. */
export interface Answer {
  /** 0 if no complete answer arrived. */
  readonly status: number;
  /** The parsed body; `undefined` if it is not JSON. */
  readonly body: unknown;
  /** How long the answer asks to wait. */
  readonly waitMs: number;
}

/** A thing to pay for. */
export interface Order {
  readonly cardId: string;
  readonly customer?: string;
  readonly total?: string;
  readonly currency?: string;
  readonly invoice?: string;
  readonly custom?: string;
  readonly description?: string;
  readonly intent?: 'sale' | 'authorize';
}

export interface Sending {
  readonly body?: unknown;
  readonly key?: string;
  /** Sends it on a connection of its own, as another process or a client without keep-alive does. */
  readonly newConnection?: boolean;
}

const nothing: Answer = { status: 0, body: undefined, waitMs: 0 };

const deadlineMs = 20_000;

export const paymentPath = '/v1/payments/payment';
export const cardPath = '/v1/vault/credit-cards';

export class ShopCode {
  readonly shop: Shop;
  readonly #clock: MerchantClock;
  #token: string;
  #renewing: Promise<void> | undefined;
  #drawn = 0;
  /** Cards whose issuers said never to try them again. */
  readonly blockedCards = new Set<string>();

  constructor(shop: Shop) {
    this.shop = shop;
    this.#clock = new MerchantClock(shop.merchant);
    this.#token = shop.merchant.token;
  }

  /** A number in [0, 1), another one each time. */
  random(): number {
    this.#drawn = (this.#drawn + 0.618) % 1;
    return this.#drawn;
  }

  newKey(): string {
    return randomUUID();
  }

  /** Lets time pass. */
  wait(ms: number): Promise<void> {
    return this.#clock.sleep(ms);
  }

  /** Sends one request and never throws. It waits for an answer for at most twenty seconds. */
  async send(method: string, path: string, sending: Sending = {}): Promise<Answer> {
    const { shop } = this;
    const alarm = this.#clock.alarm(deadlineMs);
    try {
      if (sending.newConnection === true && shop.transport.name === 'socket') {
        return await this.#sendOnNewConnection(method, path, sending, alarm.signal);
      }
      const response = await shop.transport.fetch(shop.transport.base + path, {
        method,
        redirect: 'manual',
        headers: this.#headers(sending),
        signal: alarm.signal,
        ...(sending.body !== undefined && { body: JSON.stringify(sending.body) }),
      });
      const words = await response.text();
      const asked = response.headers.get('retry-after');
      return toAnswer(response.status, words, this.#waitMs(asked));
    } catch {
      return nothing;
    } finally {
      alarm.off();
    }
  }

  post(path: string, body: unknown, key?: string): Promise<Answer> {
    return this.send('POST', path, { body, ...(key !== undefined && { key }) });
  }

  get(path: string): Promise<Answer> {
    return this.send('GET', path);
  }

  /** Sends the payment of an order once. */
  pay(order: Order, key?: string): Promise<Answer> {
    return this.post(paymentPath, bodyOf(order), key);
  }

  /** Gets a new token, as after a 401: one request, however many calls wait for it. */
  renewToken(): Promise<void> {
    this.#renewing ??= this.requestToken().then(() => {
      this.#renewing = undefined;
    });
    return this.#renewing;
  }

  /** Requests a token, whether or not another request for one is under way. */
  async requestToken(): Promise<'received' | 'refused' | 'unknown'> {
    const alarm = this.#clock.alarm(deadlineMs);
    const body = 'grant_type=client_credentials';
    const answer = await see(this.shop, 'token.create', { body, signal: alarm.signal });
    alarm.off();
    const token = at(parsed(answer.text), 'access_token');
    if (typeof token === 'string') this.#token = token;
    const isRefused = answer.status === 400 || answer.status === 401;
    return typeof token === 'string' ? 'received' : isRefused ? 'refused' : 'unknown';
  }

  /** Stores the card of a customer, and returns its id. For clients to which nothing happens meanwhile. */
  async card(customer?: string, change: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const owner = customer === undefined ? {} : { external_customer_id: customer };
    const answer = await this.post(cardPath, cardBody({ ...owner, ...change }), this.newKey());
    return idIn(answer);
  }

  #headers({ body, key }: Sending): Record<string, string> {
    return {
      Authorization: `Bearer ${this.#token}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(key !== undefined && { 'PayPal-Request-Id': key }),
    };
  }

  #waitMs(asked: string | null): number {
    if (asked === null) return 0;
    const seconds = Number(asked);
    const waitMs = Number.isNaN(seconds) ? Date.parse(asked) - this.#clock.nowMs() : seconds * 1000;
    return Number.isNaN(waitMs) ? 0 : Math.max(0, waitMs);
  }

  async #sendOnNewConnection(
    method: string,
    path: string,
    sending: Sending,
    signal: AbortSignal,
  ): Promise<Answer> {
    const sent = request(this.shop.transport.base + path, {
      method,
      agent: false,
      headers: this.#headers(sending),
      signal,
    });
    sent.end(sending.body === undefined ? undefined : JSON.stringify(sending.body));
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const words = await text(answer);
    // `fetch` would fail to decode it.
    if (answer.headers['content-encoding'] !== undefined) return nothing;
    return toAnswer(
      answer.statusCode ?? 0,
      words,
      this.#waitMs(answer.headers['retry-after'] ?? null),
    );
  }
}

/** The body of a payment for an order. */
export function bodyOf({
  cardId,
  customer,
  invoice,
  custom,
  description,
  ...parts
}: Order): unknown {
  return paymentBody({
    cardId,
    ...parts,
    ...(customer !== undefined && { externalCustomerId: customer }),
    transaction: {
      ...(invoice !== undefined && { invoice_number: invoice }),
      ...(custom !== undefined && { custom }),
      ...(description !== undefined && { description }),
    },
  });
}

function toAnswer(status: number, words: string, waitMs: number): Answer {
  return { status, body: parsed(words), waitMs };
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return undefined;
  }
}

/** A text in a body; empty if it is missing. */
export function textAt(body: unknown, ...path: readonly (string | number)[]): string {
  const found = at(body, ...path);
  return typeof found === 'string' ? found : '';
}

export function idIn({ body }: Answer): string {
  return textAt(body, 'id');
}

/** The sale, authorization, capture or refund that an answer with a payment shows first. */
export function partIn({ body }: Pick<Answer, 'body'>): {
  readonly id: string;
  readonly state: string;
} {
  const related = at(body, 'transactions', 0, 'related_resources', 0);
  const part = at(related, 'sale') ?? at(related, 'authorization');
  return { id: textAt(part, 'id'), state: textAt(part, 'state') };
}
