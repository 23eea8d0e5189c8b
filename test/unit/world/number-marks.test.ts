import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { showAny } from '../../../src/redaction/hide-card-numbers.ts';
import { redactFreeText, redactText } from '../../../src/redaction/redact.ts';
import { NumberMarks } from '../../../src/world/number-marks.ts';
import { appearsIn, twins } from '../../properties/support/card-numbers.ts';
import { runs } from '../../support/vitest/runs.ts';

const mask = 'xxxxxxxxxxxx0331';

describe('the marks of numbers that look alike', () => {
  it('are letters, none for the first number', () => {
    const marks = new NumberMarks();
    const given = Array.from({ length: 29 }, (_, at) => marks.markOf(`number ${at}`, mask));
    expect(given.slice(0, 3)).toEqual(['', '(b)', '(c)']);
    expect(given.slice(25)).toEqual(['(z)', '(aa)', '(ab)', '(ac)']);
    expect(new Set(given).size).toBe(29);
  });

  it('are counted for each mask', () => {
    const marks = new NumberMarks();
    marks.markOf('one', mask);
    expect(marks.markOf('two', 'xxxxxxxxxxxx1111')).toBe('');
    expect(marks.markOf('two', mask)).toBe('(b)');
  });

  it('stay the same, also in a world that continues', () => {
    const marks = new NumberMarks();
    marks.markOf('one', mask);
    marks.markOf('two', mask);
    const other = new NumberMarks(marks.state);
    expect([marks, other].map((all) => all.markOf('two', mask))).toEqual(['(b)', '(b)']);
    marks.markOf('three', mask);
    expect(other.markOf('four', mask)).toBe('(c)');
  });

  it('are given to 10,000 numbers', () => {
    const marks = new NumberMarks();
    for (let at = 0; at < 10_000; at++) marks.markOf(`number ${at}`, `mask ${at % 2}`);
    expect(marks.markOf('one more', 'mask 1')).toBe('');
    expect(marks.markOf('number 3', 'mask 1')).toBe('(b)');
  });

  it('keep two texts apart that differ in a number alone, and show nothing of it', () => {
    const frame = fc.stringMatching(/^[a-z ]{0,9}$/);
    fc.assert(
      fc.property(twins, frame, frame, ({ one, other }, before, after) => {
        fc.pre(one.number !== other.number);
        const marks = new NumberMarks();
        const masking = {
          ...showAny,
          markOf: (number: string, behind: string) => marks.markOf(number, behind),
        };
        const texts = [one, other].map(({ number }) => `${before}${number}${after}`);
        const masked = texts.map((text) => redactFreeText(text, masking));
        expect(masked[0]).not.toBe(masked[1]);
        expect(texts.map((text) => redactFreeText(text, masking))).toEqual(masked);
        expect(masked.map((text) => redactFreeText(text, masking))).toEqual(masked);
        const bodies = texts.map((text) => redactText(JSON.stringify({ custom: text }), masking));
        expect(bodies).toEqual(masked.map((text) => JSON.stringify({ custom: text })));
        const kept = JSON.stringify([masked, bodies, [...(marks.state?.marks ?? [])]]);
        for (const { number } of [one, other]) expect(appearsIn(kept, number)).toBe(false);
      }),
      { numRuns: runs(500) },
    );
  });

  it('leave a masked number in JSON a text', () => {
    const marks = new NumberMarks();
    marks.markOf('4111111111111111', 'xxxxxxxxxxxx1111');
    const masking = {
      ...showAny,
      markOf: (number: string, behind: string) => marks.markOf(number, behind),
    };
    expect(redactText('{"custom":4012888888881881,"other":[4012888888801111]}', masking)).toBe(
      '{"custom":"xxxxxxxxxxxx1881","other":["xxxxxxxxxxxx1111(b)"]}',
    );
  });
});
