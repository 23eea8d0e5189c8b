import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameText, TextStore, type StoredText } from '../../../src/journal/text/text-store.ts';

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

  it('read as they were written for as long as they are held, and never as another', () => {
    const step = fc.oneof(
      text.map((kept) => ({ kept })),
      fc.record({ held: fc.nat() }),
      fc.record({ released: fc.nat() }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const store = new TextStore();
        const all: { stored: StoredText; written: string; held: number }[] = [];
        for (const one of steps) {
          if ('kept' in one) {
            all.push({ stored: store.keep(one.kept), written: one.kept, held: 1 });
          } else {
            // One that was let go of can be held again while it is there.
            const some = 'held' in one ? all : all.filter((each) => each.held > 0);
            const picked = some[('held' in one ? one.held : one.released) % some.length];
            if (picked === undefined) continue;
            if ('held' in one) {
              const isThere = picked.stored.read() !== undefined;
              expect(store.hold(picked.stored)).toBe(isThere);
              if (isThere) picked.held++;
            } else {
              picked.held--;
              store.release(picked.stored);
            }
          }
          for (const { stored, written, held } of all) {
            const reads = held > 0 ? [written] : [written, undefined];
            expect(reads).toContain(stored.read());
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  it('make room for others once nobody holds them', () => {
    const store = new TextStore();
    const long = 'x'.repeat(40_000);
    // The first chunks are smaller than those that are written again.
    const texts = Array.from({ length: 8 }, () => store.keep(long));
    for (const one of texts) store.release(one);
    const kept = store.keep('another one');
    const later = [store.keep(long), store.keep(long)];
    expect(texts.filter((one) => one.read() === undefined)).not.toEqual([]);
    expect(texts.some((one) => isSameText(one, later[0]) && one.read() === undefined)).toBe(false);
    expect(kept.read()).toBe('another one');
    expect(later.map((one) => one.read())).toEqual([long, long]);
  });

  it('know whether they read like a text', () => {
    const alike = fc
      .tuple(fc.constantFrom('', '{"id":"', 'é', 'a'.repeat(47), 'b'.repeat(60)), text)
      .map(([start, end]) => start + end);
    const other = fc.oneof(alike, fc.constant(undefined));
    fc.assert(
      fc.property(fc.array(text), alike, other, (before, one, another = one) => {
        const store = new TextStore();
        for (const each of before) store.keep(each);
        expect(store.keep(one).reads(another)).toBe(one === another);
        expect(store.keep(one).reads(`${one.slice(0, -1)}~`)).toBe(one.endsWith('~'));
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
