/** A table behaves like plain arrays, never changes its base, and releases what is removed. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Table, type Indexes } from '../../../src/world/store/table.ts';
import { runs } from '../../support/vitest/runs.ts';

interface Thing {
  readonly id: string;
  readonly createdAtMs: number;
  readonly updatedAtMs: number;
  readonly colour: string | undefined;
  readonly size: string | undefined;
}

const indexes: Indexes<Thing, 'colour' | 'size'> = {
  colour: (thing) => thing.colour,
  size: (thing) => thing.size,
};
const colours = ['red', 'blue', 'size red'] as const;

const change = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    colour: fc.constantFrom(undefined, ...colours),
    size: fc.constantFrom(undefined, 'red'),
    ageMs: fc.constantFrom(0, 0, 10),
  }),
  fc.record({ kind: fc.constantFrom('touch' as const, 'remove' as const), which: fc.nat() }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** A model of a table: two arrays. */
class Model {
  byCreation: Thing[] = [];
  byUpdate: Thing[] = [];

  copy(): Model {
    const copy = new Model();
    copy.byCreation = [...this.byCreation];
    copy.byUpdate = [...this.byUpdate];
    return copy;
  }
}

function play(
  table: Table<Thing, 'colour' | 'size'>,
  model: Model,
  of: Change,
  nowMs: number,
): void {
  if (of.kind === 'add') {
    const { colour, size, ageMs } = of;
    // Updated after its creation, like records in fixtures.
    const lastMs = model.byCreation.at(-1)?.createdAtMs ?? 0;
    const createdAtMs = Math.max(lastMs, nowMs - ageMs);
    const thing = { id: `thing ${nowMs}`, createdAtMs, updatedAtMs: nowMs, colour, size };
    table.put(thing);
    model.byCreation.push(thing);
    model.byUpdate.push(thing);
    return;
  }
  const thing = model.byCreation[of.which % model.byCreation.length];
  if (thing === undefined) {
    table.remove('nothing');
    return;
  }
  const at = model.byCreation.indexOf(thing);
  model.byUpdate.splice(model.byUpdate.indexOf(thing), 1);
  if (of.kind === 'remove') {
    table.remove(thing.id);
    model.byCreation.splice(at, 1);
    expect(table.get(thing.id)).toBeUndefined();
    expect(table.placeOf(thing.id)).toBeUndefined();
  } else {
    const touched = { ...thing, updatedAtMs: nowMs };
    table.put(touched);
    model.byCreation[at] = touched;
    model.byUpdate.push(touched);
  }
}

function expectLike(table: Table<Thing, 'colour' | 'size'>, model: Model): void {
  const all = (sequence: typeof table.byCreation) =>
    table.resolve(sequence.slice(0, sequence.size));
  expect(table.size).toBe(model.byCreation.length);
  expect(all(table.byCreation)).toEqual(model.byCreation);
  expect(all(table.byUpdate)).toEqual(model.byUpdate);
  for (const colour of colours) {
    expect(all(table.by('colour', colour))).toEqual(
      model.byCreation.filter((thing) => thing.colour === colour),
    );
    expect(all(table.by('size', colour))).toEqual(
      model.byCreation.filter((thing) => thing.size === colour),
    );
  }
  for (const [rank, thing] of model.byCreation.entries()) {
    const place = table.placeOf(thing.id);
    expect(table.get(thing.id)).toEqual(thing);
    expect(place && table.byCreation.rankOf(place.seq)).toBe(rank);
    expect(place && table.lastUpdate(place).atMs).toBe(thing.updatedAtMs);
  }
}

describe('a table', () => {
  it('behaves like arrays, and tables on one base do not affect it or each other', () => {
    fc.assert(
      fc.property(
        fc.array(change, { maxLength: 80, size: 'max' }),
        fc.array(fc.tuple(fc.nat({ max: 1 }), change), { maxLength: 120, size: 'max' }),
        (beginning, changes) => {
          const first = new Table(indexes);
          const model = new Model();
          let nowMs = 100;
          for (const of of beginning) play(first, model, of, ++nowMs);
          expectLike(first, model);
          const base = first.toBase();
          const before = structuredClone(base);
          const histories = [0, 1].map(() => ({
            table: new Table(indexes, base),
            model: model.copy(),
          }));
          for (const [which, of] of changes) {
            const history = histories[which];
            if (history !== undefined) play(history.table, history.model, of, ++nowMs);
          }
          for (const history of histories) {
            expectLike(history.table, history.model);
            expectLike(new Table(indexes, history.table.toBase()), history.model);
          }
          expect(base).toEqual(before);
          expectLike(new Table(indexes, base), model);
        },
      ),
      { numRuns: runs(60) },
    );
  });

  const churns: Readonly<
    Record<string, (table: Table<Thing, 'colour' | 'size'>, at: number) => string>
  > = {
    'coming and going': (table, at) => {
      table.put({
        id: `${at}`,
        createdAtMs: at,
        updatedAtMs: at,
        colour: 'red',
        size: `${at % 7}`,
      });
      table.remove(`${at - 50}`);
      return `${at}`;
    },
    'changing again and again': (table, at) => {
      const id = `${at % 50}`;
      table.put({ id, createdAtMs: 0, updatedAtMs: at, colour: 'red', size: undefined });
      return id;
    },
    'each with a member of its own': (table, at) => {
      table.put({
        id: `${at}`,
        createdAtMs: at,
        updatedAtMs: at,
        colour: `${at}`,
        size: undefined,
      });
      table.remove(`${at - 50}`);
      return `${at}`;
    },
  };

  it.each(Object.keys(churns))('keeps only live records under heavy churn: %s', async (kind) => {
    const table = new Table(indexes);
    const places: WeakRef<object>[] = [];
    const records: WeakRef<object>[] = [];
    for (let at = 0; at < 20_000; at++) {
      const id = churns[kind]?.(table, at) ?? '';
      const place = table.placeOf(id);
      const record = table.get(id);
      if (place === undefined || record === undefined) throw new Error('It was just put there.');
      places.push(new WeakRef(table.lastUpdate(place)));
      records.push(new WeakRef(record));
    }
    await collectGarbage();
    const alive = (refs: readonly WeakRef<object>[]) =>
      new Set(refs.flatMap((ref) => ref.deref() ?? [])).size;
    expect(alive(records)).toBeLessThan(60);
    // An order is compacted at more than 64 holes if they are the majority; there are up to nine
    // orders here.
    expect(alive(places)).toBeLessThan(1000);
    expect(table.size).toBe(50);
  });
});

/** A weak reference lasts until the end of the job that created it. */
async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  await new Promise((resolve) => setImmediate(resolve));
  if (typeof collect === 'function') collect();
}
