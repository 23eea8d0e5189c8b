import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isMasked } from '../../../redaction/secret.ts';
import { memberAt, memberOf, textOf } from '../../../shared/unknown-value.ts';
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

/** A payment with raw card data, and the request that had stored the same card. */
interface RawPayment {
  readonly store: StoredEntry;
  readonly entry: StoredEntry;
  readonly isSameCustomer: boolean;
  /** Whether the card had been deleted from the vault, so that only a number that the client kept can have paid. */
  readonly isDeleted: boolean;
}

function* findRawCards(evidence: Evidence): Generator<Detection> {
  for (const [store, payments] of groupBy(rawPayments(evidence), (payment) => payment.store)) {
    const isSameCustomer = payments.some((payment) => payment.isSameCustomer);
    const deleted = payments.filter(({ isDeleted }) => isDeleted);
    const [kept] = deleted;
    if (kept !== undefined) {
      yield {
        what: `The payment ${describeRequest(kept.entry)} contains the full data of card ${store.subject ?? ''}, which had been deleted from the vault: the client has kept the number.`,
        evidence: firstExamples([store, ...deleted.map(({ entry }) => entry)]),
        confidence: 'likely',
        remedy:
          'Do not keep card numbers. After a card is deleted, ask the customer for it again, or do not delete it.',
      };
      continue;
    }
    yield {
      what: `The payment ${describeRequest(payments[0]?.entry ?? store)} contains full card data, although card ${store.subject ?? ''} in the vault looks the same.`,
      evidence: firstExamples([store, ...payments.map(({ entry }) => entry)]),
      // Guests pay with raw cards, and tests give all guests the same card.
      ...(isSameCustomer
        ? { confidence: 'likely' as const }
        : { severity: 'info' as const, confidence: 'possible' as const }),
    };
  }
}

function rawPayments(evidence: Evidence): RawPayment[] {
  const payments = evidence
    .whereBodyHas('rawCard')
    .filter(({ operation, committed }) => committed && operation === 'payment.create');
  if (payments.length === 0) return [];
  const stores = evidence.of('card.create').filter(isKnownStore);
  const storesByFace = groupBy(stores, (entry) => visibleFieldsOf(evidence.bodyOf(entry)));
  return payments.flatMap((entry): RawPayment[] => {
    const instrument = memberAt(evidence.bodyOf(entry), 'payer.funding_instruments[0]');
    const card = memberOf(instrument, 'credit_card') ?? memberOf(instrument, 'payment_card');
    const fields = visibleFieldsOf(card);
    if (fields === undefined) return [];
    const before = (storesByFace.get(fields) ?? []).filter(({ seq }) => seq < entry.seq);
    const isDeletedBefore = ({ subject = '' }: StoredEntry): boolean =>
      (evidence.cardDeletions.get(subject) ?? Infinity) < entry.seq;
    const stored = before.find((store) => !isDeletedBefore(store));
    const customerId = customerIdOf(card);
    const isSameCustomer = (store: StoredEntry): boolean =>
      customerId !== undefined && customerId === customerIdOf(evidence.bodyOf(store));
    if (stored !== undefined) {
      return [{ store: stored, entry, isSameCustomer: isSameCustomer(stored), isDeleted: false }];
    }
    const deleted = before.findLast((store) =>
      customerId === undefined ? before.length === 1 : isSameCustomer(store),
    );
    // A buyer who types a card again also types its verification code, which no shop may keep.
    const isTyped = memberOf(card, 'cvv2') !== undefined;
    return deleted === undefined || isTyped
      ? []
      : [{ store: deleted, entry, isSameCustomer: true, isDeleted: true }];
  });
}

/** The parts of a card that redaction leaves visible. */
function visibleFieldsOf(card: unknown): string | undefined {
  const number = memberOf(card, 'number');
  if (typeof number !== 'string' || !isMasked(number)) return undefined;
  const [type, month, year] = ['type', 'expire_month', 'expire_year'].map((key) =>
    textOf(memberOf(card, key)).toLowerCase(),
  );
  return JSON.stringify([number, type, Number(month), Number(year)]);
}
