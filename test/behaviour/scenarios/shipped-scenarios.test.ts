import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findOutcome } from '../../../src/outcomes/catalogue.ts';
import { includesOperation, type RuleStep } from '../../../src/outcomes/rules/rule.ts';
import { operationNames } from '../../../src/contract/service/operations.ts';
import { packageRoot } from '../../../src/shared/package-root.ts';
import { readGivenCards } from '../../../src/scenarios/given-cards.ts';
import { checkFiles, loadScenario, shippedScenarioNames } from '../../../src/scenarios/load.ts';
import { buildRules } from '../../../src/scenarios/rules/rules.ts';
import { buildTimeline } from '../../../src/scenarios/timeline.ts';
import { stage, startMs } from './rule-context.ts';

function outcomesOf(step: RuleStep): string[] {
  if (step.oneOf !== undefined) return step.oneOf.flatMap(outcomesOf);
  return [step.outcome, ...(step.and === undefined ? [] : outcomesOf(step.and))];
}

describe.each(shippedScenarioNames())('the built-in scenario %s', (name) => {
  const scenario = loadScenario(name);
  const rules = buildRules(scenario, stage);

  it('has the name of its file', () => {
    expect(scenario.name).toBe(name);
  });

  it('can be converted to rules of a rule book', () => {
    expect(rules.length).toBeGreaterThan(0);
    expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
    for (const { operations, steps } of rules) {
      expect(operations).not.toEqual([]);
      for (const id of steps.flatMap(outcomesOf)) {
        expect(id === 'ok' || findOutcome(id) !== undefined, id).toBe(true);
      }
      for (const pattern of operations) {
        expect(operationNames.some((one) => includesOperation(pattern, one, true))).toBe(true);
      }
    }
  });

  it('has no card that is expired at the start', () => {
    const beginMs = scenario.document.clock?.start ?? Date.UTC(2090, 0);
    const over = readGivenCards(scenario, beginMs).filter(
      ({ card }) => Date.UTC(card.expire_year ?? 0, card.expire_month ?? 0) <= beginMs,
    );
    expect(over).toEqual([]);
  });

  it('changes only to its own states, in the order of time', () => {
    const entries = buildTimeline(scenario, startMs);
    expect(entries.map(({ atMs }) => atMs)).toEqual(
      entries.map(({ atMs }) => atMs).toSorted((one, other) => one - other),
    );
    const states = scenario.document.states ?? [];
    for (const entry of entries) if ('goto' in entry) expect(states).toContain(entry.goto);
  });

  it('names its schema, has comments, and has expectations', () => {
    const text = readFileSync(join(packageRoot(), 'scenarios', `${name}.yaml`), 'utf8');
    expect(text).toMatch(/^# yaml-language-server: \$schema=\.\/schema\.json\n\n# /);
    expect(scenario.document.expect).toBeDefined();
  });
});

describe('the built-in scenarios', () => {
  it('pass the check of scenario files', () => {
    const checked = checkFiles([join(packageRoot(), 'scenarios')]);
    expect(checked).toHaveLength(shippedScenarioNames().length);
    expect(checked.flatMap(({ mistakes }) => mistakes)).toEqual([]);
  });

  it('include at least twelve', () => {
    expect(shippedScenarioNames()).toEqual(
      expect.arrayContaining(['hang', 'lost-answer', 'partial-outage', 'token-trouble']),
    );
    expect(shippedScenarioNames().length).toBeGreaterThanOrEqual(12);
  });
});
