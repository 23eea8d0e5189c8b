/** Every scenario that ships, played to its end by a client at each door: answers, money, rules, and what it expects. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadScenario, shippedScenarioNames } from '../../../src/scenarios/load.ts';
import { expectBalanced } from '../forcing/books.ts';
import { testNow, throughEveryDoor } from '../../support/transports.ts';
import { Buyer } from './plays/buyer.ts';
import { lostAnswers } from './plays/lost-answers.ts';
import { moneyLater } from './plays/money-later.ts';
import { outages } from './plays/outages.ts';
import type { Play } from './plays/play.ts';

/** How long answers were told to wait since the test began. */
const waited = vi.hoisted((): number[] => []);

// The machine's time runs a hundred times faster here: scenarios make people wait, and tests need not.
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

describe('the scenarios that ship', () => {
  it('all have a play, and no play is left without its scenario', () => {
    expect(Object.keys(plays).toSorted()).toEqual(shippedScenarioNames().toSorted());
  });

  it.each(shippedScenarioNames())('name no finding that nobody can deserve: %s', (name) => {
    const named = loadScenario(name).document.expect?.findings?.none ?? [];
    const places = named.map((id) => `findings.none.${id}`);
    const broken = plays[name]?.breaks?.some((place) => places.includes(place));
    expect(broken ?? false).toBe(named.length > 0);
  });
});

const table = Object.entries(plays).map(([name, play]) => ({ name, play }));
const careless = table.flatMap(({ name, play }) =>
  play.careless === undefined ? [] : [{ name, play: play.careless, breaks: play.breaks }],
);

/** What the scenario expects of a client, and this one did not do. */
async function brokenFor({ shop, paid }: Buyer): Promise<string[]> {
  const beliefs = Object.fromEntries([...paid].map((name) => [name, 'paid' as const]));
  const { expectations } = await shop.merchant.verdict({ beliefs });
  return expectations.filter(({ ok }) => !ok).map(({ place, found }) => `${place}: ${found}`);
}

throughEveryDoor('a good client', (door) => {
  it.each(table)('lives through $name', async ({ name, play }) => {
    const shop = door.shop(`good-at-${name}`);
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

/** Whoever waits too short a time does so on the merchant's clock, however slow this machine is. */
const onStandingTime = { systemClock: { nowMs: () => Date.parse(testNow) } };

throughEveryDoor(
  'a careless client',
  (door) => {
    it.each(careless)('does not: $name', async ({ name, play, breaks }) => {
      const shop = door.shop(`careless-at-${name}`);
      shop.merchant.playScenario(name);
      const buyer = new Buyer(shop);
      await play(buyer);
      const broken = await brokenFor(buyer);
      expect(broken.map((one) => one.split(':', 1)[0])).toEqual(breaks);
    });
  },
  onStandingTime,
);
