import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { formatTimes, firstExamples, formatCount } from '../../phrases.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberOf, memberAt } from '../../../shared/unknown-value.ts';
import { problems } from '../../../contract/problems.ts';

/** A card was stored without a customer id, or paid with without the one it was stored with. */
export const missingExternalCustomerId: FindingRule = {
  id: 'missing-external-customer-id',
  severity: 'medium',
  about:
    'A card was stored without a customer id, or paid with without the one it was stored with.',
  remedy: 'Send external_customer_id when a card is stored, and the same whenever it is paid with.',
  find: missingIds,
};

function* missingIds(evidence: Evidence): Generator<Detection> {
  const payments = [...refusedForOwner(evidence), ...paidWithout(evidence)].sort(
    (one, other) => one.seq - other.seq,
  );
  for (const [cardId, ofCard] of groupBy(payments, (entry) => entry.cardId)) {
    yield {
      what: `Card ${cardId ?? ''} has a customer id and was paid with without it, ${formatTimes(ofCard.length)}.`,
      evidence: firstExamples(ofCard),
    };
  }
  const bare = storedWithout(evidence);
  if (bare.length > 0) {
    yield {
      what: `${formatCount(bare.length, 'card')} ${bare.length === 1 ? 'was' : 'were'} stored without external_customer_id, beside others that have one.`,
      evidence: firstExamples(bare),
      severity: 'low',
      confidence: 'possible',
    };
  }
}

/**
 * Shops without customers need no ids: only beside cards that the client stored with one does a card without one stand
 * out. Those of the fixtures are none of its own.
 */
function storedWithout(evidence: Evidence): readonly StoredEntry[] {
  const bare = evidence.whereBodyHas('ownerlessCard').filter((entry) => {
    if (entry.operation !== 'card.create' || !entry.committed) return false;
    const body = evidence.bodyOf(entry);
    return (
      body !== undefined &&
      ['external_customer_id', 'payer_id'].every((key) => !memberOf(body, key))
    );
  });
  const stored = () => evidence.of('card.create').filter(({ committed }) => committed);
  return bare.length < stored().length ? bare : [];
}

// A refusal that was forced says nothing about what was sent.
function refusedForOwner({ remarkable }: Evidence): StoredEntry[] {
  return remarkable.filter(
    ({ operation, problem, cardId, outcomes }) =>
      operation === 'payment.create' &&
      problem === problems['owner-missing'].name &&
      cardId !== undefined &&
      outcomes.length === 0,
  );
}

/** Let through by a sandbox that does not insist (`--owner-check lenient`). */
function paidWithout(evidence: Evidence): StoredEntry[] {
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
