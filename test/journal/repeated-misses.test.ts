/** What rules say of every exchange alike is kept once, and redacted. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactText } from '../../src/redaction/redact.ts';
import { RepeatedMisses } from '../../src/journal/repeated-misses.ts';

const miss = fc.record({
  rule: fc.constantFrom('one', 'other'),
  why: fc.constantFrom('its time is over', 'it is not "4417119669820331"', 'cvv2=874'),
});

it('is the same list while it comes again, and says what was said', () => {
  fc.assert(
    fc.property(fc.array(fc.array(miss, { maxLength: 2 })), (told) => {
      const repeated = new RepeatedMisses(redactText);
      const kept = told.map((misses) => repeated.once(misses));
      expect(kept).toEqual(
        told.map((misses) => misses.map(({ rule, why }) => ({ rule, why: redactText(why) }))),
      );
      for (const [at, misses] of told.entries()) {
        const again = JSON.stringify(misses) === JSON.stringify(told[at - 1]);
        if (again) expect(kept[at]).toBe(kept[at - 1]);
      }
    }),
  );
});

it('begins anew when it forgets', () => {
  const misses = [{ rule: 'one', why: 'its time is over' }];
  const repeated = new RepeatedMisses(redactText);
  const before = repeated.once(misses);
  repeated.forget();
  expect(repeated.once(misses)).toEqual(before);
  expect(repeated.once(misses)).not.toBe(before);
});
