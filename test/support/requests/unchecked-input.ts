/** Input that the public types forbid, as JavaScript, JSON or a file could send it. */
import type { ForcedRule, GenerateCardsOptions, ScenarioDocument } from '../../../src/index.ts';

/** A rule that the compiler does not check. */
export function asRule(rule: object): ForcedRule {
  return JSON.parse(JSON.stringify(rule));
}

/** Options of `generateCards` that the compiler does not check. */
export function asCardOptions(options: object): GenerateCardsOptions {
  return JSON.parse(JSON.stringify(options));
}

/** A scenario that the compiler does not check. */
export function asScenario(document: object): ScenarioDocument {
  return JSON.parse(JSON.stringify(document));
}
