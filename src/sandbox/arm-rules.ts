/** Arms rules for one merchant, and for several. */
import { findPatternOverload } from '../outcomes/rules/pattern-limits.ts';
import type { Rule } from '../outcomes/rules/rule.ts';
import { readAdhocRule, readScope } from '../scenarios/rules/adhoc-rule.ts';
import type { RuleContext } from '../scenarios/rules/rules.ts';
import { RuleError } from '../scenarios/scenario-error.ts';
import { stageOf } from '../world/scenario/play-scenario.ts';
import { includesMerchant } from '../world/shared-rules.ts';
import type { World } from '../world/world.ts';
import type { Worlds } from '../world/worlds.ts';

/**
 * Arms a rule of any shape for a merchant, and returns the ids of the rules that it made.
 *
 * @throws {RuleError} If it is invalid, its name is taken, or the merchant has too many rules.
 */
export function armRule(world: World, rule: unknown, nowMs: number): string[] {
  const { ruleBook } = world;
  const rules = readAdhocRule(rule, ruleBook.nextId).build(stageOf(world, nowMs));
  for (const { id } of rules) {
    const other = ruleBook.find(id);
    if (other !== undefined) throw new RuleError([nameTaken(other)]);
  }
  if (ruleBook.size + rules.length > maxRules) throw new RuleError([tooManyRules]);
  const overload = findPatternOverload(rules, ruleBook.active);
  if (overload !== undefined) throw new RuleError([`force match: ${overload}`]);
  ruleBook.arm(rules);
  return rules.map(({ id }) => id);
}

/**
 * Arms a rule of any shape for several merchants, unless one of those that exist cannot have it.
 *
 * @throws {RuleError} If it is invalid, its name is taken, or a merchant or the sandbox has too many rules.
 */
export function armSharedRule(
  { shared, existing }: Worlds,
  forced: unknown,
  nowMs: number,
): string[] {
  const { merchants, rule } = readScope(forced);
  const adhoc = readAdhocRule(rule, shared.nextId, 'shared');
  const own = existing.filter(({ merchant }) => includesMerchant(merchants, merchant));
  const ids = adhoc.build(adhocStage(nowMs)).map(({ id }) => id);
  const sharedIds = new Set(shared.ids);
  const taken = ids.find((id) => sharedIds.has(id));
  if (taken !== undefined) {
    throw new RuleError([
      `force name: the name "${taken}" is taken by a rule for several merchants. Remove that rule first, with sandbox.all.clearRules('${taken}') or DELETE /_sandbox/rules/${encodeURIComponent(taken)}?all=true, or choose another name.`,
    ]);
  }
  for (const world of own) {
    const { ruleBook } = world;
    if (ids.some((id) => ruleBook.find(id) !== undefined)) {
      throw new RuleError([
        `force name: merchant ${world.merchant} has a rule of the name "${ids.join(', ')}". Choose another name.`,
      ]);
    }
    const built = adhoc.build(stageOf(world, nowMs));
    const overload = findPatternOverload(built, ruleBook.active);
    if (overload !== undefined) {
      throw new RuleError([`force match: at merchant ${world.merchant}, ${overload}`]);
    }
    if (ruleBook.size + built.length > maxRules) throw new RuleError([tooManyRules]);
  }
  if (shared.size >= maxSharedRules) throw new RuleError([tooManySharedRules]);
  shared.arm(adhoc, merchants, nowMs, own);
  return ids;
}

/** Fired and expired rules are kept too, so a suite that never resets collects more and more of them. */
export const maxRules = 10_000;

/** Every world that is created gets them all. */
const maxSharedRules = 1_000;

const tooManySharedRules = `force: this sandbox holds ${maxSharedRules} rules for several merchants, the most it may. Remove some with sandbox.all.clearRules() or DELETE /_sandbox/rules?all=true.`;

/** What a rule knows without a merchant. */
function adhocStage(nowMs: number): RuleContext {
  return { startMs: nowMs, realStartMs: nowMs, cardIdOf: (id) => id };
}

const tooManyRules = `force: this merchant holds ${maxRules} rules, the most it may. Fired and expired rules count too, because rules() and unfired() report them. Remove rules with clearRules() or DELETE /_sandbox/rules, or reset the merchant between tests.`;

/** A fired or expired rule keeps its name, because its counters are reported under it. */
function nameTaken({ id, source }: Rule): string {
  return source === 'armed'
    ? `force name: the name "${id}" is taken by an armed rule. Remove that rule first, with clearRules('${id}') or DELETE /_sandbox/rules/${encodeURIComponent(id)}, or choose another name.`
    : `force name: the name "${id}" is taken by a rule of the scenario. Choose another name.`;
}
