import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { cardIdsShownBy, isAnswerReceived } from '../../client-knowledge/disclosure.ts';
import { firstWithKey, hasSameKey } from '../../client-knowledge/idempotency-keys.ts';
import { isSentAtOnce } from '../../client-knowledge/parallel/connections.ts';
import { isFromOtherProcess, isSentBesideOtherProcess } from '../../client-knowledge/processes.ts';
import { paidCardOf, storeOf } from '../../evidence/cards.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasFault } from '../../evidence/exchange-results.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { intentOfAttempt, paymentContentOf } from '../../evidence/request-content.ts';
import { customerIn, namedCustomerOf } from '../../evidence/request-fields.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds payments with a card whose issuer had answered never to try it again. */
export const chargeAfterHardDecline: FindingRule = {
  id: 'charge-after-hard-decline',
  severity: 'high',
  about: 'A card was tried again although its issuer had said never to do so.',
  remedy: 'Stop using a card after advice code 03 or 21, and ask the customer for another one.',
  find: findChargesAfterHardDecline,
};

/** Advice codes that mean "never again": 03 for this card, 21 for all recurring payments with it. */
const finalAdviceCodes: ReadonlySet<string | undefined> = new Set(['03', '21']);

function* findChargesAfterHardDecline(evidence: Evidence): Generator<Detection> {
  if (!evidence.of('payment.create').some(isHardDecline)) return;
  const attempts = evidence.of('payment.create', 'card.update');
  for (const [card, ofCard] of groupBy(attempts, (entry) => cardOf(evidence, entry))) {
    if (card === undefined) continue;
    let decline: StoredEntry | undefined;
    let repeat: Detection | undefined;
    for (const entry of ofCard) {
      if (entry.operation === 'card.update') {
        if (isExpiryChanged(evidence, entry)) decline = undefined;
        continue;
      }
      if (decline !== undefined && isUpdateDisclosed(evidence, decline, entry)) decline = undefined;
      const found = decline && findRepeat(evidence, decline, entry);
      if (found !== undefined && found.severity === undefined) {
        repeat = found;
        break;
      }
      repeat ??= found;
      if (isHardDecline(entry)) decline = entry;
      else if (decline && isRepeatedByRestart(evidence, decline, entry)) decline = undefined;
    }
    if (repeat !== undefined) yield repeat;
  }
}

/** The card of a request. A customer may store it several times, or send its number. Guests may share a test number. */
function cardOf(evidence: Evidence, entry: StoredEntry): string | undefined {
  const store = storeOf(evidence, entry);
  const card = paidCardOf(evidence, entry);
  const customer =
    store === undefined ? customerIn(evidence, entry) : namedCustomerOf(evidence.bodyOf(store));
  return card === undefined || customer === undefined
    ? entry.cardId
    : JSON.stringify([customer, card]);
}

/** Judges a payment after a final decline by whether the client could know of it. */
function findRepeat(
  evidence: Evidence,
  decline: StoredEntry,
  entry: StoredEntry,
): Detection | undefined {
  if (entry.replayed) return undefined;
  // A repeat carries out what the client decided when it first sent the request id.
  const decided = firstWithKey(evidence, entry);
  const isDecidedBefore = decided.seq < decline.seq;
  const isAtOnce = isDecidedBefore || isSentAtOnce(evidence, decline, decided);
  const isUnknown = isAtOnce === true || isSentBesideOtherProcess(evidence, decline, decided);
  if (isUnknown && decided === entry) return undefined;
  const found = {
    what: `A payment with ${nameOf(entry)} was requested again after its issuer had answered advice code ${adviceCodeOf(decline) ?? ''}: never try this card again.${explainCopy(decline, entry)}`,
    evidence: [decline, entry],
  };
  // A queue that delivers a job twice repeats its request id. That worker may not know of the decline. A repeat after a lost
  // answer also shows what the first request did. And who types a declined card again, or stores it again for each order, may
  // do so by hand: the client does not know that it is one card.
  if (isUnknown || hasSameKey(decline, entry) || decline.cardId !== entry.cardId) {
    return { ...found, severity: 'low', confidence: 'possible' };
  }
  if (isAtOnce !== 'assumed' || isSameOrder(evidence, decline, entry)) return found;
  // A client that keeps connections, and leaves the idle one aside, has several workers. One that opens a connection for
  // each request may have waited for the answer.
  const hasWorkers = entry.arrival?.isFirst === false;
  return { ...found, severity: hasWorkers ? 'low' : 'medium', confidence: 'possible' };
}

