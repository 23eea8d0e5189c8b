/** One purchase as the buyer sees it: what attempts are counted by. */
import { hash } from 'node:crypto';
import type { OperationName } from '../contract/service/operations.ts';
import { redactText, showNone } from '../redaction/redact.ts';
import { memberAlong, stepsOf } from '../shared/unknown-value.ts';
import { canonicalAmount } from './query/canonical-amount.ts';

const instrument = 'payer.funding_instruments[0]';

/** Where a body says what: a payment's deep inside, others at the top. */
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
 * Names the intent behind a request: its invoice number, else `custom`, else what would make two requests the same
 * purchase (card, customer, amount however it is spelled, description). An invoice number and a `custom` that read
 * alike name two things. A refund's is its transaction and amount. Other requests are their own operation on their own
 * record. Free text is folded, so that a name holds nothing a client wrote. What is no free text is cleared of card
 * numbers first: few enough of them are possible to find one by its hashParts.
 */
export function intentOf(
  operation: OperationName,
  params: Readonly<Record<string, string>>,
  body: unknown,
): string {
  const at = (place: keyof typeof places): string => String(memberAlong(body, places[place]) ?? '');
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

/** 72 bits. Thirteen characters or more would be a slice, behind which all of the digest stays. */
const foldLength = 12;

function hashParts(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'base64url').slice(0, foldLength);
}

/** The vaulted card a request is about. What a client sends for an id may be a card number: that is masked. */
export function cardIdOf(
  params: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  const inBody = memberAlong(body, places.cardId);
  const id = params['card_id'] ?? (typeof inBody === 'string' ? inBody : undefined);
  return id && redactCardNumbers(id);
}

/**
 * The card a request is about, vaulted or raw, as attempts are counted by it: its id, or of a raw number the last four
 * digits. Two raw cards that share them count as one, since no more of a number is kept.
 */
export function countedCardOf(
  operation: OperationName,
  params: Readonly<Record<string, string>>,
  body: unknown,
): string {
  const place = operation === 'card.create' ? places.storedNumber : places.rawNumber;
  return cardIdOf(params, body) ?? String(memberAlong(body, place) ?? '').slice(-4);
}

function redactCardNumbers(text: string): string {
  return redactText(text, showNone);
}
