/** The token cache is bounded. */
import { expect, it } from 'vitest';
import { Tokens } from '../../../src/world/identity/tokens.ts';
import { collectGarbage } from '../../properties/secrets/heap.ts';

function heapUsed(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('does not cache a header with many spaces', () => {
  const tokens = new Tokens('test', { shortcut: true });
  const before = heapUsed();
  for (let at = 0; at < 3000; at++) {
    expect(tokens.read(`Bearer ${' '.repeat(10_000)}sandbox.shop-${at}`)).toEqual({
      merchant: `shop-${at}`,
    });
  }
  expect(heapUsed() - before).toBeLessThan(10_000_000);
  expect(tokens.read('Bearer sandbox.shop-1')).toEqual({ merchant: 'shop-1' });
});
