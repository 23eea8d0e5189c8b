/** A restored world counts as playing the sandbox's scenario if the saved one did. */
import { expect, it } from 'vitest';
import { loadFixtures } from '../../../src/fixtures/load.ts';
import { loadScenario } from '../../../src/scenarios/load.ts';
import { InitialStates } from '../../../src/world/initial-state.ts';
import { Worlds } from '../../../src/world/worlds.ts';
import { settings } from '../../unit/fixtures/build-world.ts';

it('a reloaded scenario reaches all worlds that play it, restored or not, and no others', () => {
  const initialStates = new InitialStates(settings, loadFixtures('empty'));
  const worlds = new Worlds(initialStates.withoutScenario, 10, 10);
  const own = worlds.replace('own', initialStates.withScenario(loadScenario('dunning')));
  const shared = worlds.getOrCreate('shared');
  if (own === undefined || shared === undefined) throw new Error('There is no room.');
  const kept = { own: worlds.save(own), shared: worlds.save(shared) };
  worlds.reset('own');
  worlds.replace('shared', initialStates.withScenario(loadScenario('dunning')));
  worlds.restore('own', kept.own, kept.own.isCustomized);
  worlds.restore('shared', kept.shared, kept.shared.isCustomized);
  expect(
    worlds.setInitialState(initialStates.withoutScenario).map(({ merchant }) => merchant),
  ).toEqual(['shared']);
});
