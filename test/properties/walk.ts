/** Random walks: what one merchant's client may ask, in any order, and what it remembers of the answers. */
import fc from 'fast-check';
import type { OperationName } from '../../src/contract/operations.ts';
import { PaymentOut } from '../../src/contract/payments.ts';
import { Door, type DoorName, type Reply, type Request, type Shop } from '../support/doors.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../support/samples.ts';
import type { SandboxOptions } from '../../src/index.ts';

export const currencies = ['USD', 'EUR', 'JPY'] as const;
export type Currency = (typeof currencies)[number];

/** One thing a client does. Numbers such as `card` choose among what it knows by then, counted around. */
export type Step =
  | { readonly ask: 'store'; readonly customer: string | undefined }
  | { readonly ask: 'remove' | 'revise' | 'look'; readonly card: number }
  | {
      readonly ask: 'pay';
      readonly card: number;
      /** Which customer id goes along: that of the card, none, or another's. */
      readonly customer: 'own' | 'none' | 'other';
      readonly intent: 'sale' | 'authorize';
      readonly minor: number;
      readonly currency: Currency;
    }
  | { readonly ask: 'payRaw'; readonly minor: number; readonly currency: Currency }
  | {
      readonly ask: 'capture';
      readonly held: number;
      readonly percent: number;
      readonly isFinal: boolean;
      readonly currency: Currency | undefined;
    }
  | { readonly ask: 'void'; readonly held: number }
  | {
      readonly ask: 'refund';
      readonly taken: number;
      /** Absent for a full refund. */
      readonly percent: number | undefined;
      readonly currency: Currency | undefined;
    }
  | { readonly ask: 'list' | 'token' }
  | { readonly ask: 'wait'; readonly hours: number };

/** What of a charge a later step needs. */
export interface Charge {
  readonly id: string;
  readonly minor: number;
  readonly currency: Currency;
}

export interface Asked {
  readonly name: OperationName;
  readonly request: Request;
}

const which = fc.nat({ max: 5 });
const minor = fc.integer({ min: 1, max: 40_000 });
const customer = fc.constantFrom(undefined, 'ann', 'bob');
const currency = fc.constantFrom(...currencies);
const rarely = <T>(odd: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(undefined), weight: 11 }, { arbitrary: odd, weight: 1 });
const percent = fc.oneof(
  fc.constantFrom(1, 30, 50, 85, 100, 115, 116),
  fc.integer({ min: 0, max: 130 }),
);

function step<A extends Step['ask'], T extends object>(
  ask: A,
  rest: { [K in keyof T]: fc.Arbitrary<T[K]> },
): fc.Arbitrary<T & { readonly ask: A }> {
  return fc.record(rest).map((fields) => ({ ...(fields as T), ask }));
}

const steps: Readonly<Record<Step['ask'], fc.Arbitrary<Step>>> = {
  store: step('store', { customer }),
  remove: step('remove', { card: which }),
  revise: step('revise', { card: which }),
  look: step('look', { card: which }),
  pay: step('pay', {
    card: which,
    customer: rarely(fc.constantFrom('none' as const, 'other' as const)).map((odd) => odd ?? 'own'),
    intent: fc.constantFrom('sale' as const, 'authorize' as const),
    minor,
    currency,
  }),
  payRaw: step('payRaw', { minor, currency }),
  capture: step('capture', {
    held: which,
    percent,
    isFinal: fc.boolean(),
    currency: rarely(currency),
  }),
  void: step('void', { held: which }),
  refund: step('refund', {
    taken: which,
    percent: fc.option(percent, { nil: undefined, freq: 3 }),
    currency: rarely(currency),
  }),
  list: fc.constant({ ask: 'list' }),
  token: fc.constant({ ask: 'token' }),
  // An hour to most of a year: over the ends of authorizations (29 days) and refunds (180 days).
  wait: step('wait', { hours: fc.constantFrom(1, 29 * 24, 60 * 24, 180 * 24) }),
};

