/** A rule's regular expression is soon done with any text, or is refused. */
import { expect, it } from 'vitest';
import { findMismatch, type Match } from '../../../src/outcomes/rules/match.ts';
import { maxMatchedLength, findPatternProblem } from '../../../src/outcomes/rules/pattern.ts';
import type { Facts } from '../../../src/outcomes/rules/facts.ts';

it.each([
  '^4929\\d{12}$',
  '^(?:[A-Z]{3}-)+\\d+$',
  '(foo|bar)?x*',
  '[(|)+*]+\\)+',
  '\\(a+\\)+',
  '(?<=a+)(?<name>b|c)d*?',
  '(?:a{3}){3}',
  '^\\w+@\\w+\\.\\w+$',
  '^\\d{1,4}-\\d{1,4}-\\d{1,4}-\\d{1,10}\\d{300}-.*.*.*$',
  'a.*b.*c',
  '',
])('%s is taken', (pattern) => {
  expect(findPatternProblem(pattern)).toBeUndefined();
});

it.each(['(a+)+', '(?:a|a)*', '((a*))+?', '(a{2,})*', '(?:(?:a|b)?c){2}', '(?:(a|b)c)+'])(
  '%s is refused',
  (pattern) => {
    expect(findPatternProblem(pattern)).toContain('a group that is repeated');
  },
);

it.each(['.*.*.*.*x', '^a*a*a*a*a*b$', '\\w+@\\w+\\.\\w+', '^a|b*b*b*b', '^a{0,99}a{2,}a+a*$'])(
  '%s is refused for its repetitions',
  (pattern) => {
    expect(findPatternProblem(pattern)).toContain('so many repetitions');
  },
);

it('meets no text that is long enough to take its time', () => {
  const match: Match = { note: { matches: 'a.*b' } };
  const missed = (length: number) => {
    const facts: Partial<Facts> = { body: { note: 'ab'.padEnd(length, 'a') } };
    // A match of the body reads nothing else.
    return findMismatch(match, facts as Facts);
  };
  expect(missed(maxMatchedLength)).toBeUndefined();
  expect(missed(maxMatchedLength + 1)).toBe('note is not {"matches":"a.*b"}');
});
