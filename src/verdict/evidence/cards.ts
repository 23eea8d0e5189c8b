/** What the journal shows of cards: when each was stored and deleted, and which ones look the same. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { memoize } from '../../shared/memoize.ts';
import { memberAlong, memberOf, stepsOf } from '../../shared/unknown-value.ts';
import { consecutivePairs, gapMs } from './exchange-order.ts';
import { createdIds, hasForcedEffect, isRefused } from './exchange-results.ts';
import { groupRepeats } from './group-by.ts';
import type { JournalIndex } from './journal-index.ts';

/** Finds the `seq` of the exchange that deleted each card: by a request, or by an outcome during a payment. */
export function findCardDeletions(journal: JournalIndex): ReadonlyMap<string, number> {
  const seqByCard = new Map<string, number>();
  const note = ({ cardId, seq }: StoredEntry): void => {
    if (cardId !== undefined) seqByCard.set(cardId, seq);
  };
  for (const entry of journal.of('card.delete')) if (entry.committed) note(entry);
  for (const entry of journal.forced) if (hasForcedEffect(entry, 'card-deleted')) note(entry);
  return seqByCard;
}

/** The request that stored each card, by the card's id. */
const storesByCard = memoize((journal: JournalIndex): ReadonlyMap<string, StoredEntry> => {
  const stores = journal.of('card.create').filter(({ committed }) => committed);
  return new Map(stores.map((entry) => [entry.subject ?? '', entry]));
});

/** The request that stored the card of a request. */
export function storeOf(journal: JournalIndex, { cardId }: StoredEntry): StoredEntry | undefined {
  return cardId === undefined ? undefined : storesByCard(journal).get(restoreId(cardId));
}

/** Whether the client stored the card of a request after it had sent an earlier one. */
export function isCardStoredBetween(
  journal: JournalIndex,
  { seq }: StoredEntry,
  next: StoredEntry,
): boolean {
  return (storeOf(journal, next)?.seq ?? 0) > seq;
}

/** How long a part of the service may not know a new card. */
const newCardMs = 60_000;

const deletions: ReadonlySet<OperationName> = new Set(['card.delete']);

/** The requests to delete a card, oldest first. */
export function deletionsOf(journal: JournalIndex, cardId: string): readonly StoredEntry[] {
  return journal.about(cardId, deletions);
}

/**
 * Whether a payment was refused because its card was not found, although the client had stored the card a short time before,
 * and had not deleted it. The card may be found soon.
 */
export function isNewCardNotFound(journal: JournalIndex, entry: StoredEntry): boolean {
  const store = isRefused(entry, 'not-found') ? storeOf(journal, entry) : undefined;
  return (
    store !== undefined &&
    gapMs(store, entry) <= newCardMs &&
    !deletionsOf(journal, store.subject ?? '').some(({ seq }) => seq < entry.seq)
  );
}

/** A buyer clicks two or three times, and a retry mostly gives up after four requests. */
const minCardsInTurn = 5;

/**
 * Whether the client stored cards for many equal payments, each once it had sent the payment before: each test of a suite
 * begins like that, and the tests share the name of their order.
 */
export function areCardsStoredInTurn(
  journal: JournalIndex,
  payments: readonly StoredEntry[],
): boolean {
  if (payments.length < minCardsInTurn) return false;
  const stored = consecutivePairs(payments).filter(([before, next]) =>
    isCardStoredBetween(journal, before, next),
  );
  // The first payment had a card, too.
  return stored.length + 1 >= minCardsInTurn;
}

const toRawCard = stepsOf('payer.funding_instruments[0].credit_card');

/**
 * The number and expiry of the card that a payment used, stored or raw, as a key; `undefined` if no request in the
 * journal sent the number.
 */
export function paidCardOf(journal: JournalIndex, entry: StoredEntry): string | undefined {
  const store = storeOf(journal, entry);
  const { cardMark } = store ?? entry;
  if (cardMark === undefined) return undefined;
  const card =
    store === undefined
      ? memberAlong(journal.requestFieldsOf(entry), toRawCard)
      : journal.bodyOf(store);
  return numberAndExpiryOf(cardMark, card);
}

/** The number and expiry of a card in a request as a key. */
export function numberAndExpiryOf(cardMark: string, card: unknown): string {
  return [
    cardMark,
    ...['expire_month', 'expire_year'].map((name) => Number(memberOf(card, name))),
  ].join(' ');
}

/** Groups the requests that stored the same card with the same data, oldest first, if there is more than one. */
export const groupIdenticalCards = memoize((journal: JournalIndex) => {
  const sent = journal.of('card.create').filter(({ request }) => request !== undefined);
  const alike = groupRepeats(sent, 2, ({ request }) => request).values();
  return [...alike].flatMap((entries) =>
    // The journal hides numbers, so that bodies with two of them can look the same.
    [...groupRepeats(entries, 2, ({ cardMark }) => cardMark ?? '').values()],
  );
});

/** The first of the cards that are one, for each later one. */
const firstCopies = memoize((journal: JournalIndex): ReadonlyMap<string, string> => {
  const originals = new Map(
    groupIdenticalCards(journal).flatMap((stores) => {
      const [first = '', ...copies] = stores.flatMap(createdIds);
      return copies.map((id) => [id, first] as const);
    }),
  );
  const firstOfOwner = new Map<string, string>();
  for (const { cardMark = '', subject = '' } of storesByCard(journal).values()) {
    const { externalCustomerId, payerId, expireMonth, expireYear } =
      journal.records.cards.get(subject) ?? {};
    const owner = externalCustomerId ?? payerId;
    if (owner === undefined || cardMark === '') continue;
    const card = JSON.stringify([owner, cardMark, expireMonth, expireYear]);
    const first = firstOfOwner.get(card);
    if (first === undefined) firstOfOwner.set(card, originals.get(subject) ?? subject);
    else originals.set(subject, first);
  }
  return originals;
});

/**
 * The card that this one is a copy of: the first with the same number and data, or the first that its customer stored with the
 * same number and expiry. Default: the card itself.
 */
export function originalOf(journal: JournalIndex, cardId: string): string {
  return firstCopies(journal).get(cardId) ?? cardId;
}