/** How every walk begins, so that it has something to choose from. */
const beginning: readonly Step[] = [
  { ask: 'store', customer: undefined },
  { ask: 'store', customer: 'ann' },
  { ask: 'pay', card: 0, customer: 'own', intent: 'sale', minor: 10_000, currency: 'USD' },
  { ask: 'pay', card: 1, customer: 'own', intent: 'authorize', minor: 7000, currency: 'JPY' },
];

/** A walk of up to `maxLength` steps after its beginning; each kind is drawn as often as its weight says. */
export function walks(
  maxLength: number,
  weights: Readonly<Partial<Record<Step['ask'], number>>>,
): fc.Arbitrary<readonly Step[]> {
  const drawn = Object.entries(weights).map(([ask, weight]) => ({
    // The keys of `weights` are kinds of steps; the library type of Object.entries forgets it.
    arbitrary: steps[ask as Step['ask']],
    weight,
  }));
  return fc
    .array(fc.oneof(...drawn), { maxLength, size: 'max' })
    .map((walk) => [...beginning, ...walk]);
}

/** Every kind of step, with those that make something coming more often. */
export const allKinds = {
  store: 4,
  remove: 1,
  revise: 1,
  look: 2,
  pay: 5,
  payRaw: 1,
  capture: 3,
  void: 1,
  refund: 4,
  list: 1,
  token: 1,
  wait: 1,
} as const;

/** Walks as one merchant's client, and keeps every answer to the byte. */
export class Walker {
  readonly shop: Shop;
  readonly cards: { readonly id: string; readonly customer: string | undefined }[] = [];
  readonly payments: string[] = [];
  readonly held: Charge[] = [];
  readonly taken: (Charge & { readonly of: 'sale' | 'capture' })[] = [];
  readonly refunds: string[] = [];
  readonly transcript: string[] = [];

  constructor(shop: Shop) {
    this.shop = shop;
  }

  /** What a step sends; `undefined` for one that only lets time pass. */
  asked(of: Step): Asked | undefined {
    switch (of.ask) {
      case 'store':
        return {
          name: 'card.create',
          request: { body: cardBody({ external_customer_id: of.customer, expire_year: 2099 }) },
        };
      case 'remove':
        return { name: 'card.delete', request: { params: this.#card(of) } };
      case 'look':
        return { name: 'card.get', request: { params: this.#card(of) } };
      case 'revise':
        return {
          name: 'card.update',
          request: {
            params: this.#card(of),
            body: [{ op: 'add', path: '/first_name', value: 'Grace' }],
          },
        };
      case 'pay': {
        const { id, customer: own } = pick(this.cards, of.card) ?? nobody;
        const sent = { own, none: undefined, other: `not ${own ?? 'anybody'}` }[of.customer];
        return {
          name: 'payment.create',
          request: {
            body: paymentBody({
              cardId: id,
              total: decimal(of.minor, of.currency),
              currency: of.currency,
              intent: of.intent,
              ...(sent === undefined ? {} : { externalCustomerId: sent }),
            }),
          },
        };
      }
      case 'payRaw':
        return {
          name: 'payment.create',
          request: {
            body: rawPaymentBody(
              { expire_year: 2099 },
              { total: decimal(of.minor, of.currency), currency: of.currency },
            ),
          },
        };
      case 'capture': {
        const from = pick(this.held, of.held) ?? nothing;
        return {
          name: 'auth.capture',
          request: {
            params: { authorization_id: from.id },
            body: {
              amount: share(from, of.percent, of.currency),
              is_final_capture: of.isFinal,
            },
          },
        };
      }
      case 'void':
        return {
          name: 'auth.void',
          request: {
            params: { authorization_id: (pick(this.held, of.held) ?? nothing).id },
            body: {},
          },
        };
      case 'refund': {
        const from = pick(this.taken, of.taken) ?? { ...nothing, of: 'sale' };
        const body =
          of.percent === undefined ? {} : { amount: share(from, of.percent, of.currency) };
        return from.of === 'sale'
          ? { name: 'sale.refund', request: { params: { sale_id: from.id }, body } }
          : { name: 'capture.refund', request: { params: { capture_id: from.id }, body } };
      }
      case 'list':
        return { name: 'card.list', request: { query: { page_size: '3', sort_order: 'desc' } } };
      case 'token':
        return { name: 'token.create', request: { body: 'grant_type=client_credentials' } };
      case 'wait':
        return undefined;
    }
  }

  /** Does one step. */
  async take(of: Step): Promise<Reply<unknown> | undefined> {
    if (of.ask === 'wait') this.shop.merchant.clock.advance(of.hours * 3_600_000);
    const asked = this.asked(of);
    if (asked === undefined) return undefined;
    const reply = await this.shop.send(asked.name, asked.request);
    this.transcript.push(written(reply));
    this.#learn(of, reply);
    return reply;
  }

  async walk(walk: readonly Step[]): Promise<this> {
    for (const of of walk) await this.take(of);
    return this;
  }

  #card({ card }: { readonly card: number }): { card_id: string } {
    return { card_id: (pick(this.cards, card) ?? nobody).id };
  }

  #learn(of: Step, { status, body }: Reply<unknown>): void {
    if (status !== 200 && status !== 201) return;
    if (of.ask === 'store') this.cards.push({ id: member(body, 'id'), customer: of.customer });
    if (of.ask === 'refund') this.refunds.push(member(body, 'id'));
    if (of.ask === 'capture') this.taken.push({ ...chargeOf(body), of: 'capture' });
    if (of.ask === 'pay' || of.ask === 'payRaw') {
      const payment = PaymentOut.parse(body);
      this.payments.push(payment.id);
      for (const related of payment.transactions[0]?.related_resources ?? []) {
        if ('sale' in related) this.taken.push({ ...chargeOf(related.sale), of: 'sale' });
        if ('authorization' in related) this.held.push(chargeOf(related.authorization));
      }
    }
  }
}

/** Stand in where a walk has nothing to choose from: an id that nobody has. */
const nothing: Charge = { id: 'NOT-THERE', minor: 100, currency: 'USD' };
const nobody = { id: nothing.id, customer: undefined };

export function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % from.length];
}

