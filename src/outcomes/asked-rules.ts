/** The rules that requests are held against: all but those that were used up long ago. */
import type { Rule } from './rule.ts';

/** Used-up rules that still say so to a request they take in: whoever armed thousands means the latest ones. */
const mostSpent = 20;

/** What a request costs here does not grow with the rules that have served. */
export class AskedRules {
  #rules: Rule[] = [];
  #spent: readonly Rule[] = [];

  get isEmpty(): boolean {
    return this.#rules.length === 0;
  }

  /** In the order they were added. Whoever walks through them sees each, also where one is retired meanwhile. */
  get all(): readonly Rule[] {
    return this.#rules;
  }

  add(rule: Rule): void {
    this.#rules.push(rule);
  }

  remove(test: (rule: Rule) => boolean): void {
    this.#rules = this.#rules.filter((rule) => !test(rule));
    this.#spent = this.#spent.filter((rule) => !test(rule));
  }

  /** Says that a rule will never fire again. The oldest of too many such rules is asked no more. */
  retire(rule: Rule): void {
    if (this.#spent.includes(rule)) return;
    this.#spent = [...this.#spent, rule];
    const [oldest] = this.#spent;
    if (this.#spent.length > mostSpent && oldest !== undefined) {
      this.remove((one) => one === oldest);
    }
  }
}
