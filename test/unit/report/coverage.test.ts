/** Coverage: what counts, how runs are merged, and its text. */
import { describe, expect, it } from 'vitest';
import {
  CoverageError,
  coverageText,
  mergeCoverage,
  readCoverage,
  summarizeCoverage,
  type Coverage,
} from '../../../src/report/coverage.ts';
import { coveragePriorities } from '../../../src/outcomes/coverage-priorities.ts';

const coverageOf = (
  operations: Coverage['operations'],
  tried: Coverage['tried'] = {},
): Coverage => ({
  format: 'card-vault-sandbox/coverage',
  version: 1,
  operations,
  tried,
});

describe('coverage', () => {
  it('is 0 % without requests', () => {
    const { percent, tried, missing, unusedOperations } = summarizeCoverage(coverageOf({}));
    expect([percent, tried, missing]).toEqual([0, [], []]);
    expect(unusedOperations).toEqual([
      ...new Set(coveragePriorities.map(({ operation }) => operation)),
    ]);
    expect(mergeCoverage([])).toEqual(coverageOf({}));
  });

  it('counts outcomes worth trying on the operations in use, and rounds down', () => {
    const { percent, tried, missing } = summarizeCoverage(
      coverageOf(
        { 'card.create': 9, 'card.get': 3 },
        // slow-dribble is not worth trying here, and card.get has nothing worth trying.
        {
          'card.create': { 'reset-after-commit': 2, 'slow-dribble': 1 },
          'card.get': { 'slow-dribble': 1 },
        },
      ),
    );
    expect(percent).toBe(33);
    expect(tried).toEqual([{ operation: 'card.create', outcome: 'reset-after-commit' }]);
    expect(missing.map(({ outcome }) => outcome)).toEqual([
      'error-500-after-commit',
      'cvv-mismatch-declined',
    ]);
  });

  it('is 100 % if everything was tried', () => {
    const all = coverageOf({ 'card.delete': 1 }, { 'card.delete': { 'reset-after-commit': 1 } });
    expect(summarizeCoverage(all)).toMatchObject({ percent: 100, missing: [] });
  });

  it('adds up runs in any order without changing them', () => {
    const runs = [
      coverageOf({ 'payment.create': 2 }, { 'payment.create': { 'reset-after-commit': 1 } }),
      coverageOf(
        { 'payment.create': 1, 'card.get': 4 },
        { 'payment.create': { 'reset-after-commit': 2, 'slow-dribble': 1 } },
      ),
      coverageOf({ 'card.get': 1 }, { 'card.get': { 'slow-dribble': 1 } }),
    ];
    const before = structuredClone(runs);
    const merged = coverageOf(
      { 'payment.create': 3, 'card.get': 5 },
      {
        'payment.create': { 'reset-after-commit': 3, 'slow-dribble': 1 },
        'card.get': { 'slow-dribble': 1 },
      },
    );
    expect(mergeCoverage(runs)).toEqual(merged);
    expect(mergeCoverage(runs.toReversed())).toEqual(merged);
    expect(mergeCoverage([mergeCoverage(runs.slice(0, 2)), ...runs.slice(2)])).toEqual(merged);
    expect(runs).toEqual(before);
  });

  it('is read from its file, and a broken file is refused with the place of the mistake', () => {
    const good = coverageOf(
      { 'payment.create': 2 },
      { 'payment.create': { 'reset-after-commit': 1 } },
    );
    expect(readCoverage('run.json', JSON.stringify(good))).toEqual(good);
    const broken = JSON.stringify(
      { ...good, operations: { 'payment.creat': 1, 'card.get': 0 } },
      undefined,
      1,
    );
    expect(() => readCoverage('run.json', broken)).toThrow(CoverageError);
    expect(() => readCoverage('run.json', broken)).toThrow(/run\.json:5.*payment\.creat/);
  });
});

describe('the coverage text', () => {
  it('lists up to ten outcomes to try next, most valuable first', () => {
    const lines = coverageText(coverageOf({ 'payment.create': 1, 'card.delete': 2 })).split('\n');
    expect(lines[0]).toBe('0 % covered: 0 of 28 outcomes worth trying on the operations in use.');
    const named = lines.filter((line) => line.startsWith('  '));
    expect(named[0]).toBe('  payment.create  reset-after-commit: RST instead of a response');
    expect(named).toHaveLength(11);
    expect(named.at(-1)).toBe('  and 18 more');
    expect(lines.at(-1)).toMatch(/^Operations never used: sale\.refund, .*token\.create\.$/);
  });

  it('suggests nothing if everything was tried', () => {
    const everything = coveragePriorities.reduce<Record<string, Record<string, number>>>(
      (tried, { operation, outcome }) => {
        (tried[operation] ??= {})[outcome] = 1;
        return tried;
      },
      {},
    );
    const operations = Object.fromEntries(
      Object.keys(everything).map((operation) => [operation, 1]),
    );
    expect(coverageText(coverageOf(operations, everything))).toBe(
      `100 % covered: ${coveragePriorities.length} of ${coveragePriorities.length} outcomes worth trying on the operations in use.`,
    );
  });
});
