/** Rules that were armed for every merchant or for those with a prefix, present and future. */
import type { RuleReport } from '../outcomes/rules/rule-report.ts';
import type { Rule } from '../outcomes/rules/rule.ts';
import type { MerchantScope } from '../outcomes/rules/rule-status.ts';
import type { AdhocRule } from '../scenarios/rules/adhoc-rule.ts';
import { stageOf } from './scenario/play-scenario.ts';
import type { World } from './world.ts';

interface SharedRule {
  readonly rule: AdhocRule;
  readonly merchants: MerchantScope;
  readonly armedAtRealMs: number;
  /** The rules that it becomes, as they are without a merchant. */
  readonly built: readonly Rule[];
}

/** A shared rule with its counts over all merchants. */
export interface SharedRuleReport extends RuleReport {
  readonly merchants: MerchantScope;
}

/** Whether a rule is for a merchant. */
export function includesMerchant(merchants: MerchantScope, merchant: string): boolean {
  return merchants === 'all' || merchant.startsWith(merchants.prefix);
}

/** Each merchant has its own copy of every rule, with its own counts. */
export class SharedRules {
  readonly #rules = new Map<string, SharedRule>();
  #named = 0;

  get size(): number {
    return this.#rules.size;
  }

  /** A name for a rule without one. */
  get nextId(): string {
    let next = this.#named + 1;
    while (this.#rules.has(`all-${next}`)) next++;
    return `all-${next}`;
  }

  /** The ids of all rules. */
  get ids(): readonly string[] {
    return [...this.#rules.values()].flatMap(({ built }) => built.map(({ id }) => id));
  }

  /** Adds a rule to present and future merchants. */
  arm(
    rule: AdhocRule,
    merchants: MerchantScope,
    realNowMs: number,
    worlds: readonly World[],
  ): void {
    this.#named++;
    const stage = { startMs: realNowMs, realStartMs: realNowMs, cardIdOf: (id: string) => id };
    const built = rule
      .build(stage)
      .map((one) => ({ ...one, fromMs: undefined, untilMs: undefined }));
    const shared = { rule, merchants, armedAtRealMs: realNowMs, built };
    this.#rules.set(rule.id, shared);
    for (const world of worlds) addTo(world, shared, realNowMs);
  }

  /** Removes one rule, or all, from every merchant. Returns how many. */
  remove(id: string | undefined, worlds: readonly World[]): number {
    let removed = 0;
    for (const [name, { built }] of this.#rules) {
      if (id !== undefined && name !== id && !built.some((rule) => rule.id === id)) continue;
      this.#rules.delete(name);
      removed += built.length;
      const ids = new Set(built.map((rule) => rule.id));
      for (const { ruleBook } of worlds) {
        ruleBook.remove((rule) => rule.source === 'shared' && ids.has(rule.id));
      }
    }
    return removed;
  }

  /** Adds the rules that a fresh world lacks, and removes those that no longer exist. */
  applyTo(world: World, realNowMs: number): void {
    if (this.#rules.size === 0 && world.ruleBook.isEmpty) return;
    const ids = new Set(this.ids);
    world.ruleBook.remove((rule) => rule.source === 'shared' && !ids.has(rule.id));
    for (const shared of this.#rules.values()) addTo(world, shared, realNowMs);
  }

  /** Lists the rules with their counts over these worlds. */
  report(worlds: readonly World[], realNowMs: number): SharedRuleReport[] {
    const reports = worlds
      .flatMap(({ ruleBook }) => ruleBook.report())
      .filter(({ rule }) => rule.source === 'shared');
    return [...this.#rules.values()].flatMap(({ built, merchants }) =>
      built.map((rule): SharedRuleReport => {
        const own = reports.filter((one) => one.rule.id === rule.id);
        const sum = (count: (report: RuleReport) => number) =>
          own.reduce((total, one) => total + count(one), 0);
        const isExpired = rule.expiresAtRealMs !== undefined && realNowMs >= rule.expiresAtRealMs;
        return {
          rule,
          merchants,
          activity: isExpired ? 'expired' : 'live',
          seen: sum(({ seen }) => seen),
          met: sum(({ met }) => met),
          fired: sum(({ fired }) => fired),
          blocked: sum(({ blocked }) => blocked),
          missKind: undefined,
          lastMiss: undefined,
        };
      }),
    );
  }
}

/** Adds a rule to a world of its merchants, unless it has expired. */
function addTo(
  world: World,
  { rule, merchants, armedAtRealMs }: SharedRule,
  realNowMs: number,
): void {
  if (!includesMerchant(merchants, world.merchant)) return;
  const rules = rule.build(stageOf(world, armedAtRealMs));
  world.ruleBook.addShared(
    rules.filter(({ expiresAtRealMs = Infinity }) => realNowMs < expiresAtRealMs),
  );
}
