/** Ad-hoc rules: rules that a test arms with `force`, in the same words as rules of a scenario. */
import { z } from '@hono/zod-openapi';
import { unknownKey } from '../../shared/did-you-mean.ts';
import { onFirstUse } from '../../shared/lazy.ts';
import { checkedCatalogue } from '../../outcomes/catalogue.ts';
import { readSeriesTimes } from '../../outcomes/decide/params.ts';
import { maxLines } from '../../documents/document-error.ts';
import type { MerchantScope } from '../../outcomes/rules/rule-status.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import type { Rule, RuleSource, RuleStep } from '../../outcomes/rules/rule.ts';
import { loadDocument } from '../load.ts';
import { RuleError, ScenarioError } from '../scenario-error.ts';
import { buildRules, type RuleContext } from './rules.ts';
import { naturalStep } from '../../outcomes/outcome-id.ts';
import type { RuleDocument, StepDocument } from '../document.ts';
import { scenarioRuleSchemas } from './rule-schema.ts';

/**
 * A rule for `force`, in the same words as a rule of a scenario file.
 *
 * `outcome` and `sequence` are short forms of `then`. Without `times`, the rule fires once for each step of its sequence.
 * Without `ttlMs`, it does not expire.
 */
export interface ForcedRule extends RuleDocument {
  /** What happens: one outcome. A shorter form of `then`. */
  readonly outcome?: StepDocument | undefined;
  /** What happens: one outcome for each request. A shorter form of `then`. */
  readonly sequence?: readonly StepDocument[] | undefined;
}

/** A rule for every merchant, or for those whose id starts with a prefix. Each merchant counts by itself. */
export interface SharedRule extends ForcedRule {
  /** Which merchants, present and future. Default: all. */
  readonly merchants?: MerchantScope | undefined;
}

/** Reads the key `merchants` of a rule for several merchants, which may be anything, and the rest of the rule. */
export function readScope(forced: unknown): {
  readonly merchants: MerchantScope;
  readonly rule: unknown;
} {
  if (memberOf(forced, 'prefix') !== undefined) {
    throw new RuleError([
      'force prefix: this key is not known here. Write merchants: { prefix: "ci-" } in the rule, or ?prefix=ci- in the query.',
    ]);
  }
  const merchants = memberOf(forced, 'merchants');
  if (merchants === undefined || merchants === 'all') {
    return { merchants: 'all', rule: withoutScope(forced) };
  }
  const prefix = memberOf(merchants, 'prefix');
  const hasOtherKeys = Object.keys(Object(merchants)).length !== 1;
  if (typeof prefix === 'string' && /^[\w.~@+-]{1,128}$/.test(prefix) && !hasOtherKeys) {
    return { merchants: { prefix }, rule: withoutScope(forced) };
  }
  throw new RuleError([
    'force merchants: must be "all", or { "prefix": "ci-" } with the start of a client id: letters, digits and . _ ~ @ + -.',
  ]);
}

function withoutScope(forced: unknown): unknown {
  if (typeof forced !== 'object' || forced === null || !('merchants' in forced)) return forced;
  const { merchants: _merchants, ...rule } = forced;
  return rule;
}

/** Refuses the keys `merchants` and `prefix` in a rule for one merchant. */
export function refuseScope(forced: unknown): void {
  const key = ['merchants', 'prefix'].find((one) => memberOf(forced, one) !== undefined);
  if (key === undefined) return;
  throw new RuleError([
    `force ${key}: a rule of one merchant cannot have this key. Arm a rule for several merchants with sandbox.all.force(), POST /_sandbox/rules?all=true or ?prefix=ci-.`,
  ]);
}

/** The schema of a `ForcedRule`, for documentation. `readAdhocRule` explains what is wrong with a rule. */
export const forcedRuleSchema = onFirstUse(() => {
  const { rule, step } = scenarioRuleSchemas();
  return z
    .strictObject({
      ...rule.shape,
      outcome: step.optional().meta({ description: 'What happens. Short form of then.' }),
      sequence: z
        .array(step)
        .min(1)
        .optional()
        .meta({ description: 'What happens, one step for each request. Short form of then.' }),
    })
    .meta({ description: 'Rule to force. outcome and sequence are short forms of then.' });
});

