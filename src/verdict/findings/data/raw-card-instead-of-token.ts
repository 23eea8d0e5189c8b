import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { describeRequest, firstExamples } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';
import { customerIdOf, isKnownStore } from './stored-cards.ts';

/** Finds payments that send full card data although the card is in the vault. */
export const rawCardInsteadOfToken: FindingRule = {
  id: 'raw-card-instead-of-token',
  severity: 'high',
  about:
    'A payment was sent with the full data of a card that is in the vault, or was deleted from it.',
  remedy: 'Pay with a stored card by its id, in `credit_card_token`.',
  find: findRawCards,
};

/** A payment with raw card data, and the request that had stored the same number. */
interface RawPayment {
  readonly store: StoredEntry;
  readonly entry: StoredEntry;
  /** Whether the customer of the card in the vault sends it, with the same expiry. */
  readonly isSameCard: boolean;
  /** Whether the card had been deleted from the vault, so that only a number that the client kept can have paid. */
  readonly isDeleted: boolean;
}

function* findRawCards(evidence: Evidence): Generator<Detection> {
  for (const [store, payments] of groupBy(rawPayments(evidence), (payment) => payment.store)) {
    const isSameCard = payments.some((payment) => payment.isSameCard);
    const deleted = payments.filter(({ isDeleted }) => isDeleted);
    const [kept] = deleted;
    if (kept !== undefined) {
      yield {
        what: `The payment ${describeRequest(kept.entry)} contains the number of card ${store.subject ?? ''}, which had been deleted from the vault: the client has kept it.`,
        evidence: firstExamples([store, ...deleted.map(({ entry }) => entry)]),
        confidence: 'likely',
        remedy:
          'Do not keep card numbers. After a card is deleted, ask the customer for it again, or do not delete it.',
      };
      continue;
    }
    yield {
      what: `The payment ${describeRequest(payments[0]?.entry ?? store)} contains the number of card ${store.subject ?? ''}, which is in the vault.`,
      evidence: firstExamples([store, ...payments.map(({ entry }) => entry)]),
      // Guests pay with raw cards, and tests give all guests the same card.
      ...(isSameCard
        ? { confidence: 'likely' as const }
        : { severity: 'info' as const, confidence: 'possible' as const }),
    };
  }
}

function rawPayments(evidence: Evidence): RawPayment[] {
  const payments = evidence
    .of('payment.create')
    .filter(({ committed, cardMark }) => committed && cardMark !== undefined);
  if (payments.length === 0) return [];
  const stores = evidence
    .of('card.create')
    .filter((entry) => isKnownStore(entry) && entry.cardMark !== undefined);
  const storesByNumber = groupBy(stores, ({ cardMark }) => cardMark);
  return payments.flatMap((entry): RawPayment[] => {
    const ofNumber = storesByNumber.get(entry.cardMark);
    if (ofNumber === undefined) return [];
    const card = memberAt(
      evidence.requestFieldsOf(entry),
      'payer.funding_instruments[0].credit_card',
    );
    const customerId = customerIdOf(card);
    const isSameCustomer = (store: StoredEntry): boolean =>
      customerId !== undefined && customerId === customerIdOf(evidence.bodyOf(store));
    const isDeletedBefore = ({ subject = '' }: StoredEntry): boolean =>
      (evidence.cardDeletions.get(subject) ?? Infinity) < entry.seq;
    const stored = ofNumber.find((store) => store.seq < entry.seq && !isDeletedBefore(store));
    if (stored !== undefined) {
      const isSameCard =
        isSameCustomer(stored) && expiryOf(card) === expiryOf(evidence.bodyOf(stored));
      return [{ store: stored, entry, isSameCard, isDeleted: false }];
    }
    // A buyer who types a card again also types its verification code, which no shop may keep.
    if (memberOf(card, 'cvv2') !== undefined) return [];
    // A number without a customer id belongs to the only customer who had stored it.
    const before = ofNumber.filter(({ seq }) => seq < entry.seq);
    const deleted = before.findLast((store) =>
      customerId === undefined ? before.length === 1 : isSameCustomer(store),
    );
    return deleted === undefined
      ? []
      : [{ store: deleted, entry, isSameCard: true, isDeleted: true }];
  });
}

function expiryOf(card: unknown): string {
  return ['expire_month', 'expire_year'].map((name) => Number(memberOf(card, name))).join('/');
}
