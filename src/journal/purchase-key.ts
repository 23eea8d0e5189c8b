/** The key of a purchase as the buyer sees it. Attempts are counted by it. */
import { hash } from 'node:crypto';
import type { OperationName } from '../contract/service/operation-name.ts';
import { redactText } from '../redaction/redact.ts';
import { showNone } from '../redaction/hide-card-numbers.ts';
import { memberAlong, stepsOf, textOf } from '../shared/unknown-value.ts';
import { canonicalAmount } from './query/canonical-amount.ts';

const instrument = 'payer.funding_instruments[0]';

/** Where a body contains these values: deep inside a payment, at the top elsewhere. */
const places = {
  invoice: stepsOf('transactions[0].invoice_number'),
  custom: stepsOf('transactions[0].custom'),
  cardId: stepsOf(`${instrument}.credit_card_token.credit_card_id`),
  customer: stepsOf(`${instrument}.credit_card_token.external_customer_id`),
  rawNumber: stepsOf(`${instrument}.credit_card.number`),
  amount: stepsOf('transactions[0].amount'),
  description: stepsOf('transactions[0].description'),
  storedNumber: stepsOf('number'),
  storedCustomer: stepsOf('external_customer_id'),
  laterAmount: stepsOf('amount'),
  laterInvoice: stepsOf('invoice_number'),
} as const;

/**
 * Returns the key of the purchase behind a request.
 *
 * For a payment that is its invoice number, otherwise `custom`, otherwise everything that makes two
 * requests the same purchase (card, customer, amount in any spelling, description). An invoice
 * number and a `custom` with the same text are different keys. For a refund it is the transaction
 * and amount. For other requests it is the operation and record.
 *
 * The key is a hash, so it contains no text from the client. Card numbers are masked before
 * hashing: there are so few that a hash of one could be reversed by trying all.
 */
export function intentOf(
  operation: OperationName,
  params: Readonly<Record<string, string>>,
  body: unknown,
): string {
  const at = (place: keyof typeof places): string => textOf(memberAlong(body, places[place]));
  const amountAt = (place: 'amount' | 'laterAmount'): [string, string] => {
    const [total, currency] = canonicalAmount(memberAlong(body, places[place]));
    return [redactCardNumbers(total), currency];
  };
  switch (operation) {
    case 'payment.create': {
      const invoice = at('invoice');
      if (invoice !== '') return hashParts([invoice]);
      const custom = at('custom');
      if (custom !== '') return hashParts(['custom', custom]);
      return hashParts([
        redactCardNumbers(at('cardId')) || at('rawNumber').slice(-4),
        at('customer'),
        ...amountAt('amount'),
        at('description'),
      ]);
    }
    case 'card.create':
      return hashParts([at('storedNumber').slice(-4), at('storedCustomer')]);
    default:
      return hashParts([
        operation,
        ...Object.values(params).map(redactCardNumbers),
        amountAt('laterAmount')[0],
        at('laterInvoice'),
      ]);
  }
}

/** 72 bits. A slice of 13 or more characters would keep the whole digest in memory. */
const foldLength = 12;

/** A short hash of texts from a client, which discloses nothing of them. */
export function hashParts(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, foldLength);
}

/**
 * The id of the vaulted card in a request. A client may send a card number as id, so it is masked.
 */
export function cardIdOf(
  params: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  const inBody = memberAlong(body, places.cardId);
  const id = params['card_id'] ?? (typeof inBody === 'string' ? inBody : undefined);
  return id && redactCardNumbers(id);
}

/**
 * The card of a request, for counting attempts: the id of a vaulted card, or the last four digits
 * of a raw one.
 *
 * Two raw cards with the same last digits count as one, because only these digits are kept.
 */
export function countedCardOf(
  operation: OperationName,
  params: Readonly<Record<string, string>>,
  body: unknown,
): string {
  const place = operation === 'card.create' ? places.storedNumber : places.rawNumber;
  return cardIdOf(params, body) ?? textOf(memberAlong(body, place)).slice(-4);
}

function redactCardNumbers(text: string): string {
  return redactText(text, showNone);
}
