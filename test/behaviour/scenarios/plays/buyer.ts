/** A shop's own program: it pays, repeats what it does not know, and remembers what it learnt. */
import type { OperationName } from '../../../../src/contract/service/operations.ts';
import type { Shop } from '../../../support/transports.ts';
import { cardBody, paymentBody, type PaymentParts } from '../../../support/samples.ts';
import { at, see, type Call, type Seen } from '../../forcing/tolerant-client.ts';

/** What a client makes of an answer: it worked, it did not, or nobody knows. */
export type Verdict = 'done' | 'refused' | 'unknown';

export interface Try extends Seen {
  readonly body: unknown;
  readonly verdict: Verdict;
}

/** One order of the shop. */
export interface Order extends Omit<PaymentParts, 'transaction'> {
  /** What the shop calls it; it goes along as the description, and as `custom`. */
  readonly name: string;
  readonly invoice?: string;
}

/** How often a good client tries before it leaves a request to a person. */
const mostTries = 10;
/** As many in a row do no harm; the next one comes much later. */
const mostInRow = 5;
const laterMs = 300_000;

export class Buyer {
  readonly shop: Shop;
  /** Sends this token; its merchant's own unless it got one. */
  token: string | undefined;
  /** Orders the buyer takes for paid. */
  readonly paid = new Set<string>();

  constructor(shop: Shop) {
    this.shop = shop;
  }

  /** The id of a card that the scenario has put into the vault. */
  given(ref: string): string {
    const id = new Map(this.shop.merchant.export().givenCards).get(ref);
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

  /** Sends a request, the very same again and again, until it knows; gives every try. */
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

  /** Pays an order once. It is paid when its sale is completed, and not before. */
  async pay(order: Order, requestId?: string): Promise<Try> {
    const headers = requestId === undefined ? {} : { 'PayPal-Request-Id': requestId };
    const one = await this.send('payment.create', { body: orderBody(order), headers });
    this.#learn(order, one);
    return one;
  }

  /** Pays an order, with one request id for all tries. */
  async buy(order: Order): Promise<Try[]> {
    const tries = await this.persist('payment.create', { body: orderBody(order) }, order.name);
    this.#learn(order, tries.at(-1));
    return tries;
  }

  #learn({ name }: Order, last: Try | undefined): void {
    if (saleIn(last?.body)?.state === 'completed') this.paid.add(name);
  }

  /** Stores a card until it knows that it is stored; gives its id. */
  async store(change: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const tries = await this.persist('card.create', { body: cardBody(change) }, 'store');
    return String(at(tries.at(-1)?.body, 'id'));
  }

  read(operation: 'card.get' | 'payment.get' | 'sale.get', path: string): Promise<Try> {
    return this.send(operation, { path });
  }
}

/** The sale in a payment, as far as the client can read it. */
export function saleIn(
  payment: unknown,
): { readonly id: string; readonly state: string } | undefined {
  const sale = at(payment, 'transactions', 0, 'related_resources', 0, 'sale');
  return sale === undefined
    ? undefined
    : { id: String(at(sale, 'id')), state: String(at(sale, 'state')) };
}

/** What a client got, try by try: a status, or what broke. */
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
