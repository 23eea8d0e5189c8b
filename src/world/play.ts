/** Plays a scenario in a world: its cards, rules, state and timeline. */
import { storeCard } from '../domain/card.ts';
import { givenCards, namedCardId } from '../scenarios/given-cards.ts';
import type { LoadedScenario } from '../scenarios/load.ts';
import { ScenarioMistake } from '../scenarios/mistake.ts';
import { toRules, type Stage } from '../scenarios/rules.ts';
import { timelineOf } from '../scenarios/timeline.ts';
import { cardOwner } from './draft.ts';
import { cardDraft } from './fixture-drafts.ts';
import type { World } from './world.ts';

/** Puts a scenario into a fresh world; it begins at the world's present. */
export function playScenario(world: World, scenario: LoadedScenario, realNowMs: number): void {
  const startMs = world.nowMs();
  world.scenarioStartMs = startMs;
  for (const { ref, card, validUntilMs } of givenCards(scenario, startMs)) {
    const stored = storeCard(world, cardDraft(card, startMs), cardOwner(card));
    if (!stored.ok) {
      throw new ScenarioMistake([`the given card "${ref}" is refused: ${stored.refusal.reason}`]);
    }
    world.commit(stored.value);
    world.givenCards.set(ref, stored.value.subject);
    const record = world.cards.get(stored.value.subject);
    if (record !== undefined && validUntilMs !== undefined) {
      world.cards.put({ ...record, validUntilMs });
    }
  }
  world.ruleBook.state = scenario.document.states?.[0];
  for (const entry of timelineOf(scenario, startMs)) world.stage.push(entry);
  replaceRules(world, scenario, realNowMs);
}

/** Gives a world what a scenario forces and expects in place of what it had from one; nothing else of it changes. */
export function replaceRules(world: World, scenario: LoadedScenario, realNowMs: number): void {
  const stage = stageOf(world, realNowMs);
  const startMs = world.scenarioStartMs ?? stage.startMs;
  world.expect = scenario.document.expect;
  world.ruleBook.replaceScenario(toRules(scenario, { ...stage, startMs }));
}

/** What rules depend on in this world. */
export function stageOf(world: World, realNowMs: number): Stage {
  return {
    startMs: world.nowMs(),
    realStartMs: realNowMs,
    cardIdOf: (named) => namedCardId(world.givenCards, named),
  };
}
