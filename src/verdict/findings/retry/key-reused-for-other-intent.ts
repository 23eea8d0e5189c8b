import { isDeepStrictEqual } from 'node:util';
import { serviceProblems } from '../../../contract/problems.ts';
import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAlong, stepsOf } from '../../../shared/unknown-value.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import { idempotencyKeyOf } from '../../client-knowledge/idempotency-keys.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupRepeats } from '../../evidence/group-by.ts';
import { bySeq, gapMs } from '../../evidence/exchange-order.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { cardAndAmountOf, recordWorkOf } from '../../evidence/request-fields.ts';
import { firstExamples, formatNumber } from '../../phrases.ts';
import type { Detection, FindingRule } from '../finding-rule.ts';

/** Finds request ids that a client sent with two different bodies while the service still remembered the first. */
export const keyReusedForOtherIntent: FindingRule = {
  id: 'key-reused-for-other-intent',
  severity: 'high',
  about: 'One PayPal-Request-Id was sent with two different requests.',
  remedy: 'Create a new PayPal-Request-Id for each payment, refund and card.',
  find: findReusedKeys,
};

function* findReusedKeys(evidence: Evidence): Generator<Detection> {
  const holders = new Map<string, StoredEntry>();
  const reuses = new Map<string, StoredEntry[]>();
  const keyed = evidence.keyed.filter(
    ({ operation, method }) => method === 'POST' && operation !== undefined,
  );
  const shared = groupRepeats(keyed, 2, ({ requestId }) => requestId);
  for (const entry of [...shared.values()].flat().toSorted(bySeq)) {
    const name = idempotencyKeyOf(entry);
    const holder = holders.get(name);
    if (holder === undefined) {
      // A refused request does not use up its id.
      const usesId = entry.committed || hasUnknownOutcome(entry);
      if (usesId) holders.set(name, entry);
      continue;
    }
    if (!isOtherRequest(evidence, holder, entry)) continue;
    const reuse = reuses.get(name);
    if (reuse === undefined) reuses.set(name, [holder, entry]);
    else reuse.push(entry);
  }
  for (const reuse of reuses.values()) {
    const [holder, first] = reuse;
    if (holder === undefined || first === undefined) continue;
    const count = new Set(reuse.map(({ request }) => request)).size;
    const words = isForTheSame(evidence, holder, first)
      ? describeChangedBody(holder.operation, count)
      : describeOtherRequest(holder, count);
    yield { ...words, evidence: firstExamples(reuse) };
  }
}

/** Whether the second request differs from the first. The order of JSON keys makes no difference. */
function isOtherRequest(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  if (gapMs(holder, entry) >= requestIdRetentionDays * dayMs) return false;
  const invoice = invoiceOf(evidence, holder);
  // One invoice with another amount is the same purchase: `amount-drift` reports it.
  if (invoice !== undefined && invoice === invoiceOf(evidence, entry)) return false;
  // The service compares full bodies; the journal hides card data.
  if (entry.problem === serviceProblems['request-id-reused'].name && entry.outcomes.length === 0) {
    return true;
  }
  if (holder.request === entry.request) return false;
  const [held, sent] = [evidence.bodyOf(holder), evidence.bodyOf(entry)];
  return held !== undefined && sent !== undefined && !isDeepStrictEqual(held, sent);
}

/** Whether two different bodies mean the same purchase or the same work on a record. */
function isForTheSame(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  if (entry.operation !== 'payment.create') {
    return (
      recordIdIn(entry) !== undefined &&
      recordWorkOf(evidence, holder) === recordWorkOf(evidence, entry)
    );
  }
  return (
    holder.intent === entry.intent &&
    cardAndAmountOf(evidence, holder) === cardAndAmountOf(evidence, entry)
  );
}

type Words = Pick<Detection, 'what' | 'remedy'>;

/** @param count How many different texts the journal shows. It hides card numbers, so that two may look the same. */
function describeOtherRequest(holder: StoredEntry, count: number): Words {
  return {
    what: `One PayPal-Request-Id was sent with ${formatNumber(Math.max(2, count))} different ${holder.operation ?? ''} requests.`,
    // With a new id, the second body could do the same work twice.
    ...(hasUnknownOutcome(holder) && {
      remedy:
        'First find out what became of the request whose answer was lost: retry it with its own body and PayPal-Request-Id, or look it up. Then send the other body with a new id.',
    }),
  };
}

function describeChangedBody(operation = '', count: number): Words {
  return {
    what: `One PayPal-Request-Id was sent with ${formatNumber(Math.max(2, count))} ${operation} bodies that ask for the same thing. The service accepts a retry only with an unchanged body.`,
    // A new id is no remedy here: it could do the same work twice.
    remedy:
      'Store the body together with its PayPal-Request-Id and send both unchanged with every retry, or look up the result of the first request.',
  };
}

const toInvoice = stepsOf('transactions[0].invoice_number');

function invoiceOf(evidence: Evidence, entry: StoredEntry): unknown {
  return memberAlong(evidence.requestFieldsOf(entry), toInvoice);
}
