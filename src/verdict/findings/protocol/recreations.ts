/** Records that a client created again because it did not find them in a list. */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { memberOf } from '../../../shared/unknown-value.ts';
import { hasSameKey } from '../../client-knowledge/idempotency-keys.ts';
import { groupIdenticalCards } from '../../evidence/cards.ts';
import { consecutivePairs, gapMs } from '../../evidence/exchange-order.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import { groupBy } from '../../evidence/group-by.ts';
import { textOf } from '../../evidence/request-fields.ts';
import { describeRequest, firstExamples, formatTimes } from '../../phrases.ts';
import type { Detection } from '../finding-rule.ts';
import {
  findPagesBetween,
  groupListPages,
  hasNextPage,
  maxPages,
  showsRecord,
} from './list-pages.ts';

const operations = {
  card: { list: 'card.list', create: 'card.create' },
  payment: { list: 'payment.list', create: 'payment.create' },
} as const;

type Kind = keyof typeof operations;

/** Why the client missed the record: it did not read all pages, or the list did not show the record yet. */
type Cause = 'unread-page' | 'stale-list';

/** One time that a client created a record again. */
interface Recreation {
  readonly cause: Cause;
  readonly first: StoredEntry;
  readonly pages: readonly StoredEntry[];
  readonly again: StoredEntry;
}

/** Detections of records created again after a list was read, by cause. */
export const detectRecreations = memoize(
  (evidence: Evidence): Readonly<Record<Cause, readonly Detection[]>> => {
    const detections: Record<Cause, Detection[]> = { 'unread-page': [], 'stale-list': [] };
    for (const kind of ['card', 'payment'] as const) {
      for (const recreations of findRecreations(evidence, kind)) {
        for (const [cause, alike] of groupBy(recreations, (recreation) => recreation.cause)) {
          // The invoice number protects a payment from a second charge.
          const isHarmless =
            kind === 'payment' && cause === 'stale-list' && !alike.some(isCreatedTwice);
          detections[cause].push({
            ...toDetection(cause, alike),
            ...(isHarmless && { severity: 'low' as const }),
          });
        }
      }
    }
    return detections;
  },
);

/** The recreations of each record. */
function findRecreations(evidence: Evidence, kind: Kind): Recreation[][] {
  const read = evidence.of(operations[kind].list).filter(({ concludes }) => concludes === 'OK');
  const creations = read.length === 0 ? [] : groupCreations(evidence, kind);
  const lists = groupListPages(creations.length === 0 ? [] : read);
  return creations.map(({ entries, customerId, maybeOther = false }) => {
    const recreations: Recreation[] = [];
    for (const [first, again] of consecutivePairs(entries)) {
      // With the same request id the service creates nothing again.
      if (hasSameKey(first, again) || (maybeOther && first.concludes === 'OK')) continue;
      if ((evidence.cardDeletions.get(first.subject ?? '') ?? Infinity) < again.seq) continue;
      const pages = findPagesBetween(lists, first, again, customerId);
      const last = pages.at(-1);
      if (last === undefined || pages.some((page) => showsRecord(page, first))) continue;
      const cause = hasNextPage(last) ? 'unread-page' : 'stale-list';
      if (!first.committed && (cause === 'unread-page' || isUpToDate(first, last))) continue;
      recreations.push({ cause, first, pages, again });
    }
    return recreations;
  });
}

/** The longest time that a list lags. */
const maxLagMs = 60_000;

/** Whether a list was read so long after a request that it would show what that had created. */
function isUpToDate(request: StoredEntry, list: StoredEntry): boolean {
  return gapMs(request, list) >= maxLagMs;
}

/** Requests that create the same record, oldest first. */
interface Creations {
  readonly entries: readonly StoredEntry[];
  readonly customerId: string | undefined;
  /** The client may want another one, if it knows that the first was created. */
  readonly maybeOther?: boolean;
}

/** Requests for the same record: payments with the same name, cards of one customer that look the same. */
function groupCreations(evidence: Evidence, kind: Kind): Creations[] {
  if (kind === 'payment') {
    return evidence.retriedGroups.flatMap(({ operation, attempts, purchase, hasInvoiceNumber }) => {
      if (operation !== 'payment.create') return [];
      if (!hasInvoiceNumber && purchase?.custom === undefined) return [];
      const entries = attempts.filter(mayHaveCreated);
      return [{ entries, customerId: undefined, maybeOther: !hasInvoiceNumber }];
    });
  }
  return groupIdenticalCards(evidence).flatMap((stores) => {
    const entries = stores.filter(mayHaveCreated);
    const [first] = entries;
    const customerId = first && textOf(memberOf(evidence.bodyOf(first), 'external_customer_id'));
    return customerId === undefined ? [] : [{ entries, customerId }];
  });
}

/** A refused request created nothing, and the client knows it. */
function mayHaveCreated({ committed, concludes }: StoredEntry): boolean {
  return committed || concludes === 'UNKNOWN';
}

function isCreatedTwice({ first, again }: Recreation): boolean {
  return first.committed && again.committed;
}

/** One detection for all recreations of a record: they show one habit. */
function toDetection(cause: Cause, recreations: readonly Recreation[]): Detection {
  const [first] = recreations;
  const times =
    recreations.length === 1 ? '' : ` This happened ${formatTimes(recreations.length)}.`;
  return {
    what: `${first === undefined ? '' : describe(cause, first)}${times}`,
    evidence: examplesOf(recreations),
    confidence: recreations.some((recreation) => recreation.first.committed)
      ? 'likely'
      : 'possible',
  };
}

function examplesOf(recreations: readonly Recreation[]): readonly StoredEntry[] {
  const entries = recreations
    .slice(0, maxPages)
    .flatMap(({ first, pages, again }) => [first, ...pages, again]);
  return firstExamples(new Set(entries));
}

function describe(cause: Cause, { first, pages, again }: Recreation): string {
  const list = pages.at(-1) ?? again;
  const record = first.committed
    ? (first.subject ?? '')
    : `The record that ${describeRequest(first)} may have created`;
  const reason =
    cause === 'unread-page'
      ? `was on a page of ${list.operation ?? ''} that the client did not read`
      : `was not in the answer to ${describeRequest(list)}`;
  return `${record} ${reason}, and ${describeRequest(again)} created it again.`;
}
