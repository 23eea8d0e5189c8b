import type { FindingRule, Detection } from '../finding-rule.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { groupRepeats } from '../../evidence/group-by.ts';
import { idempotencyKeyOf } from '../../client-knowledge/idempotency-keys.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { gapMs } from '../../evidence/exchange-order.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import { dayMs } from '../../../domain/calendar.ts';
import { problems } from '../../../contract/problems.ts';
import { isDeepStrictEqual } from 'node:util';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { recordWorkOf, cardAndAmountOf } from '../../evidence/request-fields.ts';
import { stepsOf, memberAlong } from '../../../shared/unknown-value.ts';

/** One PayPal-Request-Id was sent with two different requests. */
export const keyReusedForOtherIntent: FindingRule = {
  id: 'key-reused-for-other-intent',
  severity: 'high',
  about: 'One PayPal-Request-Id was sent with two different requests.',
  remedy: 'Make a new PayPal-Request-Id for each purchase, refund and card.',
  find: reusedKeys,
};

function* reusedKeys(evidence: Evidence): Generator<Detection> {
  const holders = new Map<string, StoredEntry>();
  const told = new Set<string>();
  const keyed = evidence.keyed.filter(
    ({ operation, method }) => method === 'POST' && operation !== undefined,
  );
  const shared = groupRepeats(keyed, 2, ({ requestId }) => requestId);
  for (const entry of [...shared.values()].flat().toSorted((a, b) => a.seq - b.seq)) {
    const name = idempotencyKeyOf(entry);
    const holder = holders.get(name);
    // An id is free again once its request was refused.
    const holds = entry.committed || hasUnknownOutcome(entry);
    if (holder === undefined) {
      if (holds) holders.set(name, entry);
      continue;
    }
    if (told.has(name) || !isOther(evidence, holder, entry)) continue;
    told.add(name);
    const asked = asksTheSame(evidence, holder, entry)
      ? putOtherwise(entry.operation)
      : {
          what: `One PayPal-Request-Id was sent with two different requests of ${entry.operation ?? ''}.`,
          ...(hasUnknownOutcome(holder) && { remedy: ofDoubtful }),
        };
    yield { ...asked, evidence: [holder, entry] };
  }
}

/** Bodies in another order of keys are the same. The journal hides what cards have; the service has seen it. */
function isOther(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  if (gapMs(holder, entry) >= requestIdRetentionDays * dayMs) return false;
  const invoice = invoiceOf(evidence, holder);
  // One invoice asked for with another amount is no other purchase: that is `amount-drift`.
  if (invoice !== undefined && invoice === invoiceOf(evidence, entry)) return false;
  if (entry.problem === problems['request-id-reused'].name && entry.outcomes.length === 0) {
    return true;
  }
  if (holder.request === entry.request) return false;
  const [held, sent] = [evidence.bodyOf(holder), evidence.bodyOf(entry)];
  return held !== undefined && sent !== undefined && !isDeepStrictEqual(held, sent);
}

/** Whether two bodies mean one thing. Where the journal shows no difference, it hid one, as of two raw cards. */
function asksTheSame(evidence: Evidence, holder: StoredEntry, entry: StoredEntry): boolean {
  const sent = evidence.bodyOf(entry);
  if (sent !== undefined && isDeepStrictEqual(evidence.bodyOf(holder), sent)) return false;
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

/** The other body may be for the same thing, with another sum or number: with a new id it would be done twice. */
const ofDoubtful =
  'Find out first what came of a request whose answer was lost: repeat it with its own body and PayPal-Request-Id, or look it up. Only then send another body, with an id of its own.';

/** Whoever sends it with a new id may do it twice. */
function putOtherwise(operation = ''): Pick<Detection, 'what' | 'remedy'> {
  return {
    what: `One PayPal-Request-Id was sent with two bodies of ${operation} that ask for the same; only the same body is known for a repeat.`,
    remedy:
      'Keep the body with the PayPal-Request-Id and send the very same one with every try, or look up what came of the first.',
  };
}

const toInvoice = stepsOf('transactions[0].invoice_number');

function invoiceOf(evidence: Evidence, entry: StoredEntry): unknown {
  return memberAlong(evidence.requestFieldsOf(entry), toInvoice);
}
