/** Sorted ids behave like a plain array and never change their base. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SortedIds, type Position } from '../../../src/world/store/sorted-ids.ts';
import { runs } from '../../support/vitest/runs.ts';

/** Differences between neighbours; two may have the same time. */
const gaps = fc.record({ seq: fc.integer({ min: 1, max: 3 }), ms: fc.constantFrom(0, 0, 1, 50) });
type Gaps = typeof gaps extends fc.Arbitrary<infer T> ? T : never;

type Change =
  | { readonly kind: 'append'; readonly gaps: readonly Gaps[] }
  /** Removes entries at these shares (of 1000), and some that do not exist. */
  | { readonly kind: 'remove'; readonly at: readonly number[] };

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    kind: fc.constant('append' as const),
    gaps: fc.array(gaps, { maxLength: 80, size: 'max' }),
  }),
  fc.record({
    kind: fc.constant('remove' as const),
    at: fc.array(fc.nat({ max: 1010 }), { maxLength: 120, size: 'max' }),
  }),
);

function entries(after: Position | undefined, of: readonly Gaps[]): Position[] {
  let { seq, atMs } = after ?? { seq: 0, atMs: 0 };
  return of.map((gap) => {
    seq += gap.seq;
    atMs += gap.ms;
    return { seq, atMs, id: `entry ${seq}` };
  });
}

function expectLike(sequence: SortedIds, model: readonly Position[], lastSeq: number): void {
  expect(sequence.size).toBe(model.length);
  expect(sequence.slice(0, model.length)).toEqual(model);
  for (const rank of [-1, 0, model.length >> 1, model.length - 1, model.length]) {
    expect(sequence.at(rank)).toEqual(rank < 0 ? undefined : model[rank]);
  }
  const lastMs = model.at(-1)?.atMs ?? 0;
  for (const part of [0, 1, 2, 3, 4]) {
    const seq = Math.floor((lastSeq * part) / 4) + (part === 4 ? 1 : 0);
    expect(sequence.rankOf(seq)).toBe(model.filter((entry) => entry.seq < seq).length);
    const atMs = Math.floor((lastMs * part) / 4) + (part === 4 ? 1 : 0);
    expect(sequence.rankAt(atMs)).toBe(model.filter((entry) => entry.atMs < atMs).length);
    const from = Math.floor((model.length * part) / 4) - 1;
    expect(sequence.slice(from, from + 7)).toEqual(model.slice(Math.max(0, from), from + 7));
  }
}

it('sorted ids behave like an array and do not change their base', () => {
  fc.assert(
    fc.property(
      fc.array(gaps, { maxLength: 200, size: 'max' }),
      fc.array(fc.tuple(fc.nat({ max: 1 }), change), { maxLength: 12, size: 'max' }),
      (beginning, changes) => {
        const base = entries(undefined, beginning);
        const before = structuredClone(base);
        Object.freeze(base).forEach(Object.freeze);
        const histories = [0, 1].map(() => ({
          sequence: new SortedIds(base),
          model: [...base],
          last: base.at(-1),
        }));
        for (const [which, of] of changes) {
          const history = histories[which];
          if (history === undefined) continue;
          if (of.kind === 'append') {
            for (const entry of entries(history.last, of.gaps)) {
              history.sequence.append(entry);
              history.model.push(entry);
              history.last = entry;
            }
          } else {
            for (const at of of.at) {
              const found = history.model[Math.floor((at * history.model.length) / 1000)];
              history.sequence.remove(found?.seq ?? at * 7);
              // Removing twice has no further effect.
              history.sequence.remove(found?.seq ?? at * 7);
              const seq = found?.seq ?? at * 7;
              history.model = history.model.filter((entry) => entry.seq !== seq);
            }
          }
          for (const { sequence, model, last } of histories) {
            expectLike(sequence, model, last?.seq ?? 0);
          }
        }
        expect(base).toEqual(before);
        expect(new SortedIds(base).slice(0, base.length)).toEqual(before);
      },
    ),
    { numRuns: runs(100) },
  );
});
