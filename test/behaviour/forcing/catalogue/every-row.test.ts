/** Every catalogue row by every trigger, over both transports: phase, ledger, response, conclusion, header. */
import { describe, expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../../support/transports.ts';
import { booksOf, expectBalanced } from '../books.ts';
import { see, type Seen } from '../tolerant-client.ts';
import { expectBooks, expectHonest } from './expected-books.ts';
import { answers, expectWire, usualStatus } from './expected-response.ts';
import {
  broughtAbout,
  forcible,
  natural,
  prepare,
  triggersOf,
  type Trigger,
} from './request-plans.ts';
import type { Outcome } from '../../../../src/outcomes/outcome.ts';

const pairs = forcible.flatMap((outcome) =>
  triggersOf(outcome).map((trigger) => ({ outcome, trigger })),
);

const words = (trigger: Trigger): string =>
  'value' in trigger ? `${trigger.by} ${trigger.value}` : trigger.by;

onEveryTransport(
  'a forced outcome',
  (transport) => {
    it.each(
      pairs.map((pair) => ({ ...pair, title: `${pair.outcome.id} by ${words(pair.trigger)}` })),
    )('$title', async ({ outcome, trigger }) => {
      const shop = transport.shop();
      const { operation, call } = await prepare(shop, outcome, trigger);
      const before = await booksOf(shop);
      // The previous row may have closed every connection. This request opens one that can be reused.
      if (needsReusedConnection(outcome)) await see(shop, 'card.list', {});
      const seen = await see(shop, operation, call);
      const after = await booksOf(shop);
      if (needsReusedConnection(outcome) && transport.name === 'in process') {
        expectLeftAlone(shop, trigger, usualStatus(operation), seen);
        return;
      }
      const said = seen.headers.get('sandbox-outcome');
      const brought = broughtAbout(outcome, said);
      expect(said).toBe(answers(brought) ? `${brought.id}; by=${trigger.by}` : null);
      expectWire(brought, operation, usualStatus(operation), seen);
      expectBooks(brought, operation, before, after);
      expectHonest(brought, operation, before, after);
      expectBalanced(shop);
      expect(shop.merchant.unfired()).toEqual([]);
      if (outcome.effect.kind === 'refuse-connections') await untilOpen(shop);
    });
  },
  { magicAmounts: true, baseUrl: 'https://sandbox.test' },
);

describe('an outcome of real state', () => {
  it('cannot be forced', () => {
    expect(natural.flatMap(triggersOf)).toEqual([]);
    expect(natural.length + forcible.length).toBeGreaterThan(140);
  });
});

/** Calls in process have no connection, so no outcome can apply to a reused one. */
function needsReusedConnection({ effect }: Outcome): boolean {
  return effect.kind === 'fault' && effect.fault === 'reset-if-reused';
}

function expectLeftAlone(shop: Shop, { by }: Trigger, usual: number, seen: Seen): void {
  // A header belongs to one request: the response reports it, and nothing can fire later.
  const header = by === 'header' ? 'not-forced; by=header' : null;
  expect([seen.status, seen.headers.get('sandbox-outcome')]).toEqual([usual, header]);
  const missed = by === 'header' ? [] : ['the connection has served no request before'];
  expect(shop.merchant.unfired().map(({ lastMiss }) => lastMiss)).toEqual(missed);
}

/** Connections are accepted again after a while. The next test must wait for that. */
async function untilOpen(shop: Shop): Promise<void> {
  await expect
    .poll(() => see(shop, 'card.list', {}), { interval: 5 })
    .toMatchObject({ status: 200 });
}
