/** What the journal keeps of a request that is too long to be kept whole. */
import { describe, expect, it } from 'vitest';
import { journalOf, type Exchange } from './write-entries.ts';

const pan = '4417119669820331';
const maxTextLength = 600;

/** A request to pay, with as many characters more as make it long. */
function exchangeOf(more: number, change: Readonly<Record<string, unknown>> = {}): Exchange {
  const request = JSON.stringify({
    payer: { funding_instruments: [{ credit_card: { number: pan, cvv2: '874' } }] },
    transactions: [
      {
        item_list: { items: [{ name: 'x'.repeat(more) }] },
        amount: { total: '30.11', currency: 'USD' },
        custom: `order ${pan}`,
        ...change,
      },
    ],
  });
  return { request };
}

const askOf = (exchange: Exchange) =>
  journalOf([exchange], { maxTextLength }).all()[0]?.requestSummary;

describe('of a long request', () => {
  it('is kept what it asks for, without what a card has', () => {
    const ask = askOf(exchangeOf(maxTextLength));
    expect(JSON.parse(ask ?? '')).toMatchObject({
      transactions: [{ amount: { total: '30.11', currency: 'USD' } }],
    });
    expect(ask).not.toMatch(/4417119669820331|874|x{40}/);
  });

  it('is kept nothing where it is no JSON', () => {
    expect(askOf({ request: 'a=1&'.repeat(maxTextLength) })).toBeUndefined();
  });

  it('is kept no more of that than of any text', () => {
    const ask = askOf(exchangeOf(0, { description: 'y'.repeat(2 * maxTextLength) }));
    expect(ask?.length).toBeLessThan(maxTextLength + 50);
  });

  it('counts what is kept, for as long as it is', () => {
    const bytesOf = (more: number) => journalOf([exchangeOf(more)], { maxTextLength }).bytes;
    expect(bytesOf(maxTextLength) - bytesOf(2 * maxTextLength)).toBe(0);
    const journal = journalOf([exchangeOf(maxTextLength), exchangeOf(maxTextLength)], {
      maxTextLength,
      maxEntries: 1,
    });
    expect(journal.bytes).toBe(bytesOf(maxTextLength));
  });

  it('is kept only where it is long', () => {
    expect(askOf(exchangeOf(0))).toBeUndefined();
  });
});
