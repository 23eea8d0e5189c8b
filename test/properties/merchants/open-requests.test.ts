/** The requests that are open beside another one are computed correctly. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StoredEntry } from '../../../src/journal/stored-entry.ts';
import { Journal } from '../../../src/journal/journal.ts';
import { OpenRequests } from '../../../src/verdict/client-knowledge/parallel/open-requests.ts';
import { areParallel } from '../../../src/verdict/evidence/exchange-order.ts';

type Step =
  | { readonly kind: 'open'; readonly requestId: string | undefined }
  | { readonly kind: 'close'; readonly which: number; readonly state: 'delivered' | 'cut' | 'lost' }
  | { readonly kind: 'wait'; readonly delayMs: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('open' as const),
      requestId: fc.constantFrom(undefined, 'a', 'b'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      which: fc.nat(),
      state: fc.constantFrom('delivered' as const, 'cut' as const, 'lost' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      delayMs: fc.integer({ min: 1, max: 120 }),
    }),
  },
);

/** A journal of requests that open and close as the steps say. */
function journalOf(steps: readonly Step[]): readonly StoredEntry[] {
  let nowMs = 1_000;
  const journal = new Journal({}, () => nowMs);
  const open: StoredEntry[] = [];
  for (const one of steps) {
    if (one.kind === 'wait') nowMs += one.delayMs;
    else if (one.kind === 'open') {
      open.push(
        journal.open({
          debugId: `d${open.length}`,
          atMs: 0,
          method: 'POST',
          path: '/v1/payments/payment',
          operation: 'payment.create',
          merchant: 'm',
          requestId: one.requestId,
          reusedConnection: undefined,
          signs: [],
        }),
      );
    } else {
      const [entry] = open.splice(one.which % Math.max(1, open.length), 1);
      const delivery = { state: one.state, bytesTotal: 9, bytesDelivered: 0, clientLeft: false };
      if (entry !== undefined) journal.close(entry, 0, delivery, 'none');
    }
  }
  return journal.all();
}

describe('open requests', () => {
  it('are all requests that had not ended', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const underWay = new OpenRequests();
        const before: StoredEntry[] = [];
        for (const entry of journalOf(steps)) {
          const beside = before.filter((other) => areParallel(other, entry));
          expect(underWay.openAt(entry)).toEqual(beside);
          for (const id of [undefined, 'a', 'b']) {
            const others = beside.filter((one) => id === undefined || one.requestId !== id);
            expect(underWay.hasOtherKeyThan(id)).toBe(others.length > 0);
          }
          underWay.add(entry);
          before.push(entry);
        }
      }),
    );
  });
});
