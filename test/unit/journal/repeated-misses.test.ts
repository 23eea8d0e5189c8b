/** Near misses that repeat on every exchange are stored once, redacted. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactText } from '../../../src/redaction/redact.ts';
import { mostMisses, RepeatedMisses } from '../../../src/journal/text/repeated-misses.ts';

const miss = fc.record({
  rule: fc.constantFrom('one', 'other'),
  why: fc.constantFrom('its time is over', 'it is not "4417119669820331"', 'cvv2=874'),
});

it('returns the same list while the near misses repeat', () => {
  fc.assert(
    fc.property(fc.array(fc.array(miss, { maxLength: 2 })), (reported) => {
      const repeated = new RepeatedMisses(redactText);
      const kept = reported.map((misses, at) => repeated.store(misses, at + 1));
      expect(kept.map(({ list }) => list)).toEqual(
        reported.map((misses) => misses.map(({ rule, why }) => ({ rule, why: redactText(why) }))),
      );
      for (const [at, misses] of reported.entries()) {
        const again = JSON.stringify(misses) === JSON.stringify(reported[at - 1]);
        if (again) expect(kept[at]).toBe(kept[at - 1]);
      }
    }),
  );
});

it('starts a new list after it is cleared', () => {
  const misses = [{ rule: 'one', why: 'its time is over' }];
  const repeated = new RepeatedMisses(redactText);
  const before = repeated.store(misses, 7);
  repeated.clear();
  expect(repeated.store(misses, 7)).toEqual(before);
  expect(repeated.store(misses, 7)).not.toBe(before);
});

it('lists the nearest ones and counts the rest', () => {
  const misses = Array.from({ length: 1_000 }, (_, at) => ({ rule: `rule-${at}`, why: 'no' }));
  const { list, leftOut } = new RepeatedMisses(redactText).store(misses, 1);
  expect(list).toEqual(misses.slice(0, mostMisses));
  expect(leftOut).toBe(1_000 - mostMisses);
});
