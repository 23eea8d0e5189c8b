import type { FindingRule, Detection } from '../finding-rule.ts';
import { memberOf, memberAt } from '../../../shared/unknown-value.ts';
import { isMasked } from '../../../redaction/secret.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { customerOf, wasStored } from './stored-cards.ts';
import { describeRequest, firstExamples } from '../../phrases.ts';

/** A payment was sent with all of a card that the vault already held. */
export const rawCardInsteadOfToken: FindingRule = {
  id: 'raw-card-instead-of-token',
  severity: 'high',
  about: 'A payment was sent with all of a card that the vault already held.',
  remedy: 'Pay with a stored card by its id, in `credit_card_token`.',
  find: rawCards,
};

/** What can be seen of a card by whoever may not see its number. */
function faceOf(card: unknown): string | undefined {
  const number = memberOf(card, 'number');
  if (typeof number !== 'string' || !isMasked(number)) return undefined;
  const [type, month, year] = ['type', 'expire_month', 'expire_year'].map((key) =>
    String(memberOf(card, key)).toLowerCase(),
  );
  return JSON.stringify([number, type, Number(month), Number(year)]);
}

function* rawCards(evidence: Evidence): Generator<Detection> {
  const payments = evidence
    .whereBodyHas('rawCard')
    .filter(({ operation, committed }) => committed && operation === 'payment.create');
  if (payments.length === 0) return;
  const stored = groupBy(storedIn(evidence), (entry) => faceOf(evidence.bodyOf(entry)));
  const { cardDeletions } = evidence;
  const found: {
    readonly store: StoredEntry;
    readonly entry: StoredEntry;
    readonly isSameCustomer: boolean;
  }[] = [];
  for (const entry of payments) {
    const instrument = memberAt(evidence.bodyOf(entry), 'payer.funding_instruments[0]');
    const card = memberOf(instrument, 'credit_card') ?? memberOf(instrument, 'payment_card');
    const face = faceOf(card);
    if (face === undefined) continue;
    const held = stored
      .get(face)
      ?.find(
        ({ seq, subject = '' }) =>
          seq < entry.seq && (cardDeletions.get(subject) ?? Infinity) > entry.seq,
      );
    if (held === undefined) continue;
    const customer = customerOf(card);
    const isSameCustomer = customer !== undefined && customer === customerOf(evidence.bodyOf(held));
    found.push({ store: held, entry, isSameCustomer });
  }
  for (const [store, ofOne] of groupBy(found, (one) => one.store)) {
    const isSame = ofOne.some(({ isSameCustomer }) => isSameCustomer);
    yield {
      what: `Card ${store.subject ?? ''} was in the vault when a card that looks the same was sent whole in ${describeRequest(ofOne[0]?.entry ?? store)}.`,
      evidence: firstExamples([store, ...ofOne.map(({ entry }) => entry)]),
      // Guests pay with raw cards, and in tests they all have the same one.
      ...(isSame
        ? { confidence: 'likely' as const }
        : { severity: 'info' as const, confidence: 'possible' as const }),
    };
  }
}

/** Requests that stored a card and were told so. */
function storedIn(evidence: Evidence): readonly StoredEntry[] {
  return evidence.of('card.create').filter(wasStored);
}
