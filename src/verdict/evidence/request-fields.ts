/** Reads what requests ask for by its meaning: neither the order of keys nor the notation of an amount matters. */
import { canonicalAmount } from '../../journal/query/canonical-amount.ts';
import { canonical, requestDetailsOf } from '../../journal/query/request-details.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { memoize } from '../../shared/memoize.ts';
import { memberAlong, memberOf, stepsOf, textOf as textOfAny } from '../../shared/unknown-value.ts';
import { numberAndExpiryOf, originalOf, paidCardOf } from './cards.ts';
import { createdIds } from './exchange-results.ts';
import type { JournalIndex } from './journal-index.ts';

const toTransaction = stepsOf('transactions[0]');
const toAmount = stepsOf('transactions[0].amount');
const toCard = stepsOf('payer.funding_instruments[0].credit_card');
const toCardToken = stepsOf('payer.funding_instruments[0].credit_card_token');
const toCardId = stepsOf('payer.funding_instruments[0].credit_card_token.credit_card_id');

/**
 * The fields of a raw card that identify it, beside its mark. A client that keeps a card for a retry has no verification
 * code left.
 */
const cardIdentity = ['number', 'type', 'expire_month', 'expire_year'] as const;

/** The transaction of a request to pay. */
export function transactionOf(journal: JournalIndex, entry: StoredEntry): unknown {
  return memberAlong(journal.requestFieldsOf(entry), toTransaction);
}

/** A text that the client filled in. The service takes an integer as its digits. */
export function textOf(value: unknown): string | undefined {
  if (Number.isInteger(value)) return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The card and the amount of a request to pay, as a key. */
export function cardAndAmountOf(journal: JournalIndex, entry: StoredEntry): string {
  return JSON.stringify([cardOf(journal, entry), amountOf(journal, entry)]);
}

/** The same, where copies of one vaulted card count as one. */
export function copyAndAmountOf(journal: JournalIndex, entry: StoredEntry): string {
  return JSON.stringify([originalOf(journal, cardOf(journal, entry)), amountOf(journal, entry)]);
}

/** The amount of a request to pay, as a key. */
export function amountOf(journal: JournalIndex, entry: StoredEntry): string {
  return canonicalAmount(memberAlong(journal.requestFieldsOf(entry), toAmount)).join(' ');
}

/** The id of a vaulted card, or the number and data of a raw one; empty if the request names no card. */
export function cardOf(journal: JournalIndex, entry: StoredEntry): string {
  // A request that was refused before it was understood has nothing but its body.
  const body = journal.requestFieldsOf(entry);
  const id = memberAlong(body, toCardId);
  if (typeof id === 'string') return restoreId(id);
  const card = memberAlong(body, toCard);
  return card === undefined
    ? ''
    : JSON.stringify([
        entry.cardMark,
        ...cardIdentity.map((name) => textOfAny(memberOf(card, name))),
      ]);
}

/**
 * What a request says about who pays: the customer, and both names and the address of the holder of a raw card, in small
 * letters. Each is empty if it is missing.
 */
export function payerOf(journal: JournalIndex, entry: StoredEntry): readonly string[] {
  const card = memberAlong(journal.requestFieldsOf(entry), toCard);
  const address = memberOf(card, 'billing_address');
  return [
    customerIn(journal, entry) ?? '',
    ...['first_name', 'last_name'].map((name) => textOfAny(memberOf(card, name)).toLowerCase()),
    address === undefined ? '' : JSON.stringify(canonical(address)).toLowerCase(),
  ];
}

/** The customer that a request to pay names. */
export function customerIn(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const body = journal.requestFieldsOf(entry);
  return namedCustomerOf(memberAlong(body, toCard) ?? memberAlong(body, toCardToken));
}

/** The vaulted cards with the number of a raw card that paid, by customer and card. */
const storedCards = memoize((journal: JournalIndex): ReadonlyMap<string, string> => {
  const raw = new Set(journal.of('payment.create').flatMap(({ cardMark }) => cardMark ?? []));
  const cards = new Map<string, string>();
  for (const store of journal.of('card.create')) {
    if (store.cardMark === undefined || !raw.has(store.cardMark)) continue;
    const body = journal.bodyOf(store);
    const key = keyOfCard(namedCustomerOf(body), numberAndExpiryOf(store.cardMark, body));
    for (const id of createdIds(store)) if (!cards.has(key)) cards.set(key, id);
  }
  return cards;
});

/** The vaulted card that a raw card is, if the same customer stored it: the first with its number and expiry. */
export function storedCardOf(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const cards = entry.cardMark === undefined ? undefined : storedCards(journal);
  if (cards === undefined || cards.size === 0) return undefined;
  return cards.get(keyOfCard(customerIn(journal, entry), paidCardOf(journal, entry)));
}

function keyOfCard(customer: string | undefined, card: string | undefined): string {
  return JSON.stringify([customer, card]);
}

/** The customer that a card or the token of a card names. `payer_id` is an older name of the same. */
export function namedCustomerOf(card: unknown): string | undefined {
  return textOf(memberOf(card, 'external_customer_id') ?? memberOf(card, 'payer_id'));
}

/** All else that a request says: description, items, address and notes, as a key. Purchases that differ in it are two. */
export function detailsOf(journal: JournalIndex, entry: StoredEntry): string {
  const fields = journal.requestFieldsOf(entry);
  const details = detailsByFields(journal);
  let known = details.get(fields);
  if (known === undefined) {
    const kept = entry.requestSummary === undefined ? undefined : memberOf(fields, 'details');
    known = typeof kept === 'string' ? kept : requestDetailsOf(fields);
    details.set(fields, known);
  }
  return known;
}

/** Requests with the same text share their parsed fields. */
const detailsByFields = memoize(() => new Map<unknown, string>());
