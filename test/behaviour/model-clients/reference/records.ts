/** What the reference client reads from records. It ignores other fields, because they may change. */
import { z } from 'zod';
import type { Belief } from './carry-out.ts';

const Link = z.looseObject({ rel: z.string(), href: z.string() });
const State = z.looseObject({
  id: z.string(),
  state: z.string(),
  invoice_number: z.string().nullish(),
});
const Money = State.extend({ links: z.array(Link) });
const Related = z.looseObject({
  sale: Money.optional(),
  authorization: Money.optional(),
  capture: Money.optional(),
  refund: Money.optional(),
});

const PaymentRecord = z.looseObject({
  id: z.string(),
  state: z.string(),
  transactions: z.array(
    z.looseObject({
      amount: z.looseObject({ total: z.string(), currency: z.string() }),
      invoice_number: z.string().nullish(),
      related_resources: z.array(Related),
    }),
  ),
});

export const PaymentPage = z.looseObject({
  payments: z.array(PaymentRecord).nullish(),
  next_id: z.string().nullish(),
});

const CardRecord = z.looseObject({
  id: z.string(),
  number: z.string(),
  expire_month: z.coerce.number(),
  expire_year: z.coerce.number(),
});

export const CardPage = z.looseObject({
  items: z.array(CardRecord),
  links: z.array(Link),
});

/** A sale or authorization with its payment. */
export interface Paid {
  readonly paymentId: string;
  /** Id of the sale or authorization. */
  readonly id: string;
  readonly links: readonly { readonly rel: string; readonly href: string }[];
}

export type Kind = 'sale' | 'authorization' | 'capture' | 'refund';

/** What each state means for the client. Any other state means nothing yet. */
const meanings: Readonly<Record<Kind, Readonly<Record<string, Belief<never>['state']>>>> = {
  sale: {
    completed: 'done',
    partially_refunded: 'done',
    refunded: 'done',
    reversed: 'done',
    pending: 'pending',
    denied: 'not-done',
  },
  authorization: {
    authorized: 'done',
    partially_captured: 'done',
    captured: 'done',
    voided: 'done',
    expired: 'done',
  },
  capture: { completed: 'done', partially_refunded: 'done', refunded: 'done' },
  refund: { completed: 'done', pending: 'pending', failed: 'not-done' },
};

/** What a state means for a record. */
export function believe<T>(kind: Kind, state: string, record: T): Belief<T> | undefined {
  switch (meanings[kind][state]) {
    case 'done':
      return { state: 'done', record };
    case 'pending':
      return { state: 'pending', record };
    case 'not-done':
      return { state: 'not-done', why: `The ${kind} is ${state}.` };
    default:
      return undefined;
  }
}

/** What a payment shows of its sale or authorization. */
export function judgePayment(body: unknown): Belief<Paid> | undefined {
  const payment = PaymentRecord.safeParse(body);
  if (!payment.success) return undefined;
  if (payment.data.state === 'failed') return { state: 'not-done', why: 'The payment is failed.' };
  const [transaction] = payment.data.transactions;
  for (const { sale, authorization } of transaction?.related_resources ?? []) {
    const [kind, made] =
      sale === undefined ? (['authorization', authorization] as const) : (['sale', sale] as const);
    if (made === undefined) continue;
    const { id, links, state } = made;
    return believe(kind, state, { paymentId: payment.data.id, id, links });
  }
  return undefined;
}

/** What an answer shows of its capture or refund. */
export function judgeMade(kind: 'capture' | 'refund', body: unknown): Belief<string> | undefined {
  const made = State.safeParse(body);
  return made.success ? believe(kind, made.data.state, made.data.id) : undefined;
}

/** Finds the capture or refund of a payment by its own invoice number. */
export function madeWithin(
  kind: 'capture' | 'refund',
  body: unknown,
  invoice: string,
): Belief<string> | undefined {
  const payment = PaymentRecord.safeParse(body);
  const related = payment.data?.transactions.flatMap((one) => one.related_resources) ?? [];
  const made = related.map((one) => one[kind]).find((one) => one?.invoice_number === invoice);
  return made === undefined ? undefined : believe(kind, made.state, made.id);
}

/** Whether an answer shows a voided authorization. */
export function judgeVoid(body: unknown): Belief<string> | undefined {
  const authorization = State.safeParse(body);
  if (!authorization.success || authorization.data.state !== 'voided') return undefined;
  return { state: 'done', record: authorization.data.id };
}

/** The id of a stored card. */
export function judgeCard(body: unknown): Belief<string> | undefined {
  const card = CardRecord.safeParse(body);
  return card.success ? { state: 'done', record: card.data.id } : undefined;
}
