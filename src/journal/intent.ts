/** One purchase as the buyer sees it: what attempts are counted by. */
import { createHash } from 'node:crypto';
import type { OperationName } from '../contract/operations.ts';
import { redactText, showNone } from './redact.ts';
import { memberAt } from '../member.ts';

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
  const at = (path: string): string => String(memberAt(body, path) ?? '');
  switch (operation) {
    case 'payment.create': {
      const named = at('transactions[0].invoice_number') || at('transactions[0].custom');
      const instrument = 'payer.funding_instruments[0]';
      return fold(
        named === ''
          ? [
              cleared(at(`${instrument}.credit_card_token.credit_card_id`)) ||
                at(`${instrument}.credit_card.number`).slice(-4),
              at(`${instrument}.credit_card_token.external_customer_id`),
              cleared(at('transactions[0].amount.total')),
              at('transactions[0].amount.currency'),
              at('transactions[0].description'),
            ]
          : [named],
      );
    }
    case 'card.create':
      return fold([at('number').slice(-4), at('external_customer_id')]);
    default:
      return fold([
        operation,
        ...Object.values(params).map(cleared),
        cleared(at('amount.total')),
        at('invoice_number'),
      ]);
  }
}

function fold(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}

/** The vaulted card a request is about. What a client sends for an id may be a card number: that is masked. */
export function cardIdOf(
  params: Readonly<Record<string, string>>,
  body: unknown,
): string | undefined {
  const inBody = memberAt(body, 'payer.funding_instruments[0].credit_card_token.credit_card_id');
  const id = params['card_id'] ?? (typeof inBody === 'string' ? inBody : undefined);
  return id && cleared(id);
}

function cleared(text: string): string {
  return redactText(text, showNone);
}