/** Minor units as the wire writes them; told here once more, so that the tests do not lean on the code they test. */
export function decimal(minorUnits: number, of: Currency): string {
  return of === 'JPY' ? `${minorUnits}` : (minorUnits / 100).toFixed(2);
}

export function minorUnits(total: string, of: Currency): number {
  return of === 'JPY' ? Number(total) : Math.round(Number(total) * 100);
}

export function shareMinor(of: Charge, percentOf: number): number {
  return Math.floor((of.minor * percentOf) / 100);
}

function share(of: Charge, percentOf: number, other: Currency | undefined) {
  const used = other ?? of.currency;
  return { total: decimal(shareMinor(of, percentOf), used), currency: used };
}

function chargeOf(body: unknown): Charge {
  const amount: unknown = Reflect.get(Object(body), 'amount');
  const used = currencies.find((one) => one === member(amount, 'currency')) ?? 'USD';
  return {
    id: member(body, 'id'),
    minor: minorUnits(member(amount, 'total'), used),
    currency: used,
  };
}

function member(body: unknown, name: string): string {
  return String(Reflect.get(Object(body), name));
}

/** What the connection adds, whatever is answered. */
const hopByHop = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

/** An answer to the byte, without what the connection adds. */
export function written({ status, headers, text }: Reply<unknown>): string {
  const lines = [...headers].filter(([name]) => !hopByHop.has(name)).map((pair) => pair.join(': '));
  return [status, ...lines, '', text].join('\n');
}

/** Opens a door of its own for the time of one use. */
export async function atDoor<T>(
  name: DoorName,
  options: SandboxOptions,
  use: (door: Door) => Promise<T>,
): Promise<T> {
  const door = new Door(name, options);
  await door.open();
  try {
    return await use(door);
  } finally {
    await door.close();
  }
}

/** Sockets are slower, so they are tried less often. */
export function runsAt(door: DoorName, inProcess: number): { readonly numRuns: number } {
  return { numRuns: door === 'socket' ? Math.ceil(inProcess / 5) : inProcess };
}
