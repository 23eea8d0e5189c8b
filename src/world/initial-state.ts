/** What a merchant's world begins with: the fixtures, and a scenario on top of them where one is played. */
import { loadFixtures, type LoadedFixtures } from '../fixtures/load.ts';
import type { LoadedScenario } from '../scenarios/load.ts';
import type { ClockStart } from './time/clock.ts';
import { buildBase, fixtureMerchant } from './fixtures/fixture-world.ts';
import type { WorldBase } from './store/store.ts';
import { playScenario } from './scenario/play-scenario.ts';
import { World, type WorldSettings } from './world.ts';

/** All that is needed to make any number of worlds alike. */
export interface InitialState {
  readonly settings: WorldSettings;
  readonly base: WorldBase;
  readonly scenario: LoadedScenario | undefined;
}

/** The initial states that one sandbox can make. */
export class InitialStates {
  /** Without a scenario. */
  readonly withoutScenario: InitialState;
  readonly #fixtures: LoadedFixtures;

  constructor(settings: WorldSettings, fixtures: LoadedFixtures) {
    this.#fixtures = fixtures;
    this.withoutScenario = { settings, base: buildBase(fixtures, settings), scenario: undefined };
  }

  /**
   * With a scenario: its own seed, clock and fixtures where it has them. Throws a `FixtureError` where those cannot
   * be used.
   */
  withScenario(scenario: LoadedScenario): InitialState {
    const { seed, clock, fixtures } = scenario.document;
    const settings: WorldSettings = {
      ...this.withoutScenario.settings,
      ...(seed === undefined ? {} : { seed: String(seed) }),
      ...(clock === undefined ? {} : { clock: startOf(clock) }),
    };
    // Fixtures tell the past of the clock's start, with ids of the seed: another of either means playing them anew.
    const base =
      fixtures === undefined && clock === undefined && seed === undefined
        ? this.withoutScenario.base
        : buildBase(fixtures === undefined ? this.#fixtures : loadFixtures(fixtures), settings);
    return { settings, base, scenario };
  }

  /** The same, played once where nobody sees it: throws a `ScenarioError` where a card that it gives is refused. */
  withTriedScenario(scenario: LoadedScenario): InitialState {
    const initialState = this.withScenario(scenario);
    createWorld(fixtureMerchant, initialState);
    return initialState;
  }
}

/** A fresh world. Throws a `ScenarioError` where a card that the scenario gives is refused. */
export function createWorld(merchant: string, { settings, base, scenario }: InitialState): World {
  const world = new World(merchant, settings, base);
  if (scenario !== undefined) playScenario(world, scenario, settings.realNowMs());
  return world;
}

function startOf(clock: NonNullable<LoadedScenario['document']['clock']>): ClockStart {
  return { atMs: clock.start, frozen: clock.frozen ?? clock.mode === 'virtual' };
}
