/** A client that plays steps and remembers the responses. */
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { PaymentOut } from '../../../src/contract/service/payments.ts';
import type { Reply, Request, Shop } from '../../support/transports.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { writeResponse } from './own-transport.ts';
import { currencies, type Currency, type Step } from './client-steps.ts';

/** Everything that simple walks need. */
export { allKinds, walks, type Step } from './client-steps.ts';
export { withTransport, runsFor } from './own-transport.ts';

/** What later steps need of a charge. */
export interface Charge {
  readonly id: string;
  readonly minor: number;
  readonly currency: Currency;
}

export interface Asked {
  readonly name: OperationName;
  readonly request: Request;
}

/** Plays steps as one merchant's client and keeps every response byte for byte. */
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

  /** The request of a step; `undefined` if it only lets time pass. */
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
        const { id, customer: own } = pick(this.cards, of.card) ?? unknownCard;
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
        const from = pick(this.held, of.held) ?? unknownCharge;
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
            params: { authorization_id: (pick(this.held, of.held) ?? unknownCharge).id },
            body: {},
          },
        };
      case 'refund': {
        const from = pick(this.taken, of.taken) ?? { ...unknownCharge, of: 'sale' };
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

  /** Plays one step. */
  async take(of: Step): Promise<Reply<unknown> | undefined> {
    if (of.ask === 'wait') this.shop.merchant.clock.advance(of.hours * 3_600_000);
    const asked = this.asked(of);
    if (asked === undefined) return undefined;
    const reply = await this.shop.send(asked.name, asked.request);
    this.transcript.push(writeResponse(reply));
    this.#learn(of, reply);
    return reply;
  }

  async walk(walk: readonly Step[]): Promise<this> {
    for (const of of walk) await this.take(of);
    return this;
  }

  #card({ card }: { readonly card: number }): { card_id: string } {
    return { card_id: (pick(this.cards, card) ?? unknownCard).id };
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

/** Replaces a missing choice by an unknown id. */
const unknownCharge: Charge = { id: 'NOT-THERE', minor: 100, currency: 'USD' };
const unknownCard = { id: unknownCharge.id, customer: undefined };

export function pick<T>(from: readonly T[], at: number): T | undefined {
  return from[at % from.length];
}

/**
 * Writes minor units in wire format. Repeated here so that tests do not depend on the tested code.
 */
export function decimal(minor: number, of: Currency): string {
  return of === 'JPY' ? `${minor}` : (minor / 100).toFixed(2);
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
