/** What became of one exchange: the records it created, the outcomes forced on it, and whether its result is known. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import { serviceProblems, type ServiceProblemKind } from '../../contract/problems.ts';
import { saysNotDone } from '../../journal/conclusion.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import { memberAlong, stepsOf } from '../../shared/unknown-value.ts';
import type { Effect, FaultName, RetryAdvice } from '../../outcomes/outcome.ts';

/** Whether an operation refunds a sale or a capture. */
export function isRefund(operation: OperationName | undefined): boolean {
  return operation === 'sale.refund' || operation === 'capture.refund';
}

const toSaleState = stepsOf('transactions[0].related_resources[0].sale.state');

/** The state of the sale that the answer to a payment shows. */
export function saleStateIn(answer: unknown): unknown {
  return memberAlong(answer, toSaleState);
}

/** Ids of the records that a request created: one, or two if the request was carried out twice. */
export function createdIds({ committed, subject, twin }: StoredEntry): readonly string[] {
  if (!committed || subject === undefined) return [];
  return twin === undefined ? [subject] : [subject, twin];
}

/** Whether a request created a record. */
export function hasCreated({ committed, subject }: StoredEntry): boolean {
  return committed && subject !== undefined;
}

/** Whether a request created a record, and its answer told the client so. */
export function isDone(entry: StoredEntry): boolean {
  return entry.concludes === 'OK' && hasCreated(entry);
}

/** Whether an answer with this refusal reached the client. */
export function isRefused(
  { problem, concludes }: StoredEntry,
  refusal: ServiceProblemKind,
): boolean {
  return problem === serviceProblems[refusal].name && concludes === 'FAIL';
}

/** Whether this transport fault was forced on the exchange. */
export function hasFault({ outcomes }: StoredEntry, fault: FaultName): boolean {
  return outcomes.some(({ id }) => {
    const effect = findOutcome(id)?.effect;
    return effect?.kind === 'fault' && effect.fault === fault;
  });
}

/** Whether an outcome with this kind of effect was forced on the exchange. */
export function hasForcedEffect({ outcomes }: StoredEntry, kind: Effect['kind']): boolean {
  return outcomes.some(({ id }) => findOutcome(id)?.effect.kind === kind);
}

/** Whether an answer was complete, and had a form that a client may fail to read. */
export function isAnsweredOddly(entry: StoredEntry): boolean {
  return (
    entry.concludes === 'OK' &&
    (hasForcedEffect(entry, 'dialect') || hasFault(entry, 'wrong-content-type'))
  );
}

/**
 * Whether another rule forced another outcome on each request, and each had a request id of its own. Tests that provoke
 * one refusal after another do so.
 */
export function areForcedApart(entries: readonly StoredEntry[]): boolean {
  const forced = entries.map(({ outcomes: [outcome] }) => outcome);
  const all = [
    forced.map((outcome) => outcome?.rule),
    forced.map((outcome) => outcome?.id),
    entries.map(({ requestId }) => requestId),
  ];
  return all.every((list) => !list.includes(undefined) && new Set(list).size === entries.length);
}

/** What the catalogue advises about a retry, for each outcome that was forced on the exchange. */
export function retryAdviceFor({ outcomes }: StoredEntry): (RetryAdvice | undefined)[] {
  return outcomes.map(({ id }) => findOutcome(id)?.retry);
}

/** Whether a client could not know what became of a request. Some answers reveal it although they say little. */
export function hasUnknownOutcome(entry: StoredEntry): boolean {
  const { concludes, committed, outcomes } = entry;
  if (concludes !== 'UNKNOWN') return false;
  // A request that was carried out did not fail, even if the catalogue row also covers the other commit point.
  if (committed) return true;
  return (
    !isRefusedByStatus(entry) && !outcomes.some(({ id }) => findOutcome(id)?.concludes === 'FAIL')
  );
}

/** Whether the client received a status that says that nothing was done. It comes before a body that may be unreadable. */
function isRefusedByStatus(entry: StoredEntry): boolean {
  return entry.delivery.bytesDelivered > 0 && saysNotDone(entry);
}

/** The last attempt, if all of them are over and no answer told what became of any. */
export function lastUnknown(attempts: readonly StoredEntry[]): StoredEntry | undefined {
  const areUnknown = attempts.every(
    (entry) => hasUnknownOutcome(entry) && entry.delivery.state !== 'open',
  );
  return areUnknown ? attempts.at(-1) : undefined;
}

/** Refusals that pass: nothing was done, and the request itself was right. */
const temporaryRefusals: ReadonlySet<number> = new Set([408, 425, 429]);

/** Whether a client may send a request again after this attempt. */
export function allowsRetry({ concludes, status }: StoredEntry): boolean {
  return concludes === 'UNKNOWN' || temporaryRefusals.has(status);
}
