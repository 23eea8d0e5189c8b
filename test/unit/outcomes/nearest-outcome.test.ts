/** Which outcome a message suggests for an id that does not exist. */
import { expect, it } from 'vitest';
import { outcomeIds } from '../../../src/outcomes/catalogue.ts';
import { didYouMeanOutcome, nearestOutcome } from '../../../src/outcomes/nearest-outcome.ts';

it.each([
  ['timeout', 'hang-after-commit'],
  ['declined', 'decline-generic'],
  ['disconnect', 'reset-after-commit'],
  ['reset-after-comit', 'reset-after-commit'],
  ['insuficient-funds', 'decline-insufficient-funds'],
])('an outcome is suggested for %s: %s', (word, outcome) => {
  expect(nearestOutcome(word)).toBe(outcome);
  expect(outcomeIds).toContain(outcome);
});

it('suggests nothing for a word that names no outcome', () => {
  expect(nearestOutcome('foo')).toBeUndefined();
  expect(didYouMeanOutcome('foo')).toBe('');
});
