/** Regular expressions of rules: they are matched in linear time, and their sizes are limited. */
import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/outcomes/rules/facts.ts';
import { findMismatch, type Match } from '../../../src/outcomes/rules/match.ts';
import {
  compilePattern,
  findPatternProblem,
  maxMatchedLength,
  maxOperationSteps,
} from '../../../src/outcomes/rules/pattern.ts';
import { findPatternOverload } from '../../../src/outcomes/rules/pattern-limits.ts';

describe('findPatternProblem', () => {
  it.each([
    '^4929\\d{12}$',
    '^(?:[A-Z]{3}-)+\\d+$',
    '(foo|bar)?x*',
    '[(|)+*]+\\)+',
    '(a+)+$',
    '((a*))+?',
    '(?:a|aa)*$',
    `${'a?'.repeat(100)}${'a'.repeat(100)}`,
    '.*.*.*.*.*.*x',
    '(?<name>b|c)d*?',
    '\\w+@\\w+\\.\\w+',
    '\\u0041\\u{1F600}',
    '\\p{L}+\\p{Script=Greek}',
    'a{1,400}',
    '',
  ])('accepts %s', (pattern) => {
    expect(findPatternProblem(pattern)).toBeUndefined();
  });

  it.each([
    '(?=a+)b',
    '(?!a)b',
    '(?<=a+)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    'a{1,65535}',
    '(a{100}){100}',
  ])('refuses what cannot be matched in linear time: %s', (pattern) => {
    expect(findPatternProblem(pattern)).toContain('a lookahead, a lookbehind, a backreference');
  });

  it.each(['(', '[a', 'a**', '\\', '(?<n'])('refuses the invalid expression %s', (pattern) => {
    expect(findPatternProblem(pattern)).toBe('this is not a valid regular expression.');
  });

  it.each([
    ['characters', 'a'.repeat(1_001), 'has 1001 characters. At most 1000 are allowed.'],
    ['steps', '(?:[ab]{0,30}){0,30}', 'is too large: it has 1831 steps, and at most 1000'],
  ])('refuses too many %s', (_, pattern, words) => {
    expect(findPatternProblem(pattern)).toContain(words);
  });
});

describe('a regular expression', () => {
  it.each<readonly [string, readonly string[], readonly string[]]>([
    ['^4929\\d{12}$', ['4929851042331971'], ['44929851042331971', '4929']],
    ['b.d', ['abcde'], ['bd', 'b\nd']],
    ['(?<n>a|b)c$', ['xbc'], ['cc']],
    ['^\\u0041\\/$', ['A/'], ['a/']],
    ['^.$', ['a', '😀'], ['ab']],
    ['^\\p{Script=Greek}+\\P{gc=Lu}$', ['αβγ'], ['abc', 'αΒ']],
    ['^\\\\p$', ['\\p'], ['p']],
    ['^[^\\s]+$', ['order-1'], ['order 1']],
  ])('matches as in JavaScript: %s', (source, texts, others) => {
    const pattern = compilePattern(source);
    for (const text of [...texts, ...others]) {
      expect([text, pattern.test(text)]).toEqual([text, RegExp(source, 'u').test(text)]);
    }
    expect(texts.every((text) => pattern.test(text))).toBe(true);
  });

  it.each([
    '(a+)+$',
    '(a|aa)+$',
    `${'a?'.repeat(400)}${'a'.repeat(400)}$`,
    '(x+x+)+y',
    '(.*a){20}$',
  ])('ends, although it would never end in JavaScript: %s', (source) => {
    expect(compilePattern(source).test(`${'a'.repeat(300)}!`)).toBe(false);
  });
});

describe('findPatternOverload', () => {
  const rule = (operation: 'payment.create' | 'card.create' | 'any', matches: string) => ({
    operations: [operation],
    match: { description: { matches } },
  });
  const large = '(?:.{1,90}){1,5}x'; // 911 steps or so

  it('limits the steps of all rules that an operation is compared with', () => {
    const { steps } = compilePattern(large);
    const fitting = Math.floor(maxOperationSteps / steps);
    const present = Array.from({ length: fitting }, () => rule('payment.create', large));
    expect(findPatternOverload(present)).toBeUndefined();
    expect(findPatternOverload([rule('payment.create', large)], present)).toBe(
      `the regular expressions of all rules for payment.create would have ${steps * (fitting + 1)} steps, and at most 20000 are allowed, because each request is compared with all of them. A character, class or repetition is about one step. Use eq or in for exact values, or remove rules.`,
    );
    expect(findPatternOverload([rule('any', large)], present)).toContain('for payment.create');
    expect(findPatternOverload([rule('card.create', large)], present)).toBeUndefined();
    const exact = { operations: ['any' as const], match: { description: 'A-7' } };
    expect(findPatternOverload([exact], present)).toBeUndefined();
  });
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
