/** Records in Maps, shown as the service shows them. */
import { randomUUID } from 'node:crypto';
import type { z } from '@hono/zod-openapi';
import type { PaymentIn } from '../../../src/contract/service/payment-input.ts';
import type { RefundIn } from '../../../src/contract/service/sales.ts';
import type { CardIn } from '../../../src/contract/service/vault.ts';

type CardBody = z.output<typeof CardIn>;

interface Kept<T> {
  readonly id: string;
  readonly at: string;
  readonly body: T;
}

interface Payment extends Kept<z.output<typeof PaymentIn>> {
  readonly saleId: string;
  readonly last4: string;
}

const pageSize = 10;

export class FloorBooks {
  readonly #cards = new Map<string, Kept<CardBody>>();
  readonly #order: Kept<CardBody>[] = [];
  readonly #payments = new Map<string, Payment>();
  readonly #sales = new Map<string, Payment>();
  readonly #refunds = new Map<string, Kept<z.output<typeof RefundIn>>>();

  storeCard(body: CardBody, base: string): object {
    // The number and the code are not kept, as nowhere.
    const number = `xxxxxxxxxxxx${body.number.slice(-4)}`;
    const card = { id: newId('CARD'), at: now(), body: { ...body, number, cvv2: undefined } };
    this.#cards.set(card.id, card);
    this.#order.push(card);
    return cardView(card, base);
  }

  card(id: string, base: string): object | undefined {
    const card = this.#cards.get(id);
    return card && cardView(card, base);
  }

  page(base: string): object {
    return {
      items: this.#order.slice(0, pageSize).map((card) => cardView(card, base)),
      total_items: this.#order.length,
      total_pages: Math.ceil(this.#order.length / pageSize),
      links: [
        link(`${base}/v1/vault/credit-cards?page_size=10&page=1`, 'self', 'GET'),
        link(`${base}/v1/vault/credit-cards?page_size=10&page=2&after=a`, 'next', 'GET'),
      ],
    };
  }

  pay(body: z.output<typeof PaymentIn>, base: string): object | undefined {
    const token = body.payer.funding_instruments[0]?.credit_card_token;
    const card = this.#cards.get(token?.credit_card_id ?? '');
    if (card === undefined) return undefined;
    const last4 = card.body.number.slice(-4);
    const payment = { id: newId('PAY'), at: now(), body, saleId: newId(''), last4 };
    this.#payments.set(payment.id, payment);
    this.#sales.set(payment.saleId, payment);
    return paymentView(payment, card.body, base);
  }

  refund(saleId: string, body: z.output<typeof RefundIn>, base: string): object | undefined {
    const payment = this.#sales.get(saleId);
    if (payment === undefined) return undefined;
    const refund = { id: newId(''), at: now(), body };
    this.#refunds.set(refund.id, refund);
    return {
      id: refund.id,
      create_time: refund.at,
      update_time: refund.at,
      state: 'completed',
      amount: body.amount,
      sale_id: saleId,
      parent_payment: payment.id,
      links: [
        link(`${base}/v1/payments/refund/${refund.id}`, 'self', 'GET'),
        link(`${base}/v1/payments/payment/${payment.id}`, 'parent_payment', 'GET'),
        link(`${base}/v1/payments/sale/${saleId}`, 'sale', 'GET'),
      ],
    };
  }
}

function cardView({ id, at, body }: Kept<CardBody>, base: string): object {
  const self = `${base}/v1/vault/credit-card/${id}`;
  return {
    id,
    state: 'ok',
    external_customer_id: body.external_customer_id,
    merchant_id: body.merchant_id,
    type: body.type,
    number: body.number,
    expire_month: body.expire_month,
    expire_year: body.expire_year,
    first_name: body.first_name,
    last_name: body.last_name,
    billing_address: body.billing_address,
    valid_until: at,
    create_time: at,
    update_time: at,
    links: [
      link(self, 'self', 'GET'),
      link(self, 'delete', 'DELETE'),
      link(self, 'patch', 'PATCH'),
    ],
  };
}

function paymentView({ id, at, body, saleId, last4 }: Payment, card: CardBody, base: string) {
  const { amount, description } = body.transactions[0] ?? {};
  const token = body.payer.funding_instruments[0]?.credit_card_token;
  const self = `${base}/v1/payments/payment/${id}`;
  const sale = {
    id: saleId,
    create_time: at,
    update_time: at,
    state: 'completed',
    amount,
    parent_payment: id,
    links: [
      link(`${base}/v1/payments/sale/${saleId}`, 'self', 'GET'),
      link(`${base}/v1/payments/sale/${saleId}/refund`, 'refund', 'GET'),
      link(self, 'parent_payment', 'GET'),
    ],
  };
  return {
    id,
    create_time: at,
    update_time: at,
    state: 'created',
    intent: body.intent,
    payer: {
      payment_method: 'credit_card',
      funding_instruments: [
        {
          credit_card_token: {
            ...token,
            last4,
            type: card.type,
            expire_month: card.expire_month,
            expire_year: card.expire_year,
          },
        },
      ],
    },
    transactions: [{ amount, description, related_resources: [{ sale }] }],
    links: [link(self, 'self', 'GET')],
  };
}

function link(href: string, rel: string, method: string): object {
  return { href, rel, method };
}

function now(): string {
  return new Date().toISOString();
}

/** As long as the service's own ids. */
function newId(kind: string): string {
  const random = randomUUID().replaceAll('-', '').toUpperCase();
  return kind === '' ? random.slice(0, 17) : `${kind}-${random.slice(0, 24)}`;
}
