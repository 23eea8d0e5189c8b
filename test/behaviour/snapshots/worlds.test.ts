/** A restored world is one of those that play the sandbox's scenario exactly where the kept one was. */
import { expect, it } from 'vitest';
import { loadFixtures } from '../../../src/fixtures/load.ts';
import { loadScenario } from '../../../src/scenarios/load.ts';
import { Beginnings } from '../../../src/world/initial-state.ts';
import { Worlds } from '../../../src/world/worlds.ts';
import { settings } from '../../unit/fixtures/build.ts';

it('a reloaded scenario reaches worlds that began with it, restored or not, and no others', () => {
  const beginnings = new Beginnings(settings, loadFixtures('empty'));
  const worlds = new Worlds(beginnings.plain, 10, 10);
  const own = worlds.remake('own', beginnings.with(loadScenario('dunning')));
  const shared = worlds.enter('shared');
  if (own === undefined || shared === undefined) throw new Error('There is no room.');
  const kept = { own: worlds.keep(own), shared: worlds.keep(shared) };
  worlds.reset('own');
  worlds.remake('shared', beginnings.with(loadScenario('dunning')));
  worlds.resume('own', kept.own, kept.own.apart);
  worlds.resume('shared', kept.shared, kept.shared.apart);
  expect(worlds.beginWith(beginnings.plain).map(({ merchant }) => merchant)).toEqual(['shared']);
});
