import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameText, TextStore } from '../../src/journal/text-store.ts';

/** Of any length that a body may have, in any script; halves of characters are no text that UTF-8 can carry. */
const text = fc
  .tuple(fc.string({ unit: 'binary' }), fc.constantFrom(1, 7, 700, 9_000))
  .map(([piece, times]) => Buffer.from(piece.repeat(times)).toString());

describe('stored texts', () => {
  it('read as they were written, whatever was written after them', () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), (texts) => {
        const store = new TextStore();
        const stored = texts.map((one) => store.keep(one));
        store.clear();
        store.keep('another one');
        expect(stored.map((one) => one.read())).toEqual(texts);
        expect(stored.map(({ bytes }) => bytes)).toEqual(
          texts.map((one) => Buffer.byteLength(one)),
        );
      }),
      { numRuns: 200 },
    );
  });

  it('are the same where they read the same', () => {
    const few = fc.constantFrom('', 'a', 'b', 'ä', 'ab', 'ä'.repeat(3_000));
    fc.assert(
      fc.property(fc.array(few), few, few, (before, one, other) => {
        const store = new TextStore();
        for (const each of before) store.keep(each);
        expect(isSameText(store.keep(one), store.keep(other))).toBe(one === other);
      }),
    );
    expect(isSameText(undefined, undefined)).toBe(true);
    expect(isSameText(new TextStore().keep(''), undefined)).toBe(false);
  });
});
