/** The public types say what the schemas say, with every description as a doc comment. */
import type { z } from 'zod';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { catalogue } from '../../src/outcomes/catalogue.ts';
import { operationNames } from '../../src/contract/service/operations.ts';
import { brands } from '../../src/domain/card/brand.ts';
import { severities } from '../../src/contract/constants.ts';
import { findingIds } from '../../src/contract/finding-ids.ts';
import { Coverage } from '../../src/contract/control/coverage.ts';
import { journalSchemas } from '../../src/contract/control/inputs.ts';
import { LedgerTotals } from '../../src/contract/control/ledger.ts';
import {
  Finding,
  Purchase,
  Suppression,
  Verdict,
  VerdictOptions,
} from '../../src/contract/control/verdict.ts';
import type * as control from '../../src/contract/control/types.ts';
import { fixtureSchemas } from '../../src/fixtures/schema.ts';
import type { FixtureDocument } from '../../src/fixtures/document.ts';
import { expectationsSchema } from '../../src/scenarios/expect.ts';
import { operationWords } from '../../src/scenarios/rules/operation-words.ts';
import { scenarioRuleSchemas } from '../../src/scenarios/rules/rule-schema.ts';
import { scenarioSchemas } from '../../src/scenarios/schema.ts';
import { formatted } from '../support/repository/formatted.ts';
import { expectKept } from '../support/repository/kept-file.ts';
import { readText } from '../support/repository/source-files.ts';
import {
  enumOf,
  schemaWithId,
  TypeWriter,
  type KnownType,
  type NamedSchema,
} from '../support/repository/typescript-of-schema.ts';

interface TypeFile {
  readonly path: string;
  readonly about: string;
  /** Imported types, with the line that imports them. */
  readonly known: readonly (KnownType & { readonly from: string })[];
  readonly named: readonly NamedSchema[];
}

const operation = {
  name: 'OperationName',
  matches: enumOf(operationNames),
  words: operationNames,
};
const finding = { name: 'FindingId', matches: enumOf(findingIds) };
const brand = { name: 'Brand', matches: enumOf(brands) };

const journal = journalSchemas();
const scenario = { ...scenarioSchemas(), ...scenarioRuleSchemas() };
const fixtures = fixtureSchemas();
const expectations = expectationsSchema();
const [fixtureSale] = fixtures.document.shape.payments.unwrap().element.options;

const files: readonly TypeFile[] = [
  {
    path: 'src/contract/control/types.ts',
    about: 'What control verbs take and return, made from their schemas.',
    known: [
      { ...operation, from: '../service/operation-name.ts' },
      { ...finding, from: '../finding-ids.ts' },
      { name: 'Severity', matches: enumOf(severities), from: '../constants.ts' },
    ],
    named: [
      named(
        'OperationOrFamily',
        journal.match.shape.operation.unwrap(),
        'An operation, or every operation of a resource: `card.*`.',
        'input',
      ),
      named(
        'ExchangeMatch',
        journal.match,
        'Conditions that an exchange of the journal meets. All of them must hold.',
        'input',
        true,
      ),
      named('JournalQuery', journal.query, 'Which exchanges of the journal to list.', 'input'),
      named(
        'VerifyOptions',
        journal.verify,
        'How many exchanges to expect, or in which order.',
        'input',
      ),
      named(
        'Suppression',
        Suppression,
        'A finding that is counted but does not fail a verdict.',
        'input',
      ),
      named(
        'BaseVerdictOptions',
        VerdictOptions.omit({ expect: true }),
        'Options of a verdict, without expectations.',
        'input',
      ),
      named(
        'Coverage',
        Coverage,
        'How often each operation was called, and how often each outcome happened on it.',
        'output',
      ),
      named(
        'Turnover',
        LedgerTotals.shape.cards.unwrap().element.omit({ cardId: true }),
        'What was charged and given back in one currency, in minor units.',
        'output',
        true,
      ),
      named(
        'LedgerTotals',
        LedgerTotals,
        'Totals of a ledger, with a row for each currency. Each of the three sums to what the merchant has.',
        'output',
      ),
      named('Finding', Finding, 'One finding of a verdict.', 'output'),
      named('VerdictMoney', Purchase.shape.amount.unwrap(), 'An amount of money.', 'output', true),
      named('Purchase', Purchase, 'One purchase as the buyer sees it, and its money.', 'output'),
      named('Verdict', Verdict, 'What happened to the money of a merchant.', 'output'),
    ],
  },
  {
    path: 'src/scenarios/document.ts',
    about: 'Scenario documents as people write them, made from their schema.',
    known: [
      { ...operation, from: '../contract/service/operation-name.ts' },
      {
        name: 'OutcomeIdOrOk',
        matches: schemaWithId('Outcome'),
        from: '../outcomes/outcome-id.ts',
      },
      { ...finding, from: '../contract/finding-ids.ts' },
      { ...brand, from: '../domain/card/brand.ts' },
    ],
    named: [
      {
        name: 'OperationWord',
        schema: operationSchema(),
        about: 'An operation, a family such as `card.*`, `any-write` or `any`.',
        direction: 'input',
      },
      named(
        'ParametersDocument',
        scenario.rule.shape.params.unwrap(),
        'Parameters of an outcome.',
        'input',
      ),
      named(
        'SimpleStepDocument',
        scenario.simpleStep,
        'An outcome, with its parameters if it has any.',
        'input',
      ),
      named('StepDocument', scenario.step, 'What a rule does to one attempt.', 'input'),
      named(
        'MatchDocument',
        scenario.rule.shape.match.unwrap(),
        'Conditions of a rule or a gate.',
        'input',
      ),
      named('RuleDocument', scenario.rule, 'Which outcome happens to which requests.', 'input'),
      named('GateDocument', scenario.gate, 'Which requests are held, and where.', 'input'),
      named(
        'GivenCardDocument',
        scenario.givenCard,
        'A card that is in the vault when the scenario starts.',
        'input',
      ),
      named(
        'MoneyExpectationsDocument',
        expectations.shape.purchases.unwrap().valueType,
        'Money that should have moved.',
        'input',
        true,
      ),
      named('ExpectationsDocument', expectations, 'What should be true in the end.', 'input'),
      named(
        'ScenarioDocument',
        scenario.document,
        'A scenario: rules, a timeline, and what should be true in the end.',
        'input',
      ),
    ],
  },
  {
    path: 'src/fixtures/document.ts',
    about: 'Fixture documents as people write them, made from their schema.',
    known: [{ ...brand, from: '../domain/card/brand.ts' }],
    named: [
      named(
        'FixtureAmount',
        fixtures.capture.shape.amount,
        'An amount of money in the wire format.',
        'input',
        true,
      ),
      named(
        'FixturePayment',
        fixtureSale.omit({ intent: true, sale_id: true, refunds: true }),
        'What sales and authorizations have in common.',
        'input',
        true,
      ),
      named('FixtureRefund', fixtures.refund, 'A full or partial refund.', 'input'),
      named('FixtureCapture', fixtures.capture, 'A capture of held money.', 'input'),
      named(
        'FixtureDocument',
        fixtures.document,
        'The initial records of every merchant.',
        'input',
      ),
    ],
  },
];

