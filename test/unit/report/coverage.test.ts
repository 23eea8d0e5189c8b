/** Coverage: what counts, how runs are added up, and how it reads. */
import { describe, expect, it } from 'vitest';
import { coverageText } from '../../../src/report/coverage-text.ts';
import {
  coverageReading,
  CoverageError,
  mergeCoverage,
  readCoverage,
  type Coverage,
} from '../../../src/report/coverage.ts';
import { coveragePriorities } from '../../../src/outcomes/coverage-priorities.ts';

const of = (operations: Coverage['operations'], tried: Coverage['tried'] = {}): Coverage => ({
  format: 'card-vault-sandbox/coverage',
  version: 1,
  operations,
  tried,
});

describe('coverage', () => {
  it('is nothing where nothing was asked', () => {
    const { percent, tried, missing, unused } = coverageReading(of({}));
    expect([percent, tried, missing]).toEqual([0, [], []]);
    expect(unused).toEqual([...new Set(coveragePriorities.map(({ operation }) => operation))]);
    expect(mergeCoverage([])).toEqual(of({}));
  });

  it('counts what is worth trying, on operations that were asked, and rounds down', () => {
    const { percent, tried, missing } = coverageReading(
      of(
        { 'card.create': 9, 'card.get': 3 },
        // Met, but not among what is worth most; and on an operation that nothing is wanted of.
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

  it('is 100 only where all was tried', () => {
    const all = of({ 'card.delete': 1 }, { 'card.delete': { 'reset-after-commit': 1 } });
    expect(coverageReading(all)).toMatchObject({ percent: 100, missing: [] });
  });

  it('adds runs up in any order, and changes none of them', () => {
    const runs = [
      of({ 'payment.create': 2 }, { 'payment.create': { 'reset-after-commit': 1 } }),
      of(
        { 'payment.create': 1, 'card.get': 4 },
        { 'payment.create': { 'reset-after-commit': 2, 'slow-dribble': 1 } },
      ),
      of({ 'card.get': 1 }, { 'card.get': { 'slow-dribble': 1 } }),
    ];
    const before = structuredClone(runs);
    const merged = of(
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

  it('is what its file says, and a broken file is told by place', () => {
    const good = of({ 'payment.create': 2 }, { 'payment.create': { 'reset-after-commit': 1 } });
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

describe('coverage for people', () => {
  it('names what to try next, the most money first, and ten at most', () => {
    const lines = coverageText(of({ 'payment.create': 1, 'card.delete': 2 })).split('\n');
    expect(lines[0]).toBe(
      '0 % of what is worth trying was tried: 0 of 28 outcomes on the operations that were asked.',
    );
    const named = lines.filter((line) => line.startsWith('  '));
    expect(named[0]).toBe('  payment.create  reset-after-commit: RST instead of an answer');
    expect(named).toHaveLength(11);
    expect(named.at(-1)).toBe('  and 18 more');
    expect(lines.at(-1)).toMatch(/^Never asked: sale\.refund, .*token\.create\.$/);
  });

  it('says nothing more where all was tried', () => {
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
    expect(coverageText(of(operations, everything))).toBe(
      `100 % of what is worth trying was tried: ${coveragePriorities.length} of ${coveragePriorities.length} outcomes on the operations that were asked.`,
    );
  });
});
