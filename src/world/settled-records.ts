/** A world's records and transfers as they will be once pending money has settled. */
import type { Transfer } from '../domain/money/ledger.ts';
import type { ScheduledEvent } from '../domain/payment/overrides.ts';
import { planEvent } from '../domain/payment/settlement-events.ts';
import type { Books, RecordTypes, Write } from '../domain/ports.ts';
import { patchRecords } from './store/patched-table.ts';

/** Records by id, of all kinds. */
export type RecordsById = Pick<Books, keyof RecordTypes>;

/** The records of a world with its money. */
export interface MoneyRecords extends RecordsById {
  /** All transfers, oldest first. */
  transfers(): readonly Transfer[];
  /** The transfers since the world began: without those of fixtures, of a snapshot or of an import. */
  movedTransfers(): readonly Transfer[];
}

const settlements: ReadonlySet<ScheduledEvent['event']['kind']> = new Set([
  'sale-completes',
  'sale-is-denied',
  'sale-is-made',
  'refund-completes',
  'refund-fails',
]);

/** Whether an event ends a pending state. No client waits for reversals and disputes. */
export function isSettlement({ event }: ScheduledEvent): boolean {
  return settlements.has(event.kind);
}

/**
 * Runs events on patches over the live records, which do not change. Costs nothing for records without an event.
 *
 * @param due The events, in the order in which they happen.
 * @param booksOf Reads these records at this time. Its ids must not be those that the world will give to others.
 */
export function settle(
  live: MoneyRecords,
  due: readonly ScheduledEvent[],
  booksOf: (records: RecordsById, nowMs: () => number) => Books,
): MoneyRecords {
  const patches: Patches = {
    cards: new Map(),
    payments: new Map(),
    sales: new Map(),
    authorizations: new Map(),
    captures: new Map(),
    refunds: new Map(),
  };
  const records: RecordsById = {
    cards: patchRecords(live.cards, patches.cards),
    payments: patchRecords(live.payments, patches.payments),
    sales: patchRecords(live.sales, patches.sales),
    authorizations: patchRecords(live.authorizations, patches.authorizations),
    captures: patchRecords(live.captures, patches.captures),
    refunds: patchRecords(live.refunds, patches.refunds),
  };
  const settled: Transfer[] = [];
  let nowMs = 0;
  const books = booksOf(records, () => nowMs);
  for (const { atMs, event } of due) {
    nowMs = atMs;
    const change = planEvent(books, event);
    if (change === undefined) continue;
    for (const write of change.writes) patch(patches, write);
    settled.push(...change.transfers);
  }
  return {
    ...records,
    transfers: () => [...live.transfers(), ...settled],
    movedTransfers: () => [...live.movedTransfers(), ...settled],
  };
}

/** Records as they have become, by table and id; `undefined` if they were removed. */
type Patches = {
  readonly [K in keyof RecordTypes]: Map<string, RecordTypes[K] | undefined>;
};

function patch(patches: Patches, write: Write): void {
  if ('removed' in write) {
    patches.cards.set(write.removed, undefined);
    return;
  }
  const { table, record } = write;
  // `table` and `record` belong to the same union member; destructuring loses that.
  (patches[table] as Map<string, typeof record>).set(record.id, record);
}
