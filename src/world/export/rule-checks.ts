/** Checks the rules and timeline of an export against the catalogue, like rules in a scenario. */
import type { Path } from '../../documents/source.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import { findPatternOverload } from '../../outcomes/rules/pattern-limits.ts';
import type { Rule, RuleStep } from '../../outcomes/rules/rule.ts';
import { checkCondition } from '../../scenarios/check/check-match.ts';
import { findParameterProblem } from '../../scenarios/check/check-outcomes.ts';
import { readWords } from '../../scenarios/rules/raw-rule.ts';
import type { WorldDocument } from './document.ts';
import type { ExportIssue } from '../errors.ts';

/** Finds rules and timeline entries that could not be executed. */
export function findRuleIssues({ ruleBook: { rules }, timeline }: WorldDocument): ExportIssue[] {
  const matchIssues = rules.flatMap(({ rule }, at) =>
    findMatchIssues(rule, ['ruleBook', 'rules', at, 'rule']),
  );
  // Expressions must be valid before they can be counted.
  const overload =
    matchIssues.length > 0 ? undefined : findPatternOverload(rules.map(({ rule }) => rule));
  return [
    ...findNameIssues(rules.map(({ rule }) => rule)),
    ...matchIssues,
    ...(overload === undefined ? [] : [[['ruleBook', 'rules'], overload] as const]),
    ...rules.flatMap(({ rule }, at) =>
      rule.steps.flatMap((step, which) =>
        findStepIssues(step, ['ruleBook', 'rules', at, 'rule', 'steps', which]),
      ),
    ),
    ...timeline.flatMap((entry, at) =>
      'goto' in entry ? [] : findParamIssues(entry.event, entry.params, ['timeline', at]),
    ),
  ];
}

/** Armed rules have unique names. A rule of a reloaded scenario may share one. */
function findNameIssues(rules: readonly Omit<Rule, 'expiresAtRealMs'>[]): ExportIssue[] {
  const names = new Set<string>();
  return rules.flatMap(({ id, source }, at): ExportIssue[] => {
    if (source === 'armed' && names.has(id)) {
      return [[['ruleBook', 'rules', at, 'rule', 'id'], 'another armed rule has the same name.']];
    }
    if (source === 'armed') names.add(id);
    return [];
  });
}

function findMatchIssues({ match = {} }: Pick<Rule, 'match'>, path: Path): ExportIssue[] {
  const issues: ExportIssue[] = [];
  for (const [key, condition] of Object.entries(match)) {
    checkCondition(key, condition, [...path, 'match', key], (at, words) =>
      issues.push([at, readWords(words)]),
    );
  }
  return issues;
}

function findStepIssues({ outcome, params, and, oneOf = [] }: RuleStep, path: Path): ExportIssue[] {
  return [
    ...findParamIssues(outcome, params, path),
    ...(and === undefined ? [] : findStepIssues(and, [...path, 'and'])),
    ...oneOf.flatMap((one, at) => findStepIssues(one, [...path, 'oneOf', at])),
  ];
}

function findParamIssues(id: string, params: RuleStep['params'], path: Path): ExportIssue[] {
  const outcome = findOutcome(id);
  if (outcome === undefined) return [];
  return Object.entries(params).flatMap(([name, value]): ExportIssue[] => {
    const words = findParameterProblem(outcome, name, value);
    return words === undefined ? [] : [[[...path, 'params', name], words]];
  });
}
