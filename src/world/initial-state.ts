/** The initial state of worlds: fixtures, and optionally a scenario on top. */
import { loadFixtures, type LoadedFixtures } from '../fixtures/load.ts';
import type { LoadedScenario } from '../scenarios/load.ts';
import type { ClockStart } from './time/clock.ts';
import { buildBase, fixtureMerchant } from './fixtures/fixture-world.ts';
import type { WorldBase } from './store/store.ts';
import { playScenario } from './scenario/play-scenario.ts';
import { World, type WorldSettings } from './world.ts';

/** Everything needed to create any number of equal worlds. */
export interface InitialState {
  readonly settings: WorldSettings;
  readonly base: WorldBase;
  readonly scenario: LoadedScenario | undefined;
}

/** The initial states that one sandbox can create. */
export class InitialStates {
  readonly withoutScenario: InitialState;
  readonly #fixtures: LoadedFixtures;

  constructor(settings: WorldSettings, fixtures: LoadedFixtures) {
    this.#fixtures = fixtures;
    this.withoutScenario = { settings, base: buildBase(fixtures, settings), scenario: undefined };
  }

  /**
   * With a scenario and its own seed, clock and fixtures, if it has them. Throws a `FixtureError`
   * if those are invalid.
   */
  withScenario(scenario: LoadedScenario): InitialState {
    const { seed, clock, fixtures } = scenario.document;
    const settings: WorldSettings = {
      ...this.withoutScenario.settings,
      ...(seed === undefined ? {} : { seed: String(seed) }),
      ...(clock === undefined ? {} : { clock: startOf(clock) }),
    };
    // Fixtures are relative to the clock's start and take ids from the seed, so a change of either
    // plays them again.
    const base =
      fixtures === undefined && clock === undefined && seed === undefined
        ? this.withoutScenario.base
        : buildBase(fixtures === undefined ? this.#fixtures : loadFixtures(fixtures), settings);
    return { settings, base, scenario };
  }

  /**
   * Like `withScenario`, but plays the scenario once to check it. Throws a `ScenarioError` if the
   * vault refuses one of its cards.
   */
  withTriedScenario(scenario: LoadedScenario): InitialState {
    const initialState = this.withScenario(scenario);
    createWorld(fixtureMerchant, initialState);
    return initialState;
  }
}

/** Creates a fresh world. Throws a `ScenarioError` if the vault refuses a card of the scenario. */
export function createWorld(merchant: string, { settings, base, scenario }: InitialState): World {
  const world = new World(merchant, settings, base);
  if (scenario !== undefined) playScenario(world, scenario, settings.realNowMs());
  return world;
}

function startOf(clock: NonNullable<LoadedScenario['document']['clock']>): ClockStart {
  return { atMs: clock.start, frozen: clock.frozen ?? clock.mode === 'virtual' };
}
