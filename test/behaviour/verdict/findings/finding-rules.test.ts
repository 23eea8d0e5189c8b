/** The list of rules, and the list of the names that others may use for them. */
import { describe, expect, it } from 'vitest';
import { findingIds } from '../../../../src/contract/finding-ids.ts';
import { findingRules } from '../../../../src/verdict/findings/finding-rules.ts';

describe('every name of a finding', () => {
  it('has one rule that looks for it, and every rule has a name', () => {
    expect(findingRules.map(({ id }) => id).toSorted()).toEqual(findingIds.toSorted());
  });

  it.each(findingRules)('is explained in two sentences: $id', ({ about, remedy }) => {
    for (const sentence of [about, remedy]) {
      expect(sentence).toMatch(/^[A-Z].*\.$/);
      expect(sentence.length).toBeLessThan(200);
    }
  });
});
