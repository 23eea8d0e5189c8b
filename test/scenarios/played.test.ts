/** Every scenario that ships, played to its end by a client at each door: answers, money, rules, and what it expects. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { loadScenario, shippedScenarios } from '../../src/scenarios/load.ts';
import { expectBalanced } from '../forcing/books.ts';
import { throughEveryDoor } from '../support/doors.ts';
import { Buyer } from './plays/buyer.ts';
import { faultsOf } from './plays/expectations.ts';
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
    expect(Object.keys(plays).toSorted()).toEqual(shippedScenarios().toSorted());
  });
});

const table = Object.entries(plays).map(([name, play]) => ({ name, play }));
const careless = table.flatMap(({ name, play }) =>
  play.careless === undefined ? [] : [{ name, play: play.careless }],
);

throughEveryDoor('a good client', (door) => {
  it.each(table)('lives through $name', async ({ name, play }) => {
    const shop = door.shop(`good-at-${name}`);
    shop.merchant.scenario(name);
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
    expect(faultsOf(loadScenario(name).document.expect ?? {}, buyer)).toEqual([]);
  });
});

throughEveryDoor('a careless client', (door) => {
  it.each(careless)('does not: $name', async ({ name, play }) => {
    const shop = door.shop(`careless-at-${name}`);
    shop.merchant.scenario(name);
    const buyer = new Buyer(shop);
    await play(buyer);
    expect(faultsOf(loadScenario(name).document.expect ?? {}, buyer)).not.toEqual([]);
  });
});
