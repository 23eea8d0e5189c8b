import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { Detection } from '../finding-rule.ts';
import { ReconciliationReads } from '../../client-knowledge/reconciliation.ts';
import { capitalize } from '../../phrases.ts';
import { type AttemptGroup, duplicateSeverity } from '../../purchases/attempts.ts';
import { isReversedBefore } from '../../client-knowledge/reversal.ts';
import { isKeyResentAfter } from '../../client-knowledge/idempotency-keys.ts';
import { areParallel } from '../../evidence/exchange-order.ts';
import { hasUnknownOutcome } from '../../evidence/exchange-results.ts';
import {
  isDisclosedBefore,
  isDisclosedLongBefore,
} from '../../client-knowledge/disclosed-before-retry.ts';
import { isReadBefore } from '../../client-knowledge/disclosure.ts';
import { type Severity, severities } from '../../../contract/severities.ts';

/** A repeat that the service cannot know for one. */
interface UnsafeRetry {
  /** The request that may have been carried out. */
  readonly doubt: StoredEntry;
  readonly again: StoredEntry;
  /** The client had kept the id of `doubt` for an earlier repeat. */
  readonly keptIdBefore: boolean;
}

export function* unsafeRetries(
  evidence: Evidence,
  kind: 'without-key' | 'new-key',
): Generator<Detection> {
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
): Pick<Detection, 'severity' | 'confidence'> {
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
