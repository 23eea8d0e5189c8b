/** Repeated keys are found with work that grows like the text, and none is missed. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { findDuplicateKeys } from '../../../src/documents/duplicate-keys.ts';
import { runs } from '../../support/vitest/runs.ts';

/** A map as pairs, so that it can repeat a key. */
interface PairList {
  readonly pairs: readonly (readonly [string, Node])[];
}
type Node = number | readonly Node[] | PairList;

const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.integer({ min: 0, max: 9 }),
    fc.array(tie('node'), { maxLength: 4 }),
    fc.record({
      pairs: fc.array(
        fc.tuple(fc.constantFrom('a', 'b', 'c', '1', 'long key', '__proto__'), tie('node')),
        { maxLength: 5 },
      ),
    }),
  ),
}));

function isPairList(value: Node): value is PairList {
  return typeof value === 'object' && 'pairs' in value;
}

function write(value: Node): string {
  if (typeof value === 'number') return String(value);
  return isPairList(value)
    ? `{${value.pairs.map(([key, member]) => `${key}: ${write(member)}`).join(', ')}}`
    : `[${value.map(write).join(', ')}]`;
}

/** The repeated keys by comparing each key with all before it, and the number of pairs and items. */
function countSlowly(value: Node): { readonly repeated: string[]; readonly size: number } {
  if (typeof value === 'number') return { repeated: [], size: 0 };
  const members = isPairList(value) ? value.pairs.map(([, member]) => member) : value;
  const keys = isPairList(value) ? value.pairs.map(([key]) => key) : [];
  const inner = members.map(countSlowly);
  return {
    repeated: [
      ...keys.filter((key, at) => keys.indexOf(key) < at),
      ...inner.flatMap(({ repeated }) => repeated),
    ],
    size: members.length + inner.reduce((sum, { size }) => sum + size, 0),
  };
}

it('names every repeated key and visits each pair and item once', () => {
  fc.assert(
    fc.property(node, (value) => {
      let visits = 0;
      const document = parseDocument(write(value), { uniqueKeys: false });
      const found = findDuplicateKeys(document, () => visits++);
      const { repeated, size } = countSlowly(value);
      expect(found.map(({ key }) => key).toSorted()).toEqual(repeated.toSorted());
      expect(visits).toBe(size);
    }),
    { numRuns: runs(500) },
  );
});
