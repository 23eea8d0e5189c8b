/** Regular expressions of rules: fast ones are accepted, slow ones are refused. */
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/outcomes/rules/facts.ts';
import { findMismatch, type Match } from '../../../src/outcomes/rules/match.ts';
import { findPatternProblem, maxMatchedLength } from '../../../src/outcomes/rules/pattern.ts';

describe('findPatternProblem', () => {
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
  ])('accepts %s', (pattern) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
  });

  it.each(['(a+)+', '(?:a|a)*', '((a*))+?', '(a{2,})*', '(?:(?:a|b)?c){2}', '(?:(a|b)c)+'])(
    'refuses the ambiguous repeated group in %s',
    (pattern) => {
      expect(findPatternProblem(pattern)).toContain('a repeated group contains');
    },
  );

  it.each(['.*.*.*.*x', '^a*a*a*a*a*b$', '\\w+@\\w+\\.\\w+', '^a|b*b*b*b', '^a{0,99}a{2,}a+a*$'])(
    'refuses too many repetitions in %s',
    (pattern) => {
      expect(findPatternProblem(pattern)).toContain('too many repetitions');
    },
  );
});

it('matches no text above the maximum length', () => {
  const match: Match = { note: { matches: 'a.*b' } };
  const mismatchOf = (length: number) => {
    const facts: Partial<Facts> = { body: { note: 'ab'.padEnd(length, 'a') } };
    // A condition on the body reads nothing else.
    return findMismatch(match, facts as Facts);
  };
  expect(mismatchOf(maxMatchedLength)).toBeUndefined();
  expect(mismatchOf(maxMatchedLength + 1)).toBe('note is not {"matches":"a.*b"}');
});
