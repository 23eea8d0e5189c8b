/** A patched table reads like a table with the patched rows. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PatchedTable } from '../../../src/world/store/patched-table.ts';
import {
  Table,
  tableBase,
  type Indexes,
  type Row,
  type TableView,
} from '../../../src/world/store/table.ts';

interface Thing {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly colour: string | undefined;
}

const indexes: Indexes<Thing, 'colour'> = { colour: ({ colour }) => colour };
const colours = ['red', 'blue', undefined] as const;
const ids = Array.from({ length: 12 }, (_, at) => `thing-${at}`);

const step = fc.tuple(fc.constantFrom('put', 'put', 'remove'), fc.constantFrom(...ids));

/** Adds, changes, re-adds and removes records. */
function play(
  table: Table<Thing, 'colour'>,
  steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[],
  startMs: number,
): void {
  for (const [at, [what, id]] of steps.entries()) {
    const atMs = startMs + at;
    if (what === 'remove') table.remove(id);
    else {
      const colour = colours[ids.indexOf(id) % colours.length];
      const createdAtMs = table.get(id)?.createdAtMs ?? atMs;
      table.put({ id, createdAtMs, updatedAtMs: atMs, colour });
    }
  }
}

/** Everything that can be read of a table. */
function readingOf(view: TableView<Thing, 'colour'>, lastSeq: number) {
  const orders = [
    view.byCreation,
    view.byUpdate,
    view.by('colour', 'red'),
    view.by('colour', 'no'),
  ];
  const upTo = Array.from({ length: lastSeq + 2 }, (_, at) => at);
  return {
    things: ids.map((id) => [view.get(id), view.placeOf(id)]),
    orders: orders.map((order) => ({
      size: order.size,
      ranks: upTo.map((seq) => [order.rankOf(seq), order.rankAt(100 + seq)]),
      pages: upTo.flatMap((from) =>
        [0, 1, 3, 99].map((length) => order.slice(from - 1, from - 1 + length)),
      ),
      all: view.resolve(order.slice(0, order.size)),
      updates: order.slice(0, order.size).map((entry) => view.lastUpdate(entry)),
    })),
  };
}

it('a patched table reads like a table with those rows', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 30 }),
      fc.array(step, { maxLength: 30 }),
      fc.subarray(ids),
      (beginning, changes, taken) => {
        const live = new Table(indexes);
        play(live, beginning, 100);
        const before = new Map(ids.map((id) => [id, live.rowOf(id)]));
        play(live, changes, 130);
        const patches = new Map(taken.map((id) => [id, before.get(id)]));
        const rows = ids
          .map((id) => (patches.has(id) ? patches.get(id) : live.rowOf(id)))
          .filter((row): row is Row<Thing> => row !== undefined);
        const expected = new Table(indexes, tableBase(indexes, rows, live.lastSeq));
        expect(readingOf(new PatchedTable(live, indexes, patches), live.lastSeq)).toEqual(
          readingOf(expected, live.lastSeq),
        );
      },
    ),
  );
});
