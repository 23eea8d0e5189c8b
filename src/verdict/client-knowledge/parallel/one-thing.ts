/** Were requests that a client sent in parallel for one thing, as those of a double click? */
import type { StoredEntry } from '../../../journal/stored-entry.ts';
import { memoize } from '../../../shared/memoize.ts';
import { isCaptureBeyondAmount } from '../../evidence/captures.ts';
import { everyPair, gapMs } from '../../evidence/exchange-order.ts';
import { createdIds } from '../../evidence/exchange-results.ts';
import type { JournalIndex } from '../../evidence/journal-index.ts';
import { numberPartsOf } from '../../evidence/key-parts.ts';
import { isNamedPart, orderNameIn } from '../../evidence/orders/order-names.ts';
import { namesPointOfSale, orderNameOf } from '../../evidence/orders/order-words.ts';
import { notesOf } from '../../evidence/records.ts';
import { paymentContentOf } from '../../evidence/request-content.ts';
import { copyAndAmountOf } from '../../evidence/request-fields.ts';
import { paymentAsRequested } from '../../evidence/requested-payments.ts';
import { firstWithKey, lastWithKey } from '../idempotency-keys.ts';
import { isOnConnectionOf } from './connections.ts';
import { parallelAttempts, type Requests } from './parallel-attempts.ts';

/**
 * Whether several requests that were sent in parallel were for one thing. Refunds were, because they name their sale. Captures
 * were if a note names one part, or together they took more than was authorized: two parts of an order may cost the same.
 */
export function isOneThingInParallel(journal: JournalIndex, group: Requests): boolean {
  const parallel = parallelAttempts(journal, group);
  const { executed } = parallel;
  if (executed.length < 2 || group.operation === 'card.create') return false;
  if (group.operation === 'auth.capture') {
    return executed.some(
      (entry) => isNamedPart(journal, entry) || isCaptureBeyondAmount(journal, entry),
    );
  }
  return (
    group.operation !== 'payment.create' ||
    areForOneOrder(journal, group.attempts, executed, parallel.isAssumed)
  );
}

/**
 * Whether payments in parallel were for one order. They were if they have one name, and all payments that carry it were asked
 * for equally often: a double click pays each part of an order twice, or fails to. Two buyers have orders of their own, and a
 * shop that writes one word into every purchase has other payments under it. A till or machine sells equal things, and may
 * open a connection for each, so that only requests that were open at once count. Request ids that number them may count
 * parts. Without a name, they were if a test held them at one gate.
 *
 * @param isAssumed Whether only the assumed time of the service shows that they were in parallel.
 */
function areForOneOrder(
  journal: JournalIndex,
  attempts: readonly StoredEntry[],
  parallel: readonly StoredEntry[],
  isAssumed: boolean,
): boolean {
  const together = new Set(parallel);
  const inTurn = attempts.filter((entry) => tookMoney(journal, entry) && !together.has(entry));
  if (inTurn.some((entry) => !wasQueued(journal, entry, parallel))) return false;
  const names = attempts.flatMap((entry) => namesIn(journal, entry));
  const [name, ...others] = new Set(names);
  if (others.length > 0) return false;
  if (name === undefined) return areHeldTogether(parallel);
  if (isAssumed && namesPointOfSale(name)) return false;
  if (everyPair(parallel, (one, next) => numberPartsOf(name, one, next))) return false;
  const counts = paymentCounts(journal).get(name);
  const clicks = names.length;
  return (
    counts !== undefined &&
    [...counts.values()].every(({ paid, failed }) => paid <= clicks && clicks <= paid + failed)
  );
}

/**
 * Whether a request may have waited for a connection of those that were sent in parallel. A pool with two connections
 * sends the third click when the first is answered.
 */
function wasQueued(
  { serviceTimeMs }: JournalIndex,
  entry: StoredEntry,
  parallel: readonly StoredEntry[],
): boolean {
  return (
    entry.arrival !== undefined &&
    parallel.some(
      (before) =>
        before.seq < entry.seq &&
        isOnConnectionOf(before, entry) &&
        gapMs(before, entry) < serviceTimeMs,
    )
  );
}

/** Whether a test held equal requests without request ids at one gate: it tests a double click. */
function areHeldTogether(entries: readonly StoredEntry[]): boolean {
  const [first] = entries;
  return (
    entries.every(({ requestId }) => requestId === undefined) &&
    first?.holds.some(({ gate }) => entries.every((entry) => wasHeldAt(gate, entry))) === true
  );
}

function wasHeldAt(gate: string, { holds }: StoredEntry): boolean {
  return holds.some((hold) => hold.gate === gate);
}

/** How often one payment under a name was made, and how often it failed. */
interface PaymentCount {
  paid: number;
  failed: number;
}

/** How many equal payments carry each name, among those that requests in the journal asked for. */
const paymentCounts = memoize(
  (journal: JournalIndex): ReadonlyMap<string, ReadonlyMap<string, PaymentCount>> => {
    const byName = new Map<string, Map<string, PaymentCount>>();
    const countsOf = (name: string, entry: StoredEntry): PaymentCount => {
      let counts = byName.get(name);
      if (counts === undefined) byName.set(name, (counts = new Map<string, PaymentCount>()));
      // Two workers may each have stored the card.
      const content = paymentContentOf(journal, entry, copyAndAmountOf);
      let count = counts.get(content);
      if (count === undefined) counts.set(content, (count = { paid: 0, failed: 0 }));
      return count;
    };
    for (const entry of journal.of('payment.create')) {
      const names = namesIn(journal, entry);
      for (const name of names) if (name !== undefined) countsOf(name, entry).paid++;
      // What is sent again counts where it is paid.
      const isFailed =
        names.length === 0 && firstWithKey(journal, entry) === lastWithKey(journal, entry);
      const name = isFailed ? orderNameIn(journal, entry) : undefined;
      if (name !== undefined) countsOf(name, entry).failed++;
    }
    return byName;
  },
);

/** Whether a request made a payment that did not fail. Its sale may have been denied at once. */
function tookMoney({ records }: JournalIndex, entry: StoredEntry): boolean {
  return createdIds(entry).some((id) => {
    const part = records.payments.get(id)?.related.first;
    return part !== undefined && records.sales.get(part.id)?.settlement !== 'denied';
  });
}

/** The name of each payment that a request created, if it took money. */
function namesIn(journal: JournalIndex, entry: StoredEntry): (string | undefined)[] {
  if (!tookMoney(journal, entry)) return [];
  return createdIds(entry).map((id) => {
    const payment = paymentAsRequested(journal, entry, id);
    return payment && orderNameOf({ ...payment.transaction, notes: notesOf(payment) });
  });
}
