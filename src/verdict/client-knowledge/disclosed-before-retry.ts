/** What a client had been shown of a request before it asked for the same again, though the first answer said nothing. */
import type { OperationName } from '../../contract/service/operations.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { restoreId } from '../../outcomes/effects/long-id-dialect.ts';
import { firstDisclosures, isAnswerReceived } from './disclosure.ts';
import type { Evidence } from '../evidence/evidence.ts';
import { gapMs } from '../evidence/exchange-order.ts';
import { createdIds } from '../evidence/exchange-results.ts';
import { memoize } from '../evidence/journal-index.ts';
import type { OnceOnlyOperation } from '../purchases/attempts.ts';
import { sameIntentWindowMs } from '../purchases/series.ts';

/** Whether an answer, with its id, or a read between the two showed the client that `doubt` had been carried out. */
export function isDisclosedBefore(
  evidence: Evidence,
  doubt: StoredEntry,
  again: StoredEntry,
): boolean {
  if (doubt.concludes === 'OK') return true;
  const shown = firstDisclosureSeqs(evidence);
  return idsOf(evidence, doubt).some((id) => (shown.get(id) ?? Infinity) < again.seq);
}

/** The same, and some time went by: whoever was shown it may want it once more. */
export function isDisclosedLongBefore(
  evidence: Evidence,
  doubt: StoredEntry,
  again: StoredEntry,
): boolean {
  return gapMs(doubt, again) > sameIntentWindowMs && isDisclosedBefore(evidence, doubt, again);
}

/** `seq` of the first answer that showed each record which a request in doubt made: a list tells of those in it only. */
const firstDisclosureSeqs = memoize((evidence: Evidence): ReadonlyMap<string, number> => {
  const shown = new Map<string, number>();
  const paid = doubtful(evidence, ['payment.create']);
  const captured = doubtful(evidence, ['auth.capture']);
  for (const told of [
    firstDisclosures({ ids: paid, includesCaptures: false }, evidence),
    firstDisclosures({ ids: captured, includesCaptures: true }, evidence),
  ]) {
    for (const [id, { seq }] of told) note(shown, id, seq);
  }
  const refunded = doubtful(evidence, refunds);
  noteNamed(evidence, refunded, showRefunds, shown);
  noteRefunds(evidence, refunded, shown);
  noteNamed(evidence, doubtful(evidence, ['card.create']), showCards, shown);
  return shown;
});

const refunds = ['sale.refund', 'capture.refund'] as const;
const refunding: ReadonlySet<OperationName> = new Set(refunds);

const showRefunded: ReadonlySet<OperationName> = new Set(['sale.get', 'capture.get']);

/** Answers that hold the ids of refunds, and of cards. */
const showRefunds = [
  ...refunds,
  'refund.get',
  'sale.refunds',
  'payment.get',
  'payment.list',
] as const satisfies readonly OperationName[];
const showCards = [
  'card.create',
  'card.get',
  'card.list',
] as const satisfies readonly OperationName[];

/** What was made by requests that were tried again, and whose answer said nothing. */
function doubtful(
  evidence: Evidence,
  operations: readonly OnceOnlyOperation[],
): ReadonlySet<string> {
  const doubts = evidence.retriedGroups
    .filter(({ operation }) => operations.includes(operation))
    .flatMap(({ attempts }) => attempts.filter(({ concludes }) => concludes !== 'OK'));
  return new Set(doubts.flatMap((doubt) => idsOf(evidence, doubt)));
}

/** A payment, and its sale or authorization; of other requests what they made. */
function idsOf({ records }: Evidence, doubt: StoredEntry): string[] {
  return createdIds(doubt).flatMap((id) => [
    id,
    ...Array.from(records.payments.get(id)?.related ?? [], (one) => one.id),
  ]);
}

function note(shown: Map<string, number>, id: string, seq: number): void {
  if (seq < (shown.get(id) ?? Infinity)) shown.set(id, seq);
}

function noteNamed(
  evidence: Evidence,
  ids: ReadonlySet<string>,
  operations: readonly OperationName[],
  shown: Map<string, number>,
): void {
  if (ids.size === 0) return;
  for (const entry of evidence.of(...operations)) {
    if (!isAnswerReceived(entry)) continue;
    for (const text of entry.shownIds) {
      const id = restoreId(text);
      if (ids.has(id)) note(shown, id, entry.seq);
    }
  }
}

/**
 * A sale or capture tells of its refunds without naming them: of all of them where it is refunded, and of the only one
 * where a part of it is.
 */
function noteRefunds(
  evidence: Evidence,
  ids: ReadonlySet<string>,
  shown: Map<string, number>,
): void {
  const records = [...ids].flatMap((id) => evidence.records.refunds.get(id)?.of.id ?? []);
  for (const record of new Set(records)) {
    const made = evidence
      .about(record, refunding)
      .flatMap((entry) => createdIds(entry).map((id) => ({ id, seq: entry.seq })));
    let next = 0;
    for (const read of evidence.about(record, showRefunded)) {
      if (!isAnswerReceived(read)) continue;
      const state = memberOf(evidence.answerOf(read), 'state');
      const [first, second] = made;
      const isOnly = (first?.seq ?? Infinity) < read.seq && (second?.seq ?? Infinity) > read.seq;
      if (state === 'partially_refunded' && first !== undefined && isOnly) {
        note(shown, first.id, read.seq);
      }
      if (state !== 'refunded') continue;
      for (let one = made[next]; one !== undefined && one.seq < read.seq; one = made[++next]) {
        note(shown, one.id, read.seq);
      }
    }
  }
}
