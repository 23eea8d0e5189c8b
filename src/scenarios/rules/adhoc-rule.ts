/** A rule armed by hand: the words of a scenario's rule, gone after a while if nothing meets it. */
import { z } from '@hono/zod-openapi';
import { unknownKey } from '../../shared/did-you-mean.ts';
import { onFirstUse } from '../../shared/lazy.ts';
import { checkedCatalogue } from '../../outcomes/catalogue.ts';
import { readSeriesTimes } from '../../outcomes/decide/params.ts';
import type { Rule, RuleStep } from '../../outcomes/rules/rule.ts';
import { loadDocument, type LoadedScenario } from '../load.ts';
import { RuleError, ScenarioError } from '../scenario-error.ts';
import { buildRules, type RuleContext } from './rules.ts';
import { naturalStep } from '../../outcomes/outcome-id.ts';
import { scenarioSchemas, type RuleDocument, type StepDocument } from '../schema.ts';

/**
 * A rule for `force`: the same words as a rule of a scenario file. `outcome` and `sequence` are shorter words for
 * `then`. Without `times` it fires once for each entry of its sequence, a series as often as it fails; without `ttl`
 * it is gone after a minute.
 */
export type ForcedRule = Omit<RuleDocument, 'then' | 'always'> & {
  readonly then?: RuleDocument['then'];
  readonly always?: RuleDocument['always'];
  readonly outcome?: StepDocument | undefined;
  readonly sequence?: readonly StepDocument[] | undefined;
};

/** Keeps a crashed test from poisoning the next one. */
const defaultTtlMs = 60_000;

/** The same as a schema, for documents about it. Whatever it does not take, `armedRules` explains. */
export const forcedRuleSchema = onFirstUse(() => {
  const { rule, step } = scenarioSchemas();
  return z
    .strictObject({
      ...rule.shape,
      outcome: step.optional(),
      sequence: z.array(step).min(1).optional(),
    })
    .meta({ description: 'A rule to be armed; outcome and sequence are shorter words for then.' });
});

/** Reads a `ForcedRule` out of anything; throws a `RuleError` that names everything that is wrong with it. */
export function createAdhocRules(forced: unknown, id: string, stage: RuleContext): Rule[] {
  const { outcome, sequence, ...rule } = readKnownKeys(forced);
  if (sequence !== undefined && !Array.isArray(sequence)) {
    throw new RuleError([
      'force sequence: must be a list with one step for each attempt. One step alone is an outcome.',
    ]);
  }
  const said = { outcome, sequence, then: rule['then'] };
  const ways = Object.entries(said).filter(([, steps]) => steps !== undefined);
  if (ways.length > 1) {
    throw new RuleError(['force: say what happens once, with outcome, sequence or then.']);
  }
  const then = rule['then'] ?? sequence ?? outcome;
  const document = {
    scenario: 'armed',
    version: 1,
    about: 'Armed by hand.',
    rules: [
      {
        ...rule,
        name: rule['name'] === undefined ? id : rule['name'],
        ...(then === undefined ? {} : { then }),
      },
    ],
  };
  const loaded = withForceWording(ways[0]?.[0] ?? 'outcome', () => loadDocument(document));
  return buildRules(loaded, stage).map((made) => toArmedRule(made, stage));
}

function toArmedRule(made: Rule, { realStartMs }: RuleContext): Rule {
  return {
    ...made,
    source: 'armed',
    times: made.decorates ? made.times : (made.times ?? countFirings(made.steps)),
    expiresAtRealMs: made.expiresAtRealMs ?? realStartMs + defaultTtlMs,
  };
}

/** Once for each entry; a series that stands last comes up again, and fails a few times before it is over. */
function countFirings(steps: readonly RuleStep[]): number {
  const last = steps.at(-1);
  return steps.length - 1 + (last === undefined ? 1 : countStepFirings(last));
}

function countStepFirings({ outcome: id, params }: RuleStep): number {
  if (id === naturalStep) return 1;
  const outcome = checkedCatalogue.get(id);
  return outcome.effect.kind === 'series' ? readSeriesTimes(outcome, params) : 1;
}

/** Unknown keys are told here, where all that a forced rule may say is known. */
function readKnownKeys(forced: unknown): Readonly<Record<string, unknown>> {
  if (typeof forced !== 'object' || forced === null) {
    throw new RuleError([
      "force: must be an object, such as { op: 'payment.create', outcome: 'reset-after-commit' }.",
    ]);
  }
  const known = Object.keys(forcedRuleSchema().shape);
  const mistakes = Object.keys(forced)
    .filter((key) => !known.includes(key))
    .map((key) => `force ${key}: ${unknownKey(key, known)}`);
  if (mistakes.length > 0) throw new RuleError(mistakes);
  return { ...forced };
}

/** What was written is one rule: the place of that rule in a file would only confuse. */
function withForceWording(word: string, load: () => LoadedScenario): LoadedScenario {
  try {
    return load();
  } catch (error) {
    if (!(error instanceof ScenarioError)) throw error;
    throw new RuleError(
      error.lines.map((mistake) =>
        mistake
          .replace(/^scenario rules\[0\]\.?/, 'force ')
          .replace(/^force :/, 'force:')
          .replace(/^force then\b/, `force ${word}`),
      ),
    );
  }
}
