/** The rules that requests are held against: all but those that were used up long ago. */
import type { OperationName } from '../../contract/service/operations.ts';
import { includesOperation, type Rule } from './rule.ts';

/** Used-up rules that still say so to a request they take in: whoever armed thousands means the latest ones. */
const maxSpent = 20;

/** What a request costs here does not grow with the rules that have served, nor with those on other operations. */
export class ActiveRules {
  #rules: Rule[] = [];
  #spent: readonly Rule[] = [];
  /** Sorted when they are asked for, and anew once they have changed. */
  readonly #sorted: Record<Rule['source'], Map<OperationName, readonly Rule[]>> = {
    armed: new Map(),
    scenario: new Map(),
  };

  /**
   * Those of a source that take in an operation, in the order they were added. Whoever walks through them sees each,
   * also where one is retired meanwhile. Whether an operation writes is its own: one answer to it for each.
   */
  listFor(
    source: Rule['source'],
    { operation, writes }: { readonly operation: OperationName; readonly writes: boolean },
  ): readonly Rule[] {
    const known = this.#sorted[source].get(operation);
    if (known !== undefined) return known;
    const rules = this.#rules.filter(
      (rule) =>
        rule.source === source &&
        rule.operations.some((pattern) => includesOperation(pattern, operation, writes)),
    );
    this.#sorted[source].set(operation, rules);
    return rules;
  }

  add(rule: Rule): void {
    this.#rules.push(rule);
    this.#sorted[rule.source].clear();
  }

  remove(test: (rule: Rule) => boolean): void {
    this.#rules = this.#rules.filter((rule) => !test(rule));
    this.#spent = this.#spent.filter((rule) => !test(rule));
    this.#sorted.armed.clear();
    this.#sorted.scenario.clear();
  }

  /** Says that a rule will never fire again. The oldest of too many such rules is asked no more. */
  retire(rule: Rule): void {
    if (this.#spent.includes(rule)) return;
    this.#spent = [...this.#spent, rule];
    const [oldest] = this.#spent;
    if (this.#spent.length > maxSpent && oldest !== undefined) {
      this.remove((one) => one === oldest);
    }
  }
}
