import { describe, expect, it } from 'vitest';
import {
  addDuration,
  type Duration,
  durationPattern,
  readDuration,
  readDurationMs,
  timePointMs,
} from '../../../src/domain/duration.ts';

function read(text: string): Duration {
  const duration = readDuration(text);
  if (duration === undefined) throw new Error(`${text} is not a duration.`);
  return duration;
}

function after(from: string, duration: string): string {
  return new Date(addDuration(Date.parse(from), read(duration))).toISOString();
}

describe('duration', () => {
  it.each([
    ['2026-05-06T07:08:09.010Z', '1ms', '2026-05-06T07:08:09.011Z'],
    ['2026-05-06T07:08:09.010Z', '5s', '2026-05-06T07:08:14.010Z'],
    ['2026-05-06T07:08:09.010Z', '+90m', '2026-05-06T08:38:09.010Z'],
    ['2026-05-06T07:08:09.010Z', '1.5h', '2026-05-06T08:38:09.010Z'],
    ['2026-05-06T07:08:09.010Z', '-10d', '2026-04-26T07:08:09.010Z'],
    ['2026-05-06T07:08:09.010Z', 'P3Y', '2029-05-06T07:08:09.010Z'],
    ['2026-05-06T07:08:09.010Z', '-P10D', '2026-04-26T07:08:09.010Z'],
    ['2026-05-06T07:08:09.010Z', '-PT2H', '2026-05-06T05:08:09.010Z'],
    ['2026-05-06T07:08:09.010Z', '+P1W', '2026-05-13T07:08:09.010Z'],
    ['2026-05-06T07:08:09.010Z', '-P1Y2M3W4DT5H6M7S', '2025-02-09T02:02:02.010Z'],
    ['2026-01-06T00:00:00.000Z', '-P1M', '2025-12-06T00:00:00.000Z'],
  ])('leads from %s by %s to %s', (from, duration, to) => {
    expect(after(from, duration)).toBe(to);
  });

  it.each([
    ['2026-03-31T12:00:00.000Z', '-P1M', '2026-02-28T12:00:00.000Z'],
    ['2028-02-29T12:00:00.000Z', 'P1Y', '2029-02-28T12:00:00.000Z'],
    ['2026-08-31T12:00:00.000Z', 'P1M', '2026-09-30T12:00:00.000Z'],
  ])('ends on the last day of a shorter month: %s by %s is %s', (from, by, to) => {
    expect(after(from, by)).toBe(to);
  });

  it.each([
    '',
    '5',
    's',
    '5 s',
    '5S',
    '1e3s',
    '.5s',
    '--5s',
    '1s5ms',
    '1000000d',
    '1000000000s',
    'P',
    'PT',
    'P1',
    '10D',
    'P1.5D',
    'P1DT',
    'P1H',
    'P-1D',
    'p1d',
    'P1D2Y',
    'P1000Y',
  ])('does not accept %j', (text) => {
    expect(text).not.toMatch(durationPattern);
    expect(readDuration(text)).toBeUndefined();
  });

  it('leaves the time unchanged if it is zero', () => {
    expect(timePointMs(1234, 99)).toBe(1234);
    expect(timePointMs(read('PT1S'), 99)).toBe(1099);
  });

  it.each([
    ['1.1s', 1_100],
    ['P1M', 31 * 86_400_000],
    [0, 0],
    [0.5, 0.5],
    ['-0s', 0],
    ['-1s', undefined],
    ['-P1D', undefined],
    [-1, undefined],
    [Number.NaN, undefined],
    [Infinity, undefined],
    ['soon', undefined],
  ])('%j is %j in milliseconds', (given, ms) => {
    expect(readDurationMs(given)).toBe(ms);
  });

  it('counts months from a time', () => {
    expect(readDurationMs('P1M', Date.parse('2026-02-01T00:00:00Z'))).toBe(28 * 86_400_000);
  });
});
