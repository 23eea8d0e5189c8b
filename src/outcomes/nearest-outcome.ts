/** Which outcome was probably meant by an id that does not exist. */
import { nearest } from '../shared/did-you-mean.ts';
import { outcomeIds } from './catalogue.ts';
import type { OutcomeId } from './outcome-id.ts';

/** Words that are usual for an outcome, and are spelled like none of the ids. */
const everydayNames: Readonly<Record<string, OutcomeId>> = {
  '429': 'rate-limited-seconds',
  '3ds': 'sca-required',
  declined: 'decline-generic',
  disconnect: 'reset-after-commit',
  dispute: 'chargeback-opened-won-lost',
  'expired-card': 'decline-card-expired-at-issuer',
  'lost-answer': 'reset-after-commit',
  'lost-response': 'reset-after-commit',
  'network-error': 'reset-after-commit',
  timeout: 'hang-after-commit',
};

/** Finds the outcome that was probably meant; `undefined` if none is similar. */
export function nearestOutcome(
  word: string,
  known: readonly string[] = outcomeIds,
): string | undefined {
  return Object.hasOwn(everydayNames, word) ? everydayNames[word] : nearest(word, known);
}

/** Writes the last sentence of a message; empty if no outcome is similar. */
export function didYouMeanOutcome(word: string, known?: readonly string[]): string {
  const found = nearestOutcome(word, known);
  return found === undefined ? '' : ` Did you mean "${found}"?`;
}
