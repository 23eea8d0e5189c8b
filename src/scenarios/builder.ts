/** Builds scenarios in code. The result is the same document as in a file. */
import { loadScenario } from './load.ts';
import { toList } from './rules/rules.ts';
import type { OperationWord } from './rules/operation-words.ts';
import type {
  GateDocument,
  GivenCardDocument,
  RuleDocument,
  ScenarioDocument,
  SimpleStepDocument,
  StepDocument,
} from './document.ts';

/**
 * Starts a scenario.
 *
 * @example scenario('lost-answer').about('...').op('payment.create').nth(1).then('reset-after-commit').build()
 */
export function scenario(name: string): ScenarioBuilder {
  return new ScenarioBuilder({ scenario: name, version: 1 });
}

type TimelineDocument = NonNullable<ScenarioDocument['timeline']>[number];
type EventDocument = Omit<Extract<TimelineDocument, { event: string }>, 'at' | 'event'>;

/** Builds a scenario. Each call returns a new builder, so that scenarios can share their first part. */
export class ScenarioBuilder {
  readonly #document: ScenarioDocument;

  constructor(document: ScenarioDocument) {
    this.#document = document;
  }

  /** Sets what the scenario is for. Default: its name. */
  about(about: string): ScenarioBuilder {
    return this.#with({ about });
  }

  /** Sets the seed of random draws. Default: the seed of the sandbox. */
  seed(seed: string | number): ScenarioBuilder {
    return this.#with({ seed });
  }

  /** Sets the merchant's clock. */
  clock(clock: NonNullable<ScenarioDocument['clock']>): ScenarioBuilder {
    return this.#with({ clock });
  }

  /** Sets the starting data: a built-in set, a file or a folder. */
  fixtures(fixtures: string): ScenarioBuilder {
    return this.#with({ fixtures });
  }

  /** Adds a card to the vault. Rules name it by its ref. */
  card(card: GivenCardDocument): ScenarioBuilder {
    return this.#with({ given: { cards: [...(this.#document.given?.cards ?? []), card] } });
  }

  /** Sets the states of the service. The first one is the initial state. */
  states(...states: readonly string[]): ScenarioBuilder {
    return this.#with({ states: [...states] });
  }

  /** Changes the state at a time such as `+20s`. */
  goto(at: string, state: string): ScenarioBuilder {
    return this.#entry({ at, goto: state });
  }

  /** Adds an event of a sale or card at a time such as `+P20D`. */
  event(at: string, event: string, more: EventDocument = {}): ScenarioBuilder {
    return this.#entry({ at, event, ...more });
  }

  /** Starts a rule for these operations. End it with `then` or `always`. */
  op(...words: readonly [OperationWord, ...OperationWord[]]): RuleBuilder {
    const [first, ...others] = words;
    return new RuleBuilder({ op: others.length === 0 ? first : [...words] }, (rule) =>
      this.#with({ rules: [...(this.#document.rules ?? []), rule] }),
    );
  }

  /** Adds a gate, which holds requests so that they overlap. */
  hold(gate: GateDocument): ScenarioBuilder {
    return this.#with({ hold: [...toList(this.#document.hold), gate] });
  }

  /** Sets the expectations that a verdict checks. */
  expect(expect: NonNullable<ScenarioDocument['expect']>): ScenarioBuilder {
    return this.#with({ expect });
  }

  /**
   * Checks and returns the document.
   *
   * @throws {ScenarioError} If the scenario is invalid. The error names every problem.
   */
  build(): ScenarioDocument {
    loadScenario(this.#document);
    return this.#document;
  }

  #entry(entry: TimelineDocument): ScenarioBuilder {
    return this.#with({ timeline: [...(this.#document.timeline ?? []), entry] });
  }

  #with(part: Partial<ScenarioDocument>): ScenarioBuilder {
    return new ScenarioBuilder({ ...this.#document, ...part });
  }
}

/** Builds a rule of a scenario. */
export class RuleBuilder {
  readonly #rule: RuleDocument;
  readonly #add: (rule: RuleDocument) => ScenarioBuilder;

  constructor(rule: RuleDocument, add: (rule: RuleDocument) => ScenarioBuilder) {
    this.#rule = rule;
    this.#add = add;
  }

  /** Sets the name of the rule in reports. */
  named(name: string): RuleBuilder {
    return this.#with({ name });
  }

  /** Sets conditions that a request must meet. */
  match(match: NonNullable<RuleDocument['match']>): RuleBuilder {
    return this.#with({ match });
  }

  /** Sets which attempts are counted together. Default: those of one purchase. */
  per(per: NonNullable<RuleDocument['per']>): RuleBuilder {
    return this.#with({ per });
  }

  /** Fires only on this attempt, counted from 1. */
  nth(nth: number): RuleBuilder {
    return this.#with({ nth });
  }

  /** Sets how often the rule may fire in total. */
  times(times: number): RuleBuilder {
    return this.#with({ times });
  }

  /** Sets the probability that the rule fires, from 0 to 1. */
  probability(probability: number): RuleBuilder {
    return this.#with({ probability });
  }

  /** Sets when the rule starts to apply. */
  after(time: string): RuleBuilder {
    return this.#with({ after: time });
  }

  /** Sets when the rule stops to apply. */
  before(time: string): RuleBuilder {
    return this.#with({ before: time });
  }

  /** Sets the state of the scenario in which the rule applies. */
  while(state: string): RuleBuilder {
    return this.#with({ while: state });
  }

  /** Sets parameters for every outcome of the rule that has them. */
  params(params: NonNullable<RuleDocument['params']>): RuleBuilder {
    return this.#with({ params });
  }

  /** Sets the real time in milliseconds after which the rule expires. */
  ttlMs(ttlMs: number): RuleBuilder {
    return this.#with({ ttlMs });
  }

  /** Does not report the rule when it never fires. */
  optional(): RuleBuilder {
    return this.#with({ optional: true });
  }

  /**
   * Sets what happens, with one step for each request, and ends the rule.
   *
   * It returns the scenario builder, which has no `then` and is therefore safe to await.
   */
  then(...steps: readonly [StepDocument, ...StepDocument[]]): ScenarioBuilder {
    const [first, ...others] = steps;
    return this.#add({ ...this.#rule, then: others.length === 0 ? first : [...steps] });
  }

  /** Sets what happens to every matching response, in addition to other outcomes, and ends the rule. */
  always(...steps: readonly [SimpleStepDocument, ...SimpleStepDocument[]]): ScenarioBuilder {
    return this.#add({ ...this.#rule, always: [...steps] });
  }

  #with(part: Partial<RuleDocument>): RuleBuilder {
    return new RuleBuilder({ ...this.#rule, ...part }, this.#add);
  }
}
