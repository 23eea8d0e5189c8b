/** The rules that requests are compared with: all rules except those that were used up long ago. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import { includesOperation, type Rule, type RuleSource } from './rule.ts';

/** Used-up rules that still explain themselves as near misses. Only the latest ones interest a test. */
const maxSpent = 20;

/** Keeps the cost of a request independent of used-up rules and of rules for other operations. */
export class ActiveRules {
  #rules: Rule[] = [];
  #spent: readonly Rule[] = [];
  /** Rules by source and operation. A list is built on demand and dropped when the rules change. */
  readonly #byOperation: Record<RuleSource, Map<OperationName, readonly Rule[]>> = {
    armed: new Map(),
    shared: new Map(),
    scenario: new Map(),
  };

  /** Lists the rules of a source for an operation, in the order they were added. A retired rule leaves no running loop. */
  listFor(
    source: RuleSource,
    { operation, writes }: { readonly operation: OperationName; readonly writes: boolean },
  ): readonly Rule[] {
    const known = this.#byOperation[source].get(operation);
    if (known !== undefined) return known;
    const rules = this.#rules.filter(
      (rule) =>
        rule.source === source &&
        rule.operations.some((pattern) => includesOperation(pattern, operation, writes)),
    );
    this.#byOperation[source].set(operation, rules);
    return rules;
  }

  /** All rules that a request may be compared with. */
  get all(): readonly Rule[] {
    return this.#rules;
  }

  add(rule: Rule): void {
    this.#rules.push(rule);
    this.#byOperation[rule.source].clear();
  }

  remove(test: (rule: Rule) => boolean): void {
    this.#rules = this.#rules.filter((rule) => !test(rule));
    this.#spent = this.#spent.filter((rule) => !test(rule));
    for (const lists of Object.values(this.#byOperation)) lists.clear();
  }

  /** Marks a rule that will never fire again. Beyond the limit, the oldest such rule is removed. */
  retire(rule: Rule): void {
    if (this.#spent.includes(rule)) return;
    this.#spent = [...this.#spent, rule];
    const [oldest] = this.#spent;
    if (this.#spent.length > maxSpent && oldest !== undefined) {
      this.remove((one) => one === oldest);
    }
  }
}
