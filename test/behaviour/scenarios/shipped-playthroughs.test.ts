/** Clients play every built-in scenario over both transports: responses, money, rules and expectations. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadScenario, shippedScenarioNames } from '../../../src/scenarios/load.ts';
import { expectBalanced } from '../forcing/books.ts';
import { testNow, onEveryTransport } from '../../support/transports.ts';
import { Buyer } from './plays/buyer.ts';
import { lostAnswers } from './plays/lost-answers.ts';
import { moneyLater } from './plays/money-later.ts';
import { outages } from './plays/outages.ts';
import type { Play } from './plays/play.ts';

/** The waits of responses since the test started. */
const waited = vi.hoisted((): number[] => []);

// Waits take a hundredth of their time, so that the tests are fast.
vi.mock(import('node:timers/promises'), async (original) => {
  const real = await original();
  const setTimeout: typeof real.setTimeout = (delayMs = 0, value, options) => {
    waited.push(delayMs);
    return real.setTimeout(delayMs / 100, value, options);
  };
  return { ...real, setTimeout };
});

beforeEach(() => {
  waited.length = 0;
});

const plays: Readonly<Record<string, Play>> = { ...lostAnswers, ...moneyLater, ...outages };

describe('the built-in scenarios', () => {
  it('each have a playthrough, and each playthrough has a scenario', () => {
    expect(Object.keys(plays).toSorted()).toEqual(shippedScenarioNames().toSorted());
  });

  it.each(shippedScenarioNames())(
    'forbid only findings that a careless client causes: %s',
    (name) => {
      const named = loadScenario(name).document.expect?.findings?.none ?? [];
      const places = named.map((id) => `findings.none.${id}`);
      const broken = plays[name]?.breaks?.some((place) => places.includes(place));
      expect(broken ?? false).toBe(named.length > 0);
    },
  );
});

const table = Object.entries(plays).map(([name, play]) => ({ name, play }));
const careless = table.flatMap(({ name, play }) =>
  play.careless === undefined ? [] : [{ name, play: play.careless, breaks: play.breaks }],
);

/** Lists the expectations of the scenario that this client broke. */
async function brokenFor({ shop, paid }: Buyer): Promise<string[]> {
  const beliefs = Object.fromEntries([...paid].map((name) => [name, 'paid' as const]));
  const { expectations } = await shop.merchant.verdict({ beliefs });
  return expectations.filter(({ ok }) => !ok).map(({ place, found }) => `${place}: ${found}`);
}

onEveryTransport('a good client', (transport) => {
  it.each(table)('passes $name', async ({ name, play }) => {
    const shop = transport.shop(`good-at-${name}`);
    shop.merchant.playScenario(name);
    const buyer = new Buyer(shop);
    await play.good(buyer);
    expectBalanced(shop);
    expect(shop.merchant.ledger().balances.USD?.merchant ?? 0).toBe(play.balanceMinor);
    const fired = Object.fromEntries(shop.merchant.rules().map((rule) => [rule.id, rule.fired]));
    expect(fired).toMatchObject(play.fired);
    expect(shop.merchant.unfired()).toEqual([]);
    if (play.waited !== undefined) {
      expect(waited.filter((ms) => ms >= 300)).toEqual(play.waited);
    }
    expect(await brokenFor(buyer)).toEqual([]);
  });
});

/** A client that waits too briefly does so on the merchant's clock, regardless of the speed of this machine. */
const onStandingTime = { systemClock: { nowMs: () => Date.parse(testNow) } };

onEveryTransport(
  'a careless client',
  (transport) => {
    it.each(careless)('fails $name', async ({ name, play, breaks }) => {
      const shop = transport.shop(`careless-at-${name}`);
      shop.merchant.playScenario(name);
      const buyer = new Buyer(shop);
      await play(buyer);
      const broken = await brokenFor(buyer);
      expect(broken.map((one) => one.split(':', 1)[0])).toEqual(breaks);
    });
  },
  onStandingTime,
);
