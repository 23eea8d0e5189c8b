/** A shop's own program: it pays, repeats what it does not know, and remembers what it learnt. */
import type { OperationName } from '../../../../src/contract/service/operation-name.ts';
import type { Shop } from '../../../support/transports.ts';
import { cardBody, paymentBody, type PaymentParts } from '../../../support/samples.ts';
import { at, see, type Call, type Seen } from '../../forcing/tolerant-client.ts';
import { worldDocumentOf } from '../../../support/worlds/world-document.ts';

/** What a client concludes from a response: success, failure or unknown. */
export type Verdict = 'done' | 'refused' | 'unknown';

export interface Try extends Seen {
  readonly body: unknown;
  readonly verdict: Verdict;
}

/** One order of the shop. */
export interface Order extends Omit<PaymentParts, 'transaction'> {
  /** The name of the order. It is sent as the description and as `custom`. */
  readonly name: string;
  readonly invoice?: string;
}

/** How often a good client tries before it forwards a request to a person. */
const mostTries = 10;
/** So many attempts in a row are acceptable. The next one comes much later. */
const mostInRow = 5;
const laterMs = 300_000;

export class Buyer {
  readonly shop: Shop;
  /** The token to send. Default: the token of the merchant. */
  token: string | undefined;
  /** Orders that the buyer considers as paid. */
  readonly paid = new Set<string>();

  constructor(shop: Shop) {
    this.shop = shop;
  }

  /** Returns the id of a given card. */
  given(ref: string): string {
    const id = new Map(worldDocumentOf(this.shop.merchant).givenCards).get(ref);
    if (id === undefined) throw new Error(`The scenario gives no card ${ref}.`);
    return id;
  }

  /** Sends a request once. */
  async send(operation: OperationName, call: Call): Promise<Try> {
    const authorization =
      this.token === undefined || operation === 'token.create'
        ? {}
        : { authorization: `Bearer ${this.token}` };
    const seen = await see(this.shop, operation, { ...authorization, ...call });
    const body = parsed(seen);
    return { ...seen, body, verdict: verdictOf(seen, body) };
  }

  /** Repeats a request until its result is known, and returns every attempt. */
  async persist(operation: OperationName, call: Call, requestId?: string): Promise<Try[]> {
    const headers = requestId === undefined ? {} : { 'PayPal-Request-Id': requestId };
    const tries: Try[] = [];
    while (tries.length < mostTries) {
      const one = await this.send(operation, { ...call, headers });
      tries.push(one);
      if (one.verdict !== 'unknown') break;
      if (tries.length % mostInRow === 0) this.shop.merchant.clock.advance(laterMs);
    }
    return tries;
  }

  /** Pays an order once. It is paid only when its sale is completed. */
  async pay(order: Order, requestId?: string): Promise<Try> {
    const headers = requestId === undefined ? {} : { 'PayPal-Request-Id': requestId };
    const one = await this.send('payment.create', { body: orderBody(order), headers });
    this.#learn(order, one);
    return one;
  }

  /** Pays an order with one request id for all attempts. */
  async buy(order: Order): Promise<Try[]> {
    const tries = await this.persist('payment.create', { body: orderBody(order) }, order.name);
    this.#learn(order, tries.at(-1));
    return tries;
  }

  #learn({ name }: Order, last: Try | undefined): void {
    if (saleIn(last?.body)?.state === 'completed') this.paid.add(name);
  }

  /** Stores a card, with retries until the result is known, and returns its id. */
  async store(change: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const tries = await this.persist('card.create', { body: cardBody(change) }, 'store');
    return String(at(tries.at(-1)?.body, 'id'));
  }

  read(operation: 'card.get' | 'payment.get' | 'sale.get', path: string): Promise<Try> {
    return this.send(operation, { path });
  }
}

/** The sale in a payment, if the client can read it. */
export function saleIn(
  payment: unknown,
): { readonly id: string; readonly state: string } | undefined {
  const sale = at(payment, 'transactions', 0, 'related_resources', 0, 'sale');
  return sale === undefined
    ? undefined
    : { id: String(at(sale, 'id')), state: String(at(sale, 'state')) };
}

/** The result of each attempt: a status or an error code. */
export function heard(tries: readonly Try[]): (number | string | undefined)[] {
  return tries.map(({ status, broke }) => broke ?? status);
}

/** The request to pay for an order. */
export function orderBody({ name, invoice, ...parts }: Order): object {
  const transaction = {
    description: name,
    custom: name,
    ...(invoice === undefined ? {} : { invoice_number: invoice }),
  };
  return paymentBody({ ...parts, transaction });
}

function parsed({ text }: Seen): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function verdictOf({ status, broke }: Seen, body: unknown): Verdict {
  if (status === 204) return 'done';
  if (status === undefined || broke !== undefined || typeof body !== 'object') return 'unknown';
  if (status >= 500 || [401, 409, 429].includes(status)) return 'unknown';
  return status < 300 ? 'done' : 'refused';
}
