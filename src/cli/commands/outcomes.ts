/** `outcomes`: prints the catalogue, or one outcome in full. */
import { styleText } from 'node:util';
import { operationFamilies, operationNames } from '../../contract/service/operations.ts';
import { getOutcome, listOutcomes, type OutcomeFilter } from '../../outcomes/catalogue-queries.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';
import { findCardBlock } from '../../outcomes/triggers/magic-values.ts';
import type { Outcome } from '../../outcomes/outcome.ts';
import { wantsColour } from '../output/colour.ts';
import { UsageError } from '../errors/usage-error.ts';
import { oneOf } from '../settings/one-of.ts';

/** Which outcomes to list. */
export interface OutcomesFlags {
  readonly operation?: string;
  readonly tier?: string;
}

/** Prints the outcomes that pass the filter, or every detail of one. */
export function showOutcomes(
  id: string | undefined,
  flags: OutcomesFlags,
  { stdout, env }: NodeJS.Process,
): void {
  if (id !== undefined && Object.keys(flags).length > 0) {
    throw new UsageError(
      'Name an outcome, or filter the list with --operation and --tier, not both.',
    );
  }
  const bold = wantsColour(stdout, env)
    ? (text: string) => styleText('bold', text, { validateStream: false })
    : (text: string) => text;
  stdout.write(
    id === undefined
      ? tableOf(listOutcomes(filterOf(flags)), bold)
      : `${pageOf(findOutcome(id), bold)}\n`,
  );
}

const operationWords = [...operationNames, ...operationFamilies];

const tiers = ['1', '2', '3'] as const;

function filterOf({ operation, tier }: OutcomesFlags): OutcomeFilter {
  return {
    operation:
      operation === undefined ? undefined : oneOf('--operation', operation, operationWords),
    tier: tier === undefined ? undefined : Number(oneOf('--tier', tier, tiers)),
  };
}

function findOutcome(id: string): Outcome {
  if (operationWords.some((name) => name === id)) {
    throw new UsageError(
      `"${id}" is an operation. List its outcomes with "card-vault-sandbox outcomes --operation ${id}".`,
    );
  }
  try {
    return getOutcome(id);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new UsageError(error.message);
  }
}

type Style = (text: string) => string;

/** One row for each outcome, in the groups of the catalogue. */
function tableOf(outcomes: readonly Outcome[], bold: Style): string {
  const width = Math.max(...outcomes.map(({ id }) => id.length));
  const groups = [...new Set(outcomes.map(({ group }) => group))];
  const parts = groups.map((group) => {
    const rows = outcomes
      .filter((outcome) => outcome.group === group)
      .map(({ id, tier, concludes, response }) =>
        [`  ${id.padEnd(width)}`, String(tier).padEnd(4), concludes.padEnd(7), response].join('  '),
      );
    return [bold(group), ...rows].join('\n');
  });
  const head = [`  ${'outcome'.padEnd(width)}`, 'tier', 'client   response'];
  return `${head.join('  ')}\n\n${parts.join('\n\n')}\n\nDetails: card-vault-sandbox outcomes <id>\n`;
}

const needs: Readonly<Record<NonNullable<Outcome['needs']>, string>> = {
  sale: 'a payment with intent sale',
  'stored-card': 'a vaulted card',
  body: 'an answer with a body, so not HEAD',
};

function pageOf(outcome: Outcome, bold: Style): string {
  const { id, tier, group, operations, triggers, phase, commit, response, parameters } = outcome;
  const block = findCardBlock(id);
  const extraTriggers = [
    ...(outcome.names ?? []).map((name) => `the first name ${name}`),
    ...(outcome.cards ?? []).map((number) => `the card number ${number}`),
    ...(block === undefined ? [] : [`every card number that starts with ${block.prefix}`]),
    ...(outcome.cents ?? []).map((cents) => `a total like 9000.${cents}, with --magic-amounts`),
  ];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['Tier', [`${tier}, of ${group}`]],
    ['Operations', [operations.join(', ')]],
    ['Needs', outcome.needs === undefined ? [] : [needs[outcome.needs]]],
    ['Response', [response]],
    ['Phase', [phase]],
    ['Ledger', [commit]],
    ['Cause', [outcome.cause]],
    ['Client', [`may conclude ${outcome.concludes}; retry: ${outcome.retry}`]],
    ['Correct client', [outcome.correctClient]],
    ['Triggers', [triggers.join(', '), ...extraTriggers]],
    ['Parameters', Object.entries(parameters).map(parameterLine)],
    ['Provenance', [outcome.provenance]],
  ];
  const shown = rows.filter(([, lines]) => lines.length > 0);
  const width = Math.max(...shown.map(([name]) => name.length));
  return [
    bold(id),
    ...shown.map(([name, lines]) => {
      const [first = '', ...others] = lines;
      const below = others.map((line) => `\n${' '.repeat(width + 4)}${line}`);
      return `  ${name.padEnd(width)}  ${first}${below.join('')}`;
    }),
  ].join('\n');
}

function parameterLine([name, one]: [string, Outcome['parameters'][string]]): string {
  const choice = one.oneOf === undefined ? '' : ` (${one.oneOf.join(', ')})`;
  const most = one.most === undefined ? '' : ` (at most ${one.most})`;
  return `${name}: ${one.about}${choice}${most}; ${one.type}, default ${String(one.default)}`;
}