/** A new expiry makes another card of it. Names and addresses do not. */
function isExpiryChanged(evidence: Evidence, update: StoredEntry): boolean {
  const changes = evidence.requestFieldsOf(update);
  return (
    Array.isArray(changes) &&
    changes.some((change) => String(memberOf(change, 'path')).startsWith('/expire_'))
  );
}

function nameOf({ cardId }: StoredEntry): string {
  return cardId === undefined ? 'a card' : `card ${cardId}`;
}

/** Says that both requests named one card in two ways. */
function explainCopy(decline: StoredEntry, entry: StoredEntry): string {
  if (decline.cardId === entry.cardId) return '';
  const [before, now] = [decline, entry].map(({ cardId }) =>
    cardId === undefined ? 'by its number' : `as ${cardId}`,
  );
  return ` Both requests used one card of the customer, with the same number and expiry: it was declined ${before}, and requested again ${now}.`;
}

/** Whether a process that was started again repeated a declined request, and has seen nothing but that it succeeded. */
function isRepeatedByRestart(
  evidence: Evidence,
  decline: StoredEntry,
  entry: StoredEntry,
): boolean {
  return (
    entry.committed && hasSameKey(decline, entry) && isFromOtherProcess(evidence, decline, entry)
  );
}

/** Whether two payments ask for the same in every respect, so that the second one tries the first one again. */
function isSameOrder(evidence: Evidence, one: StoredEntry, other: StoredEntry): boolean {
  return (
    intentOfAttempt(evidence, one) === intentOfAttempt(evidence, other) &&
    paymentContentOf(evidence, one) === paymentContentOf(evidence, other)
  );
}

/** Whether the issuer updated the card after its decline and the client read the update, so that it counts as new. */
function isUpdateDisclosed(
  evidence: Evidence,
  decline: StoredEntry,
  { cardId = '', seq }: StoredEntry,
): boolean {
  const updatedAtMs = evidence.records.cards.get(cardId)?.updatedAtMs;
  if (updatedAtMs === undefined || updatedAtMs <= decline.atMs) return false;
  return (firstUpdateReads(evidence).get(cardId) ?? Infinity) < seq;
}

/** `seq` of the first read that showed each card as it is since its last update. */
const firstUpdateReads = memoize((evidence: Evidence): ReadonlyMap<string, number> => {
  const firstSeqs = new Map<string, number>();
  for (const read of evidence.of('card.get', 'card.list').filter(isAnswerReceived)) {
    for (const id of cardIdsShownBy(read)) {
      const updatedAtMs = evidence.records.cards.get(id)?.updatedAtMs ?? Infinity;
      if (read.atMs >= updatedAtMs && !firstSeqs.has(id)) firstSeqs.set(id, read.seq);
    }
  }
  return firstSeqs;
});

function isHardDecline(entry: StoredEntry): boolean {
  return finalAdviceCodes.has(adviceCodeOf(entry));
}

/** The issuer's advice code in a decline that reached the client with its body. */
function adviceCodeOf(entry: StoredEntry): string | undefined {
  const { problem, concludes, response } = entry;
  if (problem === undefined || concludes !== 'FAIL' || hasFault(entry, 'empty-body')) {
    return undefined;
  }
  return response?.match(/"advice_code":"(\d+)/)?.[1];
}
