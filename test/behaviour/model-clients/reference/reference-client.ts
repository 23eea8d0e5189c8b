/** A correct client: one request id for each intent, limited retries, and a read before it gives up. */
import { carryOut, type Belief } from './carry-out.ts';
import {
  CardPage,
  judgeCard,
  judgeMade,
  judgePayment,
  judgeVoid,
  madeWithin,
  PaymentPage,
  type Paid,
} from './records.ts';
import { Service } from './service.ts';
import type { Surroundings } from './surroundings.ts';

export interface Order {
  /** The order number: it names the intent and also prevents a second payment. */
  readonly invoice: string;
  readonly cardId: string;
  readonly customer?: string;
  readonly total: string;
  readonly currency: string;
}

export interface NewCard {
  readonly customer: string;
  readonly number: string;
  readonly type: string;
  readonly expireMonth: number;
  readonly expireYear: number;
  readonly cvv: string;
}

export interface Amount {
  readonly total: string;
  readonly currency: string;
}

/** Refusals that show that an earlier call paid the order. */
const paidBefore: readonly string[] = ['DUPLICATE_TRANSACTION', 'PAYMENT_ALREADY_DONE'];

/** Lists start with the newest record, so a few pages are enough. */
const maxPages = 10;

export class ReferenceClient {
  readonly #surroundings: Surroundings;
  readonly #service: Service;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#service = new Service(surroundings);
  }

  pay(order: Order): Promise<Belief<Paid>> {
    return this.#payWith('sale', order);
  }

  authorize(order: Order): Promise<Belief<Paid>> {
    return this.#payWith('authorize', order);
  }

  /** Reads a payment again that was pending or unknown. */
  async recheck(order: Order): Promise<Belief<Paid>> {
    return (await this.#findPayment(order)) ?? { state: 'unknown', why: 'It is not found.' };
  }

  store(card: NewCard): Promise<Belief<string>> {
    const { customer, number, type, expireMonth, expireYear, cvv } = card;
    const last4 = number.slice(-4);
    return carryOut(this.#surroundings, this.#service, {
      intent: `store ${customer} ${last4} ${expireMonth}/${expireYear}`,
      method: 'POST',
      to: '/v1/vault/credit-cards',
      body: {
        number,
        type,
        expire_month: expireMonth,
        expire_year: expireYear,
        cvv2: cvv,
        external_customer_id: customer,
      },
      judge: judgeCard,
      find: () => this.#findCard(card),
    });
  }

  /** Deletes a card. A missing card counts as deleted. */
  remove(cardId: string): Promise<Belief<string>> {
    const to = `/v1/vault/credit-cards/${cardId}`;
    return carryOut(this.#surroundings, this.#service, {
      intent: `remove ${cardId}`,
      method: 'DELETE',
      to,
      judge: (body) => (body === null ? { state: 'done', record: cardId } : undefined),
      find: async () => {
        const answer = await this.#service.ask({ method: 'GET', to });
        return answer.kind === 'refused' && answer.status === 404
          ? { state: 'done', record: cardId }
          : undefined;
      },
      wasDone: (status) => status === 404,
    });
  }

  refund(sale: Paid, invoice: string, amount: Amount): Promise<Belief<string>> {
    return carryOut(this.#surroundings, this.#service, {
      intent: `refund ${invoice}`,
      method: 'POST',
      to: linkOf(sale, 'refund') ?? `/v1/payments/sale/${sale.id}/refund`,
      body: { amount, invoice_number: invoice },
      judge: (body) => judgeMade('refund', body),
      find: () => this.#findWithin('refund', sale, invoice),
      wasDone: (_status, name) => name === 'TRANSACTION_ALREADY_REFUNDED',
    });
  }

  capture(authorization: Paid, invoice: string, amount: Amount): Promise<Belief<string>> {
    return carryOut(this.#surroundings, this.#service, {
      intent: `capture ${invoice}`,
      method: 'POST',
      to:
        linkOf(authorization, 'capture') ??
        `/v1/payments/authorization/${authorization.id}/capture`,
      body: { amount, invoice_number: invoice, is_final_capture: true },
      judge: (body) => judgeMade('capture', body),
      find: () => this.#findWithin('capture', authorization, invoice),
    });
  }

  void(authorization: Paid): Promise<Belief<string>> {
    return carryOut(this.#surroundings, this.#service, {
      intent: `void ${authorization.id}`,
      method: 'POST',
      to: linkOf(authorization, 'void') ?? `/v1/payments/authorization/${authorization.id}/void`,
      body: {},
      judge: judgeVoid,
      find: async () =>
        judgeVoid(
          await this.#service.read(
            linkOf(authorization, 'self') ?? `/v1/payments/authorization/${authorization.id}`,
          ),
        ),
    });
  }

  #payWith(intent: 'sale' | 'authorize', order: Order): Promise<Belief<Paid>> {
    const { invoice, cardId, customer, total, currency } = order;
    return carryOut(this.#surroundings, this.#service, {
      intent: `pay ${invoice}`,
      method: 'POST',
      to: '/v1/payments/payment',
      body: {
        intent,
        payer: {
          payment_method: 'credit_card',
          funding_instruments: [
            {
              credit_card_token: {
                credit_card_id: cardId,
                ...(customer === undefined ? {} : { external_customer_id: customer }),
              },
            },
          ],
        },
        transactions: [{ amount: { total, currency }, invoice_number: invoice }],
      },
      judge: judgePayment,
      find: () => this.#findPayment(order),
      wasDone: (_status, name) => paidBefore.includes(name),
    });
  }

  /** A payment that is missing from a list may still exist, because the list may be stale. */
  async #findPayment(order: Order): Promise<Belief<Paid> | undefined> {
    let to = '/v1/payments/payment?count=20';
    for (let pages = 0; pages < maxPages; pages++) {
      const page = PaymentPage.safeParse(await this.#service.read(to));
      if (!page.success) return undefined;
      const found = page.data.payments?.find(({ transactions }) =>
        transactions.some(
          ({ invoice_number, amount }) =>
            invoice_number === order.invoice &&
            amount.total === order.total &&
            amount.currency === order.currency,
        ),
      );
      if (found !== undefined) return judgePayment(found);
      const next = page.data.next_id;
      if (next === undefined || next === null) return undefined;
      to = `/v1/payments/payment?count=20&start_id=${encodeURIComponent(next)}`;
    }
    return undefined;
  }

  async #findCard(card: NewCard): Promise<Belief<string> | undefined> {
    const { customer, number, expireMonth, expireYear } = card;
    let to: string | undefined =
      `/v1/vault/credit-cards?external_customer_id=${encodeURIComponent(customer)}`;
    for (let pages = 0; pages < maxPages && to !== undefined; pages++) {
      const page = CardPage.safeParse(await this.#service.read(to));
      if (!page.success) return undefined;
      const found = page.data.items.find(
        (one) =>
          one.number.endsWith(number.slice(-4)) &&
          one.expire_month === expireMonth &&
          one.expire_year === expireYear,
      );
      if (found !== undefined) return { state: 'done', record: found.id };
      to = page.data.links.find(({ rel }) => rel === 'next_page' || rel === 'next')?.href;
    }
    return undefined;
  }

  async #findWithin(
    kind: 'capture' | 'refund',
    paid: Paid,
    invoice: string,
  ): Promise<Belief<string> | undefined> {
    const payment = await this.#service.read(
      linkOf(paid, 'parent_payment') ?? `/v1/payments/payment/${paid.paymentId}`,
    );
    return madeWithin(kind, payment, invoice);
  }
}

function linkOf({ links }: Paid, rel: string): string | undefined {
  return links.find((link) => link.rel === rel)?.href;
}
