import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { overlaps, gapMs } from '../../evidence/exchange-order.ts';

/** A card was deleted again right after its deletion had been answered with 204. */
export const mishandles204: FindingRule = {
  id: 'mishandles-204',
  severity: 'medium',
  about: 'A card was deleted again right after its deletion had been answered with 204.',
  remedy: 'Take 204 without a body for success, and do not parse it.',
  find: repeatedDeletions,
};

/** Whoever deletes a card once more later than this has another reason. */
const soonMs = 5_000;

function* repeatedDeletions(evidence: Evidence): Generator<Detection> {
  const last = new Map<string, StoredEntry>();
  for (const entry of evidence.of('card.delete')) {
    const { cardId = '', status, concludes, outcomes } = entry;
    const done = last.get(cardId);
    if (done !== undefined && !overlaps(done, entry) && gapMs(done, entry) <= soonMs) {
      yield {
        what: `Card ${cardId} was deleted again although the answer to its deletion, 204, had arrived.`,
        evidence: [done, entry],
        // A test may ask twice to see what comes.
        confidence: 'possible',
      };
      last.delete(cardId);
    }
    // An answer that was spoilt on its way may not have looked like one.
    if (status === 204 && concludes === 'OK' && outcomes.length === 0) last.set(cardId, entry);
  }
}
