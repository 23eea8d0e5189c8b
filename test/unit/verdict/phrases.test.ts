/** How findings list amounts: a short list in full, a long one of equal amounts in one phrase. */
import { describe, expect, it } from 'vitest';
import { listAmounts } from '../../../src/verdict/phrases.ts';

const startMs = Date.parse('2026-05-06T07:08:09Z');
const dayMs = 86_400_000;

function moves(count: number, { minor = 3011, apartMs = 60_000 } = {}) {
  return Array.from({ length: count }, (_, at) => ({
    amount: { minor, currency: 'USD' } as const,
    atMs: startMs + at * apartMs,
  }));
}

describe('a list of amounts', () => {
  it('has each amount with its time', () => {
    expect(listAmounts(moves(1))).toBe('30.11 USD at 07:08:09');
    expect(listAmounts(moves(3))).toBe(
      '30.11 USD at 07:08:09, 30.11 USD at 07:09:09 and 30.11 USD at 07:10:09',
    );
    expect(listAmounts(moves(4)).match(/30\.11 USD/g)).toHaveLength(4);
    expect(listAmounts([])).toBe('');
  });

  it('has one phrase for more than four equal amounts', () => {
    const expected = '30.11 USD each, the first at 07:08:09 and the last at 07:27:09';
    expect(listAmounts(moves(20))).toBe(expected);
    expect(listAmounts(moves(20).toReversed())).toBe(expected);
    expect(listAmounts(moves(5, { apartMs: dayMs }))).toBe(
      '30.11 USD each, the first on 2026-05-06 07:08:09 and the last on 2026-05-10 07:08:09',
    );
  });

  it('has each amount if they differ', () => {
    const others = [...moves(4), ...moves(1, { minor: 500 })];
    expect(listAmounts(others)).toContain('5.00 USD at 07:08:09');
    const yen = { amount: { minor: 3011, currency: 'JPY' } as const, atMs: startMs };
    expect(listAmounts([...moves(4), yen])).toContain('3011 JPY at 07:08:09');
  });
});
