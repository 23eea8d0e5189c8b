/** The finding rules and the published list of finding ids. */
import { describe, expect, it } from 'vitest';
import { findingIds } from '../../../../src/contract/finding-ids.ts';
import { findingRules } from '../../../../src/verdict/findings/finding-rules.ts';

describe('every finding id', () => {
  it('has exactly one rule', () => {
    expect(findingRules.map(({ id }) => id).toSorted()).toEqual(findingIds.toSorted());
  });

  it.each(findingRules)('is explained in two sentences: $id', ({ about, remedy }) => {
    for (const sentence of [about, remedy]) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence.length).toBeLessThan(200);
    }
  });
});
