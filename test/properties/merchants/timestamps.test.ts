/** A timestamp does not depend on the timestamps written before it. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  formatExpirySeconds,
  formatHttpDate,
  formatMilliseconds,
  formatSeconds,
} from '../../../src/shared/time-text.ts';

const wholeSeconds = (time: Date) => time.toISOString().replace(/\.\d{3}Z$/, 'Z');

/** Times close to each other, some equal, around any time. */
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
])('writes %s independently of earlier ones', (_what, write, writeAlone) => {
  fc.assert(
    fc.property(times, (all) => {
      expect(all.map(write)).toEqual(all.map((atMs) => writeAlone(new Date(atMs))));
    }),
  );
});
