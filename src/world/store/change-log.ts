/** What changed last in a world, so that a read can be answered from a replica that has not heard of it yet. */
import type { Write } from '../../domain/ports.ts';
import type { ChangeKind } from '../../outcomes/outcome.ts';
import { patchRecords, PatchedTable } from './patched-table.ts';
import { cardIndexes, type RecordStore, type RecordTables } from './store.ts';
import type { Row } from './table.ts';
import type { Authorization, Capture, Card, Payment, Refund, Sale } from '../../domain/records.ts';

/** What a record was before it was written; absent where there was none. */
type Before =
  | { readonly table: 'cards'; readonly before: Row<Card> | undefined }
  | { readonly table: 'payments'; readonly before: Row<Payment> | undefined }
  | { readonly table: 'sales'; readonly before: Sale | undefined }
  | { readonly table: 'authorizations'; readonly before: Authorization | undefined }
  | { readonly table: 'captures'; readonly before: Capture | undefined }
  | { readonly table: 'refunds'; readonly before: Refund | undefined };

/** One record's change. */
export type PastChange = Before & {
  readonly kind: ChangeKind;
  readonly id: string;
  readonly atMs: number;
};

/** How many are remembered: memory is bounded, and replicas lag by little. */
const maxChanges = 1000;

/** Cut back only when there is so much more: moving all that stay, at each write, costs more than the write. */
const trimFactor = 2;

export class ChangeLog {
  /** Oldest first; only the latest so many count. */
  #past: PastChange[];

  constructor(past: readonly PastChange[]) {
    this.#past = [...past];
  }

  /** What is remembered, oldest first. */
  get state(): readonly PastChange[] {
    return this.#past.slice(-maxChanges);
  }

  /** Notes what is about to be written. */
  record(store: RecordStore, writes: readonly Write[], atMs: number): void {
    for (const write of writes) {
      const id = 'removed' in write ? write.removed : write.record.id;
      const past = beforeOf(store, write.table, id);
      const kind = past.before === undefined ? 'made' : 'removed' in write ? 'removed' : 'changed';
      // What is spread stands last: V8 adds members to a copy one by one, forty times as slowly.
      this.#past.push({ kind, id, atMs, ...past });
    }
    if (this.#past.length >= trimFactor * maxChanges) this.#past = this.#past.slice(-maxChanges);
  }

  /** When something of that kind last befell a record that fits. */
  lastMs(kind: ChangeKind, fits: (past: PastChange) => boolean): number | undefined {
    return this.state.findLast((past) => past.kind === kind && fits(past))?.atMs;
  }

  /** The records as they would be, had nothing of that kind happened after an instant. */
  viewWithout(kind: ChangeKind, afterMs: number, store: RecordStore): RecordTables {
    const earlier = {
      cards: new Map(),
      payments: new Map(),
      sales: new Map(),
      authorizations: new Map(),
      captures: new Map(),
      refunds: new Map(),
    } satisfies Earlier;
    for (const past of this.state.toReversed()) {
      if (past.kind !== kind || past.atMs <= afterMs) continue;
      // What was changed may be gone by now, and the replica knows that.
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

/** What records were, by table and id, as it is kept in one. */
type Earlier = {
  readonly [K in Before['table']]: Map<string, Extract<Before, { readonly table: K }>['before']>;
};

function revert(earlier: Earlier, { table, id, before }: PastChange): void {
  // `table` and `before` are of one member of the union, which destructuring forgets.
  (earlier[table] as Map<string, typeof before>).set(id, before);
}

function beforeOf(store: RecordStore, table: Write['table'], id: string): Before {
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
