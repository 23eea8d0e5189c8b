import { serviceProblems } from '../../../contract/problems.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAt, memberOf } from '../../../shared/unknown-value.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { bySeq } from '../../evidence/exchange-order.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { firstExamples, formatCount } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds cards stored or used without the id of the customer that they belong to. */
export const missingExternalCustomerId: FindingRule = {
  id: 'missing-external-customer-id',
  severity: 'medium',
  about: 'A card was stored without a customer id, or paid with without its customer id.',
  remedy: 'Send external_customer_id when you store a card, and the same id with every payment.',
  find: findMissingIds,
};

function* findMissingIds(evidence: Evidence): Generator<Detection> {
  const payments = [...refusedPayments(evidence), ...acceptedPayments(evidence)].sort(bySeq);
  for (const [cardId, ofCard] of groupBy(payments, (entry) => entry.cardId)) {
    yield {
      what: `Card ${cardId ?? ''} has an external_customer_id, but ${formatCount(ofCard.length, 'payment')} with this card did not send it.`,
      evidence: firstExamples(ofCard),
    };
  }
  const stores = storesWithoutId(evidence);
  if (stores.length > 0) {
    yield {
      what: `${formatCount(stores.length, 'card')} ${stores.length === 1 ? 'was' : 'were'} stored without external_customer_id, although other cards have one.`,
      evidence: firstExamples(stores),
      severity: 'low',
      confidence: 'possible',
    };
  }
}

/** Cards stored without a customer id by a client that stored others with one. Cards of the fixtures do not count. */
function storesWithoutId(evidence: Evidence): readonly StoredEntry[] {
  const withoutId = evidence.whereBodyHas('ownerlessCard').filter((entry) => {
    if (!entry.committed) return false;
    const body = evidence.bodyOf(entry);
    return (
      body !== undefined &&
      ['external_customer_id', 'payer_id'].every((key) => !memberOf(body, key))
    );
  });
  const stores = evidence.of('card.create').filter(({ committed }) => committed);
  return withoutId.length < stores.length ? withoutId : [];
}

/** Payments refused for a missing customer id. A forced refusal says nothing about the request. */
function refusedPayments({ remarkable }: Evidence): StoredEntry[] {
  return remarkable.filter(
    ({ operation, problem, cardId, outcomes }) =>
      operation === 'payment.create' &&
      problem === serviceProblems['owner-missing'].name &&
      cardId !== undefined &&
      outcomes.length === 0,
  );
}

/** Payments without a customer id that a sandbox with `--owner-check lenient` accepted. */
function acceptedPayments(evidence: Evidence): StoredEntry[] {
  return evidence.whereBodyHas('ownerlessToken').filter((entry) => {
    const { operation, committed, cardId, outcomes } = entry;
    if (operation !== 'payment.create' || !committed) return false;
    if (cardId === undefined || outcomes.length > 0) return false;
    if (evidence.records.cards.get(cardId)?.externalCustomerId === undefined) return false;
    const token = memberAt(
      evidence.bodyOf(entry),
      'payer.funding_instruments[0].credit_card_token',
    );
    return (
      token !== undefined &&
      memberOf(token, 'external_customer_id') === undefined &&
      memberOf(token, 'payer_id') === undefined
    );
  });
}
