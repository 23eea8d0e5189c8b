/** Plays a scenario in a world: its cards, rules, state and timeline. */
import { storeCard } from '../../domain/card/card.ts';
import { readGivenCards, resolveCardId } from '../../scenarios/given-cards.ts';
import type { LoadedScenario } from '../../scenarios/load.ts';
import { ScenarioError } from '../../scenarios/scenario-error.ts';
import { buildGates } from '../../scenarios/gates.ts';
import { buildRules, type RuleContext } from '../../scenarios/rules/rules.ts';
import { buildTimeline } from '../../scenarios/timeline.ts';
import { cardOwner } from '../request-drafts.ts';
import { cardDraft } from '../fixtures/fixture-drafts.ts';
import type { World } from '../world.ts';

/**
 * Plays a scenario in a fresh world, starting at the world's current time. Throws a `ScenarioError`
 * that names each card which the vault refuses.
 */
export function playScenario(world: World, scenario: LoadedScenario, realNowMs: number): void {
  const startMs = world.nowMs();
  world.scenarioStartMs = startMs;
  giveCards(world, scenario, startMs);
  world.ruleBook.state = scenario.document.states?.[0];
  for (const entry of buildTimeline(scenario, startMs)) world.timeline.push(entry);
  replaceRules(world, scenario, realNowMs);
}

function giveCards(world: World, scenario: LoadedScenario, startMs: number): void {
  const mistakes: string[] = [];
  for (const [at, { ref, card, validUntilMs }] of readGivenCards(scenario, startMs).entries()) {
    const stored = storeCard(world, cardDraft(card, startMs), cardOwner(card));
    if (!stored.ok) {
      const place = scenario.at(['given', 'cards', at]);
      // A scenario writes month and year as one key.
      const reason = stored.refusal.reason.replace('expire_month, expire_year', 'expire');
      mistakes.push(
        `${place}: the given card "${ref}" is refused at ${new Date(startMs).toISOString()}. ${reason}`,
      );
      continue;
    }
    world.commit(stored.value);
    world.givenCards.set(ref, stored.value.subject);
    const record = world.cards.get(stored.value.subject);
    if (record !== undefined && validUntilMs !== undefined) {
      world.cards.put({ ...record, validUntilMs });
    }
  }
  if (mistakes.length > 0) throw new ScenarioError(mistakes);
}

/**
 * Replaces the rules, gates and expectations that came from a scenario. Nothing else in the world changes.
 */
export function replaceRules(world: World, scenario: LoadedScenario, realNowMs: number): void {
  const stage = stageOf(world, realNowMs);
  const startMs = world.scenarioStartMs ?? stage.startMs;
  world.expect = scenario.document.expect;
  world.ruleBook.replaceScenario(buildRules(scenario, { ...stage, startMs }));
  world.gates.replaceScenario(buildGates(scenario, { ...stage, startMs }));
}

/** The parts of this world that rules depend on. */
export function stageOf(world: World, realNowMs: number): RuleContext {
  return {
    startMs: world.nowMs(),
    realStartMs: realNowMs,
    cardIdOf: (named) => resolveCardId(world.givenCards, named),
  };
}