function named(
  name: string,
  schema: z.ZodType,
  about: string,
  direction: NamedSchema['direction'],
  isPart = false,
): NamedSchema {
  return { name, schema, about, direction, isPart };
}

/** The operations that a rule may name. */
function operationSchema(): z.ZodType {
  const [, list] = scenario.rule.shape.op.options;
  return list.element;
}

async function textOf({ path, about, known, named: schemas }: TypeFile): Promise<string> {
  const body = new TypeWriter(schemas, known).write();
  const imports = known
    .filter(({ name }) => new RegExp(String.raw`\b${name}\b`).test(body))
    .map(({ name, from }) => `import type { ${name} } from '${from}';`)
    .join('\n');
  return generatedFile(path, about, `${imports}\n\n${body}`);
}

/** The ids of outcomes, each with what the client receives. */
function textOfOutcomeIds(path: string): Promise<string> {
  const members = catalogue
    .map(({ id, response }) => `/** ${response} */\n'${id}': true;`)
    .join('\n');
  return generatedFile(
    path,
    'The ids of outcomes, made from the catalogue.',
    `/** Every outcome by its id. Each comment says what the client receives. */\nexport interface OutcomeIds {\n${members}\n}`,
  );
}

function generatedFile(path: string, about: string, code: string): Promise<string> {
  const command = 'UPDATE_TYPES=1 npm run test:run -- test/contract/public-types.test.ts';
  return formatted(path, `/**\n * ${about}\n * Written by ${command}\n */\n${code}\n`);
}

/** Optional members of interfaces are what callers write. Comparisons such as `gte` say it by their name. */
function undocumentedKeys(text: string): string[] {
  const keys = text.matchAll(/(\*\/)?\n +readonly (\w+)\?:/g);
  return [...keys].flatMap(([, comment, key = '']) =>
    comment === undefined && !comparisons.has(key) ? [key] : [],
  );
}

const comparisons: ReadonlySet<string> = new Set([
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'exists',
]);

describe('public types', () => {
  it.each(files)('$path holds what the schemas say', async (file) => {
    expectKept(file.path, await textOf(file), 'UPDATE_TYPES');
  });

  it('show what the client receives for each id of the catalogue', async () => {
    const path = 'src/outcomes/outcome-ids.ts';
    expectKept(path, await textOfOutcomeIds(path), 'UPDATE_TYPES');
  });

  it.each(['src/client/options.ts', 'src/sandbox/options.ts', 'src/transports/listen-options.ts'])(
    'document every option: %s',
    (path) => {
      expect(undocumentedKeys(readText(path))).toEqual([]);
    },
  );

  it.each([
    ['src/contract/control/types.ts', 'ExchangeMatch'],
    ['src/contract/control/types.ts', 'JournalQuery'],
    ['src/contract/control/types.ts', 'VerifyOptions'],
    ['src/contract/control/types.ts', 'Suppression'],
    ['src/contract/control/types.ts', 'BaseVerdictOptions'],
    ['src/scenarios/document.ts', 'RuleDocument'],
  ])('document every key of a query, a verdict option and a rule: %s %s', (path, name) => {
    const [, from = ''] = readText(path).split(
      new RegExp(`export interface ${name} (?:extends \\w+ )?\\{`),
    );
    expect(from).not.toBe('');
    expect(undocumentedKeys(from.slice(0, from.indexOf('\n}\n')))).toEqual([]);
  });

  it('accept what the schemas accept', () => {
    expect(operationWords.length).toBeGreaterThan(operationNames.length);
    expectTypeOf<z.input<typeof fixtures.document>>().toExtend<FixtureDocument>();
    expectTypeOf<z.input<typeof journal.query>>().toExtend<control.JournalQuery>();
    expectTypeOf<z.input<typeof journal.verify>>().toExtend<control.VerifyOptions>();
    expectTypeOf<z.output<typeof Verdict>>().toExtend<control.Verdict>();
    expectTypeOf<control.Verdict>().toExtend<z.output<typeof Verdict>>();
    expectTypeOf<z.output<typeof LedgerTotals>>().toExtend<control.LedgerTotals>();
  });
});
