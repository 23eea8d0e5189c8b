import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { isMasked } from '../../../redaction/secret.ts';
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
  about: 'A payment was sent with the full data of a card that was already in the vault.',
  remedy: 'Pay with a stored card by its id, in `credit_card_token`.',
  find: findRawCards,
};

/** A payment with raw card data, and the request that had stored the same card. */
interface RawPayment {
  readonly store: StoredEntry;
  readonly entry: StoredEntry;
  readonly isSameCustomer: boolean;
}

function* findRawCards(evidence: Evidence): Generator<Detection> {
  for (const [store, payments] of groupBy(rawPayments(evidence), (payment) => payment.store)) {
    const isSameCustomer = payments.some((payment) => payment.isSameCustomer);
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
  return payments.flatMap((entry) => {
    const instrument = memberAt(evidence.bodyOf(entry), 'payer.funding_instruments[0]');
    const card = memberOf(instrument, 'credit_card') ?? memberOf(instrument, 'payment_card');
    const fields = visibleFieldsOf(card);
    if (fields === undefined) return [];
    const store = storesByFace
      .get(fields)
      ?.find(
        ({ seq, subject = '' }) =>
          seq < entry.seq && (evidence.cardDeletions.get(subject) ?? Infinity) > entry.seq,
      );
    if (store === undefined) return [];
    const customerId = customerIdOf(card);
    const isSameCustomer =
      customerId !== undefined && customerId === customerIdOf(evidence.bodyOf(store));
    return [{ store, entry, isSameCustomer }];
  });
}

/** The parts of a card that redaction leaves visible. */
function visibleFieldsOf(card: unknown): string | undefined {
  const number = memberOf(card, 'number');
  if (typeof number !== 'string' || !isMasked(number)) return undefined;
  const [type, month, year] = ['type', 'expire_month', 'expire_year'].map((key) =>
    String(memberOf(card, key)).toLowerCase(),
  );
  return JSON.stringify([number, type, Number(month), Number(year)]);
}
