/** Scenarios written in code: the same document as in a file, completed and checked while it is typed. */
import { loadScenario } from './load.ts';
import type { OperationWord } from './rules/operation-words.ts';
import type {
  GivenCardDocument,
  RuleDocument,
  ScenarioDocument,
  SimpleStepDocument,
  StepDocument,
} from './schema.ts';

/**
 * Begins a scenario:
 * `scenario('lost-answer').about('...').op('payment.create').nth(1).then('reset-after-commit').build()`.
 */
export function scenario(name: string): ScenarioBuilder {
  return new ScenarioBuilder({ scenario: name, version: 1, about: name });
}

type TimelineDocument = NonNullable<ScenarioDocument['timeline']>[number];
type EventDocument = Omit<Extract<TimelineDocument, { event: string }>, 'at' | 'event'>;

/** A scenario as far as it was written. Each call gives a new one, so that a beginning can be shared. */
export class ScenarioBuilder {
  readonly #document: ScenarioDocument;

  constructor(document: ScenarioDocument) {
    this.#document = document;
  }

  /** What it is for; without it, its name. */
  about(about: string): ScenarioBuilder {
    return this.#with({ about });
  }

  seed(seed: string | number): ScenarioBuilder {
    return this.#with({ seed });
  }

  clock(clock: NonNullable<ScenarioDocument['clock']>): ScenarioBuilder {
    return this.#with({ clock });
  }

  fixtures(fixtures: string): ScenarioBuilder {
    return this.#with({ fixtures });
  }

  /** Puts a card into the vault, which rules call by its ref. */
  card(card: GivenCardDocument): ScenarioBuilder {
    return this.#with({ given: { cards: [...(this.#document.given?.cards ?? []), card] } });
  }

  /** The states it can be in; it begins in the first. */
  states(...states: readonly string[]): ScenarioBuilder {
    return this.#with({ states: [...states] });
  }

  /** Goes to a state at a time such as `+20s`. */
  goto(at: string, state: string): ScenarioBuilder {
    return this.#entry({ at, goto: state });
  }

  /** Lets something befall a sale at a time such as `+P20D`. */
  event(at: string, event: string, more: EventDocument = {}): ScenarioBuilder {
    return this.#entry({ at, event, ...more });
  }

  /** Begins a rule about these operations; `then` or `always` ends it. */
  op(...words: readonly [OperationWord, ...OperationWord[]]): RuleBuilder {
    const [first, ...others] = words;
    return new RuleBuilder({ op: others.length === 0 ? first : [...words] }, (rule) =>
      this.#with({ rules: [...(this.#document.rules ?? []), rule] }),
    );
  }

  /** What should be true in the end. */
  expect(expect: NonNullable<ScenarioDocument['expect']>): ScenarioBuilder {
    return this.#with({ expect });
  }

  /** The document; throws a `ScenarioError` that names everything that is wrong with it. */
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

/** A rule as far as it was written. */
export class RuleBuilder {
  readonly #rule: RuleDocument;
  readonly #add: (rule: RuleDocument) => ScenarioBuilder;

  constructor(rule: RuleDocument, add: (rule: RuleDocument) => ScenarioBuilder) {
    this.#rule = rule;
    this.#add = add;
  }

  named(name: string): RuleBuilder {
    return this.#with({ name });
  }

  match(match: NonNullable<RuleDocument['match']>): RuleBuilder {
    return this.#with({ match });
  }

  /** Whose attempts are counted together. */
  per(per: NonNullable<RuleDocument['per']>): RuleBuilder {
    return this.#with({ per });
  }

  /** Only this attempt, counted from 1. */
  nth(nth: number): RuleBuilder {
    return this.#with({ nth });
  }

  /** How often it may fire in all. */
  times(times: number): RuleBuilder {
    return this.#with({ times });
  }

  probability(probability: number): RuleBuilder {
    return this.#with({ probability });
  }

  after(moment: string): RuleBuilder {
    return this.#with({ after: moment });
  }

  before(moment: string): RuleBuilder {
    return this.#with({ before: moment });
  }

  /** The state in which it holds. */
  while(state: string): RuleBuilder {
    return this.#with({ while: state });
  }

  params(params: NonNullable<RuleDocument['params']>): RuleBuilder {
    return this.#with({ params });
  }

  /** Machine time after which it is gone. */
  ttl(span: string | number): RuleBuilder {
    return this.#with({ ttl: span });
  }

  /** It is no mistake when it never fires. */
  optional(): RuleBuilder {
    return this.#with({ optional: true });
  }

  /** What happens: one step, or one an attempt. It ends the rule, so what it gives is safe to await. */
  then(...steps: readonly [StepDocument, ...StepDocument[]]): ScenarioBuilder {
    const [first, ...others] = steps;
    return this.#add({ ...this.#rule, then: others.length === 0 ? first : [...steps] });
  }

  /** What happens to every matching answer, beside whatever else does. It ends the rule. */
  always(...steps: readonly [SimpleStepDocument, ...SimpleStepDocument[]]): ScenarioBuilder {
    return this.#add({ ...this.#rule, always: [...steps] });
  }

  #with(part: Partial<RuleDocument>): RuleBuilder {
    return new RuleBuilder({ ...this.#rule, ...part }, this.#add);
  }
}
