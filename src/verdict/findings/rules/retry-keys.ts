/** Findings about request ids: what makes a repeat safe. */
import { isDeepStrictEqual } from 'node:util';
import { severities, type Severity } from '../../../contract/severities.ts';
import { problems } from '../../../contract/problems.ts';
import { dayMs } from '../../../domain/calendar.ts';
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memberAlong, stepsOf } from '../../../shared/unknown-value.ts';
import { requestIdRetentionDays } from '../../../world/idempotency.ts';
import {
  isDisclosedBefore,
  isDisclosedLongBefore,
} from '../../client-knowledge/disclosed-before-retry.ts';
import { isReadBefore } from '../../client-knowledge/disclosure.ts';
import { idempotencyKeyOf, isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import { ReconciliationReads } from '../../client-knowledge/reconciliation.ts';
import { isReversedBefore } from '../../client-knowledge/reversal.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { areParallel, gapMs } from '../../evidence/exchange-order.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import { groupRepeats } from '../../evidence/group-by.ts';
import { recordIdIn } from '../../evidence/journal-index.ts';
import { cardAndAmountOf, recordWorkOf } from '../../evidence/request-fields.ts';
import type { FindingRule, Notice } from '../finding-rule.ts';
import { capitalize } from '../../phrases.ts';
import { duplicateSeverity, type AttemptGroup } from '../../purchases/attempts.ts';

export const keyRules: readonly FindingRule[] = [
  {
    id: 'retry-without-key',
    severity: 'critical',
    about:
      'A request whose answer was lost or unreadable was sent again without a PayPal-Request-Id.',
    remedy:
      'Send a PayPal-Request-Id with every POST that must not be done twice, the same one each time.',
    find: (evidence) => unsafeRetries(evidence, 'without-key'),
  },
  {
    id: 'new-key-on-retry',
    severity: 'critical',
    about:
      'A request whose answer was lost or unreadable was sent again with another PayPal-Request-Id.',
    remedy:
      'Make one PayPal-Request-Id for each purchase, capture and refund, keep it before the first try, and send it with every try.',
    find: (evidence) => unsafeRetries(evidence, 'new-key'),
  },
  {
    id: 'key-reused-for-other-intent',
    severity: 'high',
    about: 'One PayPal-Request-Id was sent with two different requests.',
    remedy: 'Make a new PayPal-Request-Id for each purchase, refund and card.',
    find: reusedKeys,
  },
];

/** A repeat that the service cannot know for one. */
interface UnsafeRetry {
  /** The request that may have been carried out. */
  readonly doubt: StoredEntry;
  readonly again: StoredEntry;
  /** The client had kept the id of `doubt` for an earlier repeat. */
  readonly keptIdBefore: boolean;
}

function* unsafeRetries(evidence: Evidence, kind: 'without-key' | 'new-key'): Generator<Notice> {
  // Whoever was refused has seen nothing, unless it was told that there is nothing to see.
  const lookups = new ReconciliationReads(
    evidence,
    ({ concludes, status }) => concludes === 'OK' || status === 404,
  );
  for (const task of evidence.retriedGroups) {
    for (const retry of unsafeOf(evidence, task, lookups)) {
      const { doubt, again } = retry;
      const hasBoth = doubt.requestId !== undefined && again.requestId !== undefined;
      if ((kind === 'new-key') !== hasBoth) continue;
      yield {
        what: `${capitalize(task.description)} was asked for again ${hasBoth ? 'with another PayPal-Request-Id' : 'without a PayPal-Request-Id on both tries'}, although ${knownWords(evidence, retry)}.`,
        evidence: [doubt, again],
        purchase: task.purchase,
        ...weightOf(evidence, task, retry),
      };
    }
  }
}

function* unsafeOf(
  evidence: Evidence,
  task: AttemptGroup,
  lookups: ReconciliationReads,
): Generator<UnsafeRetry> {
  const seen = new Set<string>();
  let doubt: StoredEntry | undefined;
  let keptIdBefore = false;
  for (const entry of task.attempts) {
    const { requestId } = entry;
    if (doubt !== undefined && isReversedBefore(evidence, doubt, entry)) doubt = undefined;
    const isRepeat = doubt !== undefined && hasSameId(doubt, entry);
    // Without an invoice number, ids that are kept tell things apart that look alike.
    const isForOther =
      !isRepeat &&
      doubt !== undefined &&
      !task.isNamed &&
      ((requestId !== undefined && seen.has(requestId)) ||
        isKeyResentAfter(evidence, doubt, entry));
    if (requestId !== undefined) seen.add(requestId);
    if (
      doubt !== undefined &&
      !isRepeat &&
      !isForOther &&
      !entry.replayed &&
      !areParallel(doubt, entry)
    ) {
      // Whoever looked and saw that nothing had been done may begin anew.
      const sawNothing = !doubt.committed && lookups.hasReadAfter(task.operation, doubt, entry.seq);
      if (!sawNothing) yield { doubt, again: entry, keptIdBefore };
    }
    if (hasUnknownOutcome(entry)) {
      keptIdBefore = isRepeat;
      if (!isRepeat || doubt?.committed !== true) doubt = entry;
    } else if (settles(entry) && !isForOther) {
      doubt = undefined;
      keptIdBefore = false;
    }
  }
}

function hasSameId(one: StoredEntry, other: StoredEntry): boolean {
  return one.requestId !== undefined && one.requestId === other.requestId;
}

/** Answers that came before anybody looked whether the request had been carried out. */
const turnedAwayUnseen: ReadonlySet<number> = new Set([302, 401, 403, 408, 425, 429]);

function settles({ concludes, status }: StoredEntry): boolean {
  return concludes === 'OK' || (concludes === 'FAIL' && !turnedAwayUnseen.has(status));
}

function knownWords(evidence: Evidence, { doubt, again }: UnsafeRetry): string {
  if (doubt.committed && isDisclosedBefore(evidence, doubt, again)) {
    return 'the client had been shown that the try before had been carried out';
  }
  const end = doubt.committed ? '; it had' : '';
  return `nobody could know whether the try before had been carried out${end}`;
}

function weightOf(
  evidence: Evidence,
  task: AttemptGroup,
  { doubt, again, keptIdBefore }: UnsafeRetry,
): Pick<Notice, 'severity' | 'confidence'> {
  const { operation, isNamed } = task;
  const isKnown =
    isReadBefore(evidence, doubt, again) || isDisclosedLongBefore(evidence, doubt, again);
  // Whoever keeps ids and now sends another, with no invoice number, may sell the same thing once more, and so may
  // whoever asked for the first by name, or was shown it some time ago.
  if (!isNamed && (keptIdBefore || isKnown)) {
    return { severity: 'medium', confidence: 'possible' };
  }
  const severity = duplicateSeverity[operation];
  // Nothing could be done twice: there was nothing yet, or the invoice number of a payment stood in the way.
  const isHarmless = !doubt.committed || (isNamed && operation === 'payment.create');
  return {
    severity: isHarmless ? milder(severity) : severity,
    confidence: isNamed ? 'certain' : 'likely',
  };
}

function milder(severity: Severity): Severity {
  return severities[severities.indexOf(severity) + 1] ?? severity;
}

function* reusedKeys(evidence: Evidence): Generator<Notice> {
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
function putOtherwise(operation = ''): Pick<Notice, 'what' | 'remedy'> {
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
