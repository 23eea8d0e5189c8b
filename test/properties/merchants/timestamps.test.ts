/** Whatever was written before it, a time reads as it would by itself. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatExpirySeconds,
  formatHttpDate,
  formatMilliseconds,
  formatSeconds,
} from '../../../src/shared/time-text.ts';

const wholeSeconds = (time: Date) => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** Times close to each other, some of them the same, around one that may be any. */
const times = fc
  .tuple(
    fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-01'), noInvalidDate: true }),
    fc.array(fc.integer({ min: -2_500, max: 2_500 }), { minLength: 2, maxLength: 40 }),
  )
  .map(([around, steps]) => steps.map((step) => around.getTime() + step));

it.each([
  ['seconds', formatSeconds, wholeSeconds],
  ['the ends of cards', formatExpirySeconds, wholeSeconds],
  ['milliseconds', formatMilliseconds, (time: Date) => time.toISOString()],
  ['the Date header', formatHttpDate, (time: Date) => time.toUTCString()],
])('is so of %s', (_what, write, writeAlone) => {
  fc.assert(
    fc.property(times, (all) => {
      expect(all.map(write)).toEqual(all.map((atMs) => writeAlone(new Date(atMs))));
    }),
  );
});
