/** A text that comes again and again is kept once: clients retry and poll. */
import { expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { collectGarbage } from '../properties/heap.ts';

const answer = {
  status: 200,
  problem: undefined,
  reason: undefined,
  replayed: false,
  committed: false,
  intent: undefined,
  cardId: undefined,
  subject: undefined,
  twin: undefined,
  retryAfter: undefined,
  outcomes: [],
  nearMisses: [],
  warnings: [],
} as const;

it('costs the memory of one', () => {
  const length = 10_000;
  const times = 2_000;
  const journal = new Journal({ maxEntries: times, maxBytes: 10 ** 9 });
  const fresh = (): string => Buffer.alloc(length, 'a').toString('latin1');
  const heapBytes = (): number => {
    collectGarbage();
    return process.memoryUsage().heapUsed;
  };
  const before = heapBytes();
  for (let number = 0; number < times; number++) {
    const entry = journal.open({
      debugId: `d${number}`,
      atMs: 0,
      method: 'GET',
      path: '/v1/payments/payment',
      operation: 'payment.list',
      merchant: 'm',
      requestId: undefined,
      reusedConnection: undefined,
      signs: [],
    });
    journal.answer(entry, { ...answer, request: fresh(), response: fresh() });
  }
  expect(heapBytes() - before).toBeLessThan((length * times) / 4);
  expect(journal.find().map(({ response }) => response?.length)).toEqual(
    Array.from({ length: times }, () => length),
  );
});
