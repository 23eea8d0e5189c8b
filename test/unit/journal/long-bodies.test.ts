/** What the journal keeps of a request body that is too long. */
import { describe, expect, it } from 'vitest';
import { journalOf, type Exchange } from './write-entries.ts';

const pan = '4417119669820331';
const maxTextLength = 600;

/** A payment request, made longer by this many characters. */
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

describe('the journal', () => {
  it('keeps what a long request asks for, but no card data', () => {
    const ask = askOf(exchangeOf(maxTextLength));
    expect(JSON.parse(ask ?? '')).toMatchObject({
      transactions: [{ amount: { total: '30.11', currency: 'USD' } }],
    });
    expect(ask).not.toMatch(/4417119669820331|874|x{40}/);
  });

  it('keeps nothing extra of a long body that is not JSON', () => {
    expect(askOf({ request: 'a=1&'.repeat(maxTextLength) })).toBeUndefined();
  });

  it('truncates what it keeps like any other text', () => {
    const ask = askOf(exchangeOf(0, { description: 'y'.repeat(2 * maxTextLength) }));
    expect(ask?.length).toBeLessThan(maxTextLength + 50);
  });

  it('counts the size of what it keeps', () => {
    const bytesOf = (more: number) => journalOf([exchangeOf(more)], { maxTextLength }).bytes;
    expect(bytesOf(maxTextLength) - bytesOf(2 * maxTextLength)).toBe(0);
    const journal = journalOf([exchangeOf(maxTextLength), exchangeOf(maxTextLength)], {
      maxTextLength,
      maxEntries: 1,
    });
    expect(journal.bytes).toBe(bytesOf(maxTextLength));
  });

  it('keeps nothing extra of a short request', () => {
    expect(askOf(exchangeOf(0))).toBeUndefined();
  });
});
