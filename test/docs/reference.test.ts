/** The tables of the documentation equal the code. UPDATE_DOCS=1 writes them. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { flags, flagWord, type FlagName } from '../../src/cli/settings/flags.ts';
import { sandboxOptions } from '../../src/cli/settings/settings.ts';
import { controlRoutes } from '../../src/contract/control/routes.ts';
import { verbNamed } from '../../src/contract/control/verbs.ts';
import { findingIdsByGroup, type FindingId } from '../../src/contract/finding-ids.ts';
import { unservedAreas } from '../../src/contract/not-served.ts';
import { operationNames, operations } from '../../src/contract/service/operations.ts';
import { decisions } from '../../src/control/decisions.ts';
import { metricRows } from '../../src/metrics/rows.ts';
import { catalogue } from '../../src/outcomes/catalogue.ts';
import { secretNames } from '../../src/redaction/secret-names.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { scenarioRuleSchemas } from '../../src/scenarios/rules/rule-schema.ts';
import { forcedRuleSchema } from '../../src/scenarios/rules/adhoc-rule.ts';
import { listShippedScenarios } from '../../src/scenarios/load.ts';
import type { FindingRule } from '../../src/verdict/findings/finding-rule.ts';
import { findingRules } from '../../src/verdict/findings/finding-rules.ts';
import { expectGenerated, expectPart, table } from '../support/repository/documentation.ts';

function ruleOf(id: FindingId): FindingRule {
  return findingRules.find((rule) => rule.id === id) ?? expect.fail(`No rule finds ${id}.`);
}

/** Names the exceptions if an outcome applies to almost every operation. */
function operationWords(patterns: readonly string[]): string {
  if (patterns.length <= operationNames.length / 2) return patterns.join(', ');
  const left = operationNames.filter((name) => !patterns.includes(name));
  return `any but ${left.join(' and ')}`;
}

/** The path of the option in code that a flag sets; `undefined` for a flag of the command alone. */
function optionOf(name: FlagName): string | undefined {
  if (name === 'fixtures') return name; // It is read with the project folder.
  const marker = Symbol(name);
  const search = (value: unknown, path: readonly string[]): string | undefined => {
    if (value === marker) return path.join('.');
    if (typeof value !== 'object' || value === null) return undefined;
    return Object.entries(value)
      .map(([key, child]) => search(child, [...path, key]))
      .find((found) => found !== undefined);
  };
  return search(sandboxOptions({ [name]: marker }), []);
}

it('the scenarios of the package are listed', () => {
  expectPart(
    join(packageRoot(), 'scenarios', 'README.md'),
    'scenarios',
    table(
      ['Scenario', 'What happens'],
      listShippedScenarios().map(({ name, about }) => [`[\`${name}\`](${name}.yaml)`, about]),
    ),
  );
});

/** The description of a field, on it or on the schema that it makes optional. */
function descriptionOf(field: z.ZodType): string {
  if (field.description !== undefined) return field.description;
  if (field instanceof z.ZodOptional) return descriptionOf(field.unwrap() as z.ZodType); // It wraps a field.
  return expect.fail('A key has no description.');
}

const tables: Readonly<Record<string, string>> = {
  operations: table(
    ['Operation', 'Request', 'Answers'],
    Object.entries(operations).map(([name, { method, path, summary, responses }]) => [
      `${summary} (\`${name}\`)`,
      `\`${method.toUpperCase()} ${path}\``,
      Object.keys(responses).join(', '),
    ]),
  ),
  outcomes: table(
    ['Outcome', 'Operations', 'What is committed', 'Response', 'A client may conclude'],
    catalogue.map(({ id, operations: on, commit, response, triggers, concludes }) => [
      `\`${id}\``,
      operationWords(on),
      commit,
      triggers.every((trigger) => trigger === 'natural') ? `${response} (real state)` : response,
      concludes,
    ]),
  ),
  flags: table(
    ['Option', 'Default', 'Meaning'],
    flags.map(({ name, value, text, ...flag }) => [
      `\`${[flagWord(name), ...(value === undefined ? [] : [value])].join(' ').replaceAll('|', String.raw`\|`)}\``,
      'default' in flag ? `\`${flag.default}\`` : '',
      text,
    ]),
  ),
  options: table(
    ['Option', 'Default', 'Meaning'],
    flags.flatMap(({ name, text, ...flag }) => {
      const option = optionOf(name);
      const preset = 'default' in flag ? `\`${flag.default}\`` : '';
      return option === undefined ? [] : [[`\`${option}\``, preset, text]];
    }),
  ),
  rules: table(
    ['Key', 'Meaning'],
    Object.entries(forcedRuleSchema().shape).map(([key, field]) => [
      `\`${key}\``,
      descriptionOf(field),
    ]),
  ),
  gates: table(
    ['Key', 'Meaning'],
    Object.entries(scenarioRuleSchemas().gate.shape).map(([key, field]) => [
      `\`${key}\``,
      descriptionOf(field),
    ]),
  ),
  control: table(
    ['Call', 'In code', 'What it does'],
    controlRoutes.map(({ verb, method, path, summary }) => [
      `\`${method.toUpperCase()} ${path}\``,
      Object.keys(verbNamed(verb).methods ?? { [verb]: verb })
        .map((name) => `\`${name}\``)
        .join(', '),
      summary,
    ]),
  ),
  metrics: table(
    ['Metric', 'Type', 'Labels', 'Meaning'],
    Object.values(metricRows).map(({ name, type, labels, help }) => [
      `\`${name}\``,
      type,
      labels.map((label) => `\`${label}\``).join(', '),
      help,
    ]),
  ),
  findings: table(
    ['Finding', 'Severity', 'What it reports', 'What to do'],
    Object.entries(findingIdsByGroup).flatMap(([group, ids]) => [
      [`**${group}**`, '', '', ''],
      ...ids.map((id) => {
        const { severity, about, remedy } = ruleOf(id);
        return [`\`${id}\``, severity, about, remedy];
      }),
    ]),
  ),
  'not-served': table(
    ['Area', 'Paths and all below them', 'What to do'],
    unservedAreas.map(({ area, paths, instead, later }) => [
      later === true ? `${area} (planned)` : area,
      paths.map((path) => `\`${path}\``).join(', '),
      instead,
    ]),
  ),
  'secret-names': table(
    ['Name', 'Where it is found'],
    [
      ['suffix', 'at the end of a key or a word', ''],
      ['word', 'as a word of its own', ''],
      ['suffix', 'at the end of a key or a word, before three or four digits', 'digits'],
      ['word', 'as a word of its own, before three or four digits', 'digits'],
    ].map(([place, where = '', digits]) => [
      secretNames
        .filter((name) => name.kind === 'code' && name.place === place)
        .filter(({ needsDigits }) => needsDigits === (digits !== ''))
        .map(({ word }) => `\`${word}\``)
        .join(', '),
      where,
    ]),
  ),
  choices: table(
    ['Choice', 'Where'],
    decisions.map(({ decision, where }) => [
      decision.replaceAll('|', String.raw`\|`),
      `\`${where}\``,
    ]),
  ),
};

it.each(Object.entries(tables))('the table of %s equals the code', (name, text) => {
  expectGenerated(name, text);
});
