/** What the rules about duplicate charges and duplicate refunds share. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import type { DuplicateConfidence } from '../../client-knowledge/duplicate-confidence.ts';
import { reversalsOfDuplicates } from '../../client-knowledge/reversal.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { createdIds, hasCreated } from '../../evidence/exchange-results.ts';
import { formatOfMoments } from '../../phrases.ts';
import type { Detection } from '../finding-rule.ts';

/** Severity and confidence of a duplicate, by how sure it is that the client wanted it once. */
export const weights: Readonly<
  Record<DuplicateConfidence, Pick<Detection, 'severity' | 'confidence'>>
> = {
  certain: {},
  'near-certain': { confidence: 'likely' },
  likely: { severity: 'high', confidence: 'likely' },
  // The purchase has no name and the client understood every answer, so it may have wanted two.
  possible: { severity: 'medium', confidence: 'possible' },
  unlikely: { severity: 'low', confidence: 'possible' },
};

/** Whether attempts can have been executed twice. A single request is executed twice only by a forced outcome. */
export function canBeDuplicate(attempts: readonly StoredEntry[]): boolean {
  return attempts.length > 1 || attempts[0]?.twin !== undefined;
}

/** Ids of the refunds that a request created. A failed refund returned no money, so it may be sent again. */
export function refundsCreatedBy({ records }: Evidence, entry: StoredEntry): string[] {
  return createdIds(entry).filter((id) => records.refunds.get(id)?.settlement !== 'failed');
}

/** The requests that made duplicates. */
export interface Duplicates {
  readonly requests: readonly StoredEntry[];
  /** Whether something on the way sent each of them again, so that the client did not cause the duplicates. */
  readonly areDoubled: boolean;
}

/**
 * Finds the requests that made duplicates. If something on the way sent any of them again, only those count: the others are
 * no duplicates of them. A client that refunded the second record of such a request found it, and knows of both.
 *
 * @param counts Whether a record is one of the duplicates.
 */
export function findDuplicates(
  attempts: readonly StoredEntry[],
  counts: (id: string) => boolean,
): Duplicates {
  const requests = attempts.filter((entry) => createdIds(entry).some(counts));
  const doubled = requests.filter(({ twin }) => twin !== undefined && counts(twin));
  return doubled.length > 0
    ? { requests: doubled, areDoubled: true }
    : { requests, areDoubled: false };
}

/**
 * Says that the client found by itself that it had paid for one thing several times, and gave back all but one payment;
 * `undefined` if it did not.
 */
export function explainReturn(
  evidence: Evidence,
  requests: readonly StoredEntry[],
): string | undefined {
  const reversals = reversalsOfDuplicates(evidence, requests);
  const [first, last] = [requests[0], reversals.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  const verb = reversals.every(({ operation }) => operation === 'auth.void')
    ? 'voided'
    : 'refunded';
  const moment = formatOfMoments([first.atMs, last.atMs])(last.atMs);
  return `The client found this later, and ${verb} all but one payment ${moment}.`;
}

/** The first later request that was executed although it had the request id of `first`. */
export function findExecutedAgain(
  entries: readonly StoredEntry[],
  { seq, requestId }: StoredEntry,
): StoredEntry | undefined {
  if (requestId === undefined) return undefined;
  return entries.find(
    (later) => later.seq > seq && later.requestId === requestId && hasCreated(later),
  );
}
