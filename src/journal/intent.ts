/** One purchase as the buyer sees it: what attempts are counted by. */
import { hash } from 'node:crypto';
import type { OperationName } from '../contract/operations.ts';
import { redactText, showNone } from '../redaction/redact.ts';
import { memberAlong, stepsOf } from '../member.ts';

const instrument = 'payer.funding_instruments[0]';

/** Where a body says what: a payment's deep inside, others at the top. */
const places = {
  invoice: stepsOf('transactions[0].invoice_number'),
  custom: stepsOf('transactions[0].custom'),
  cardId: stepsOf(`${instrument}.credit_card_token.credit_card_id`),
  customer: stepsOf(`${instrument}.credit_card_token.external_customer_id`),
  rawNumber: stepsOf(`${instrument}.credit_card.number`),
  total: stepsOf('transactions[0].amount.total'),
  currency: stepsOf('transactions[0].amount.currency'),
  description: stepsOf('transactions[0].description'),
  storedNumber: stepsOf('number'),
  storedCustomer: stepsOf('external_customer_id'),
  laterTotal: stepsOf('amount.total'),
  laterInvoice: stepsOf('invoice_number'),
} as const;

/**
 * Names the intent behind a request: its invoice number, else `custom`, else what would make two requests the same
 * purchase (card, customer, amount, description). A refund's is its transaction and amount. Other requests are
 * their own operation on their own record. Free text is folded, so that a name holds nothing a client wrote. What is
 * no free text is cleared of card numbers first: few enough of them are possible to find one by its fold.
 */
export function intentOf(
  operation: OperationName,
  params: Readonly<Record<string, string>>,
  body: unknown,
): string {
  const at = (place: keyof typeof places): string => String(memberAlong(body, places[place]) ?? '');
  switch (operation) {
    case 'payment.create': {
      const named = at('invoice') || at('custom');
      return fold(
        named === ''
          ? [
              cleared(at('cardId')) || at('rawNumber').slice(-4),
              at('customer'),
              cleared(at('total')),
              at('currency'),
              at('description'),
            ]
          : [named],
      );
    }
    case 'card.create':
      return fold([at('storedNumber').slice(-4), at('storedCustomer')]);
    default:
      return fold([
        operation,
        ...Object.values(params).map(cleared),
        cleared(at('laterTotal')),
        at('laterInvoice'),
      ]);
  }
}

function fold(parts: readonly string[]): string {
  return hash('sha256', JSON.stringify(parts), 'hex').slice(0, 16);
}

/** The vaulted card a request is about. What a client sends for an id may be a card number: that is masked. */
export function cardIdOf(
  params: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  const inBody = memberAlong(body, places.cardId);
  const id = params['card_id'] ?? (typeof inBody === 'string' ? inBody : undefined);
  return id && cleared(id);
}

function cleared(text: string): string {
  return redactText(text, showNone);
}
