/** What requests ask for, by what it means: neither the order of keys nor how an amount is written makes it another thing. */
import { formatMinor } from '../../domain/money/money.ts';
import type { Refundable } from '../../domain/records.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { canonicalAmount } from '../../journal/query/canonical-amount.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { recordIdIn, type JournalIndex } from './journal-index.ts';

const toAmount = stepsOf('transactions[0].amount');
const toCard = stepsOf('payer.funding_instruments[0].credit_card');
const toCardId = stepsOf('payer.funding_instruments[0].credit_card_token.credit_card_id');

/** What of a raw card says which one it is. Whoever keeps one for a retry has no verification code any more. */
const face = ['number', 'type', 'expire_month', 'expire_year'] as const;

/** The card that a request to pay names, and how much of it. */
export function cardAndAmountOf(journal: JournalIndex, entry: StoredEntry): string {
  return JSON.stringify([cardOf(journal, entry), amountOf(journal, entry)]);
}

/** How much a request to pay asks for. */
export function amountOf(journal: JournalIndex, entry: StoredEntry): string {
  return canonicalAmount(memberAlong(journal.requestFieldsOf(entry), toAmount)).join(' ');
}

/** The id of a vaulted card, or what the journal keeps of a raw one; empty where there is neither. */
export function cardOf(journal: JournalIndex, entry: StoredEntry): string {
  // Read off the body: of what was turned away before it was understood there is nothing else.
  const body = journal.requestFieldsOf(entry);
  const id = memberAlong(body, toCardId);
  if (typeof id === 'string') return restoreId(id);
  const card = memberAlong(body, toCard);
  return card === undefined
    ? ''
    : JSON.stringify(face.map((name) => String(memberOf(card, name) ?? '')));
}

/** What a request wants done with a record: how much of it, and under which invoice number. */
export function recordWorkOf(journal: JournalIndex, entry: StoredEntry): string {
  const body = journal.requestFieldsOf(entry);
  const record = recordIdIn(entry);
  const amount = memberOf(body, 'amount');
  const whole = amount === undefined ? refundableIn(journal, record)?.amount : undefined;
  return JSON.stringify([
    record,
    whole === undefined
      ? canonicalAmount(amount)
      : [formatMinor(whole.minor, whole.currency), whole.currency],
    memberOf(body, 'invoice_number'),
  ]);
}

/** A refund that names no amount is one of all of it; where a part was refunded before, the service refuses it. */
function refundableIn({ records }: JournalIndex, id = ''): Refundable | undefined {
  return records.sales.get(id) ?? records.captures.get(id);
}

/** Whether two requests came with the same body, to the letter. */
export function hasSameBody(one: StoredEntry, other: StoredEntry | undefined): boolean {
  return (
    one === other ||
    (one.request === other?.request && one.requestSummary === other?.requestSummary)
  );
}
