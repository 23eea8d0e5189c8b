/**
 * The latest changes of a world, so that a read can be answered from a replica that lags behind.
 */
import type { Write } from '../../domain/ports.ts';
import type { ChangeKind } from '../../outcomes/outcome.ts';
import { patchRecords, PatchedTable } from './patched-table.ts';
import { cardIndexes, type RecordStore, type RecordTables } from './store.ts';
import type { Row } from './table.ts';
import type { Authorization, Capture, Card, Payment, Refund, Sale } from '../../domain/records.ts';

/** A record before a write; absent if it did not exist. */
type PreviousVersion =
  | { readonly table: 'cards'; readonly before: Row<Card> | undefined }
  | { readonly table: 'payments'; readonly before: Row<Payment> | undefined }
  | { readonly table: 'sales'; readonly before: Sale | undefined }
  | { readonly table: 'authorizations'; readonly before: Authorization | undefined }
  | { readonly table: 'captures'; readonly before: Capture | undefined }
  | { readonly table: 'refunds'; readonly before: Refund | undefined };

/** One change of one record. */
export type PastChange = PreviousVersion & {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly atMs: number;
};

/** Limits memory. Replicas lag by little, so older changes do not matter. */
const maxChanges = 1000;

/**
 * Trim only at this multiple of the limit: moving all remaining entries on each write costs more
 * than the write.
 */
const trimFactor = 2;

export class ChangeLog {
  /** Oldest first. Only the latest `maxChanges` count. */
  #past: PastChange[];

  constructor(past: readonly PastChange[]) {
    this.#past = [...past];
  }

  /** The latest changes, oldest first. */
  get state(): readonly PastChange[] {
    return this.#past.slice(-maxChanges);
  }

  /** Records changes that are about to be written. */
  record(store: RecordStore, writes: readonly Write[], atMs: number): void {
    for (const write of writes) {
      const id = 'removed' in write ? write.removed : write.record.id;
      const past = beforeOf(store, write.table, id);
      const kind = past.before === undefined ? 'made' : 'removed' in write ? 'removed' : 'changed';
      // Spread last: V8 copies an object forty times as slowly when members follow the spread.
      this.#past.push({ kind, id, atMs, ...past });
    }
    if (this.#past.length >= trimFactor * maxChanges) this.#past = this.#past.slice(-maxChanges);
  }

  /** The time of the last change of this kind that matches. */
  lastMs(kind: ChangeKind, matches: (past: PastChange) => boolean): number | undefined {
    return this.state.findLast((past) => past.kind === kind && matches(past))?.atMs;
  }

  /** The records without changes of this kind after the given time. */
  viewWithout(kind: ChangeKind, afterMs: number, store: RecordStore): RecordTables {
    const earlier = {
      cards: new Map(),
      payments: new Map(),
      sales: new Map(),
      authorizations: new Map(),
      captures: new Map(),
      refunds: new Map(),
    } satisfies PreviousVersions;
    for (const past of this.state.toReversed()) {
      if (past.kind !== kind || past.atMs <= afterMs) continue;
      // The replica knows that a changed record has been removed since.
      if (kind === 'changed' && store[past.table].get(past.id) === undefined) continue;
      revert(earlier, past);
    }
    return {
      cards: new PatchedTable(store.cards, cardIndexes, earlier.cards),
      payments: new PatchedTable(store.payments, {}, earlier.payments),
      sales: patchRecords(store.sales, earlier.sales),
      authorizations: patchRecords(store.authorizations, earlier.authorizations),
      captures: patchRecords(store.captures, earlier.captures),
      refunds: patchRecords(store.refunds, earlier.refunds),
    };
  }
}

/** Previous versions of records, by table and id. */
type PreviousVersions = {
  readonly [K in PreviousVersion['table']]: Map<
    string,
    Extract<PreviousVersion, { readonly table: K }>['before']
  >;
};

function revert(earlier: PreviousVersions, { table, id, before }: PastChange): void {
  // `table` and `before` belong to the same union member; destructuring loses that.
  (earlier[table] as Map<string, typeof before>).set(id, before);
}

function beforeOf(store: RecordStore, table: Write['table'], id: string): PreviousVersion {
  switch (table) {
    case 'cards':
      return { table, before: store.cards.rowOf(id) };
    case 'payments':
      return { table, before: store.payments.rowOf(id) };
    case 'sales':
      return { table, before: store.sales.get(id) };
    case 'authorizations':
      return { table, before: store.authorizations.get(id) };
    case 'captures':
      return { table, before: store.captures.get(id) };
    case 'refunds':
      return { table, before: store.refunds.get(id) };
  }
}