/** A rule for `force` that was read and checked. It is built for each merchant. */
export interface AdhocRule {
  /** Its name, or the name that it was given. */
  readonly id: string;
  /**
   * Builds the rules of one merchant: one for the steps, and one for each outcome that always applies.
   *
   * @throws {RuleError} If it has too many regular expressions.
   */
  build(stage: RuleContext): Rule[];
}

/**
 * Reads a `ForcedRule`, which may be anything.
 *
 * @param id The name of a rule without one.
 * @throws {RuleError} If the rule is invalid. The error names every problem.
 */
export function readAdhocRule(
  forced: unknown,
  id: string,
  source: RuleSource = 'armed',
): AdhocRule {
  const { outcome, sequence, ...rule } = readKnownKeys(forced);
  if (sequence !== undefined && !Array.isArray(sequence)) {
    throw new RuleError([
      'force sequence: must be a list with one step for each request. Use outcome for a single step.',
    ]);
  }
  const forms = { outcome, sequence, then: rule['then'] };
  const usedForms = Object.entries(forms).filter(([, steps]) => steps !== undefined);
  if (usedForms.length > 1) {
    throw new RuleError(['force: use only one of outcome, sequence and then.']);
  }
  if (usedForms.length === 0 && rule['always'] === undefined && rule['op'] !== undefined) {
    throw new RuleError([
      "force: must say what happens, such as outcome: 'decline-generic'. sequence, then and always say it too.",
    ]);
  }
  const then = rule['then'] ?? sequence ?? outcome;
  const name = rule['name'] === undefined ? id : rule['name'];
  const document = {
    scenario: 'armed',
    version: 1,
    about: 'Armed with force.',
    rules: [{ ...rule, name, ...(then === undefined ? {} : { then }) }],
  };
  const word = usedForms[0]?.[0] ?? 'outcome';
  const loaded = withForceWording(word, () => loadDocument(document));
  return {
    id: String(name),
    build: (stage) =>
      withForceWording(word, () => buildRules(loaded, stage)).map((built) => ({
        ...toArmedRule(built),
        source,
      })),
  };
}

function toArmedRule(rule: Rule): Rule {
  return {
    ...rule,
    times: rule.decorates ? rule.times : (rule.times ?? countFirings(rule.steps)),
  };
}

/** Counts one firing for each step. A series in the last step fires as often as it fails. */
function countFirings(steps: readonly RuleStep[]): number {
  const last = steps.at(-1);
  return steps.length - 1 + (last === undefined ? 1 : countStepFirings(last));
}

function countStepFirings({ outcome: id, params }: RuleStep): number {
  if (id === naturalStep) return 1;
  const outcome = checkedCatalogue.get(id);
  return outcome.effect.kind === 'series' ? readSeriesTimes(outcome, params) : 1;
}

/** Checks the keys here, because the schema of a scenario's rule does not know all of them. */
function readKnownKeys(forced: unknown): Readonly<Record<string, unknown>> {
  if (typeof forced !== 'object' || forced === null || Array.isArray(forced)) {
    throw new RuleError([
      "force: must be an object such as { op: 'payment.create', outcome: 'reset-after-commit' }.",
    ]);
  }
  const known = Object.keys(forcedRuleSchema().shape);
  const mistakes = Object.keys(forced)
    .filter((key) => !known.includes(key))
    .map((key, at) => (at < maxLines ? `force ${key}: ${unknownKey(key, known)}` : ''));
  if (mistakes.length > 0) throw new RuleError(mistakes);
  return { ...forced };
}

/** Rewrites the places in messages: the caller wrote one rule and no scenario. */
function withForceWording<T>(word: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new RuleError(
      error.rewrite((mistake) =>
        mistake
          .replace(/^scenario rules(?:\[0\])?\.?/, 'force ')
          .replace(/^force :/, 'force:')
          .replace(/^force then\b/, `force ${word}`),
      ),
    );
  }
}
