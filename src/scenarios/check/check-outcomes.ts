/** Checks the outcomes of rules: they exist, can happen on the operation, and have these parameters. */
import { distance } from 'fastest-levenshtein';
import type { OperationName } from '../../contract/service/operation-name.ts';
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { catalogue, findOutcome, outcomeIds } from '../../outcomes/catalogue.ts';
import { didYouMeanOutcome } from '../../outcomes/nearest-outcome.ts';
import type { Outcome, Parameter } from '../../outcomes/outcome.ts';
import { classifyOutcome } from '../../outcomes/decide/decision.ts';
import { dayMs } from '../../domain/calendar.ts';
import { readDurationMs } from '../../domain/duration.ts';
import { isPattern, listOperations, resolveOperations } from '../rules/operation-words.ts';
import { naturalStep } from '../../outcomes/outcome-id.ts';
import {
  readEntries,
  listOutcomeReferences,
  readTexts,
  type OutcomeReference,
  type ReportProblem,
} from '../rules/raw-rule.ts';

/** The longest wait of real time. Timers of Node cannot wait much longer and would fire at once. */
const maxWaitMs = 24 * dayMs;

/** No id of an outcome is as long. */
const longestWord = 64;

/** A message lists at most this many outcomes. */
const maxListed = 8;

/** Reports problems of the outcomes of a rule. */
export function checkOutcomes(rule: unknown, path: Path, report: ReportProblem): void {
  const words = readTexts(rule, 'op', path).map(({ text }) => text);
  const known: Outcome[] = [];
  for (const named of listOutcomeReferences(rule, path)) {
    if (named.id === naturalStep) checkNatural(named, report);
    else {
      const outcome = findOutcome(named.id);
      if (outcome === undefined) report(named.path, () => describeUnknownOutcome(named.id, words));
      else {
        known.push(outcome);
        checkOutcomePlace(outcome, words, named, report);
        for (const [name, value] of readEntries(named.params)) {
          const fault = findParameterProblem(outcome, name, value);
          if (fault !== undefined) report([...named.paramsPath, name], fault);
        }
      }
    }
  }
  if (known.length > 0) checkTogether(known, words, path, report);
  checkShared(rule, known, path, report);
}

/** Explains what is wrong with a parameter of an outcome. */
export function findParameterProblem(
  outcome: Outcome,
  name: string,
  value: unknown,
): string | undefined {
  const parameter = Object.hasOwn(outcome.parameters, name) ? outcome.parameters[name] : undefined;
  if (parameter === undefined) {
    const known = Object.keys(outcome.parameters);
    const words = known.length === 0 ? 'It has no parameters.' : `Known: ${known.join(', ')}.`;
    return `"${outcome.id}" has no parameter "${name}".${didYouMean(name, known)} ${words}`;
  }
  const form = findFormProblem(parameter, value);
  if (form === undefined) return undefined;
  const near =
    typeof value === 'string' ? didYouMean(value, (parameter.oneOf ?? []).map(String)) : '';
  return `must be ${form}.${near} ${parameter.about}. Default: ${parameter.default}.`;
}

function findFormProblem({ type, oneOf, most }: Parameter, value: unknown): string | undefined {
  if (oneOf !== undefined) {
    return oneOf.some((one) => one === value) ? undefined : `one of ${oneOf.join(', ')}`;
  }
  switch (type) {
    case 'ms':
      return isTextOrNumber(value) && (readDurationMs(value) ?? Infinity) <= readMaxMs(most)
        ? undefined
        : `a duration of at most ${most ?? '24 days'}, such as 800ms, 3s or PT1H, or a number of milliseconds`;
    case 'duration':
      return isTextOrNumber(value) && readDurationMs(value) !== undefined
        ? undefined
        : 'a duration such as 800ms, 3s, PT1H or P2D, or a number of milliseconds';
    case 'count':
    case 'bytes':
    case 'seconds':
      return typeof value === 'number' && Number.isInteger(value) && value >= 0
        ? undefined
        : 'a whole number, 0 or more';
    case 'text':
      return typeof value === 'string' ? undefined : 'text in quotes';
  }
}

function readMaxMs(most: string | undefined): number {
  return (most === undefined ? undefined : readDurationMs(most)) ?? maxWaitMs;
}

function isTextOrNumber(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number';
}

function checkNatural(named: OutcomeReference, report: ReportProblem): void {
  if (named.always || named.beside !== undefined) {
    report(
      named.path,
      `"${naturalStep}" is natural behaviour and cannot be combined with an outcome.`,
    );
  } else if (named.params !== undefined) {
    report(named.paramsPath, `"${naturalStep}" is natural behaviour and has no parameters.`);
  }
}

function checkOutcomePlace(
  outcome: Outcome,
  words: readonly string[],
  named: OutcomeReference,
  report: ReportProblem,
): void {
  if (!outcome.triggers.includes('scenario')) {
    report(
      named.path,
      `"${outcome.id}" results from real state and cannot be forced. Send a request that causes it.`,
    );
    return;
  }
  const possible = listOperations(outcome);
  const wrong = words.find((word) => {
    const names = resolveOperations(word);
    return names.length > 0 && !names.some((name) => possible.includes(name));
  });
  if (wrong !== undefined) {
    report(
      named.path,
      () =>
        `"${outcome.id}" cannot happen on ${wrong}, only on: ${outcome.operations.join(', ')}. ${listPossibleOutcomes(outcome.id, [wrong])}`,
    );
  }
  const beside = named.beside === undefined ? undefined : findOutcome(named.beside);
  if (beside !== undefined && classifyOutcome(beside) === classifyOutcome(outcome)) {
    report(
      named.path,
      `"${outcome.id}" and "${beside.id}" cannot both happen to one request. One must be about cards and money, the other about the transport.`,
    );
  }
}

/** Reports outcomes of which each is possible on some operation of a pattern, but no operation can have all. */
function checkTogether(
  known: readonly Outcome[],
  words: readonly string[],
  path: Path,
  report: ReportProblem,
): void {
  const names = words.filter(isPattern).flatMap(resolveOperations);
  if (names.length === 0 || names.some((name) => canAllHappenOn(known, name))) return;
  if (known.some((outcome) => !names.some((name) => canAllHappenOn([outcome], name)))) return;
  report(
    [...path, 'op'],
    `no operation of ${words.join(', ')} can have all outcomes of this rule. Write one rule for each outcome.`,
  );
}

function canAllHappenOn(outcomes: readonly Outcome[], name: OperationName): boolean {
  return outcomes.every((outcome) => listOperations(outcome).includes(name));
}

/** Reports a parameter of the whole rule that none of its outcomes has. */
function checkShared(
  rule: unknown,
  known: readonly Outcome[],
  path: Path,
  report: ReportProblem,
): void {
  for (const [name, value] of readEntries(memberOf(rule, 'params'))) {
    const taking = known.filter(({ parameters }) => Object.hasOwn(parameters, name));
    if (taking.length === 0 && known.length > 0) {
      const names = [...new Set(known.flatMap(({ parameters }) => Object.keys(parameters)))];
      const words = names.length === 0 ? 'They have no parameters.' : `Known: ${names.join(', ')}.`;
      report(
        [...path, 'params', name],
        `no outcome of this rule has a parameter "${name}".${didYouMean(name, names)} ${words}`,
      );
    }
    const fault = taking
      .map((outcome) => findParameterProblem(outcome, name, value))
      .find((words) => words !== undefined);
    if (fault !== undefined) report([...path, 'params', name], fault);
  }
}

function describeUnknownOutcome(id: string, words: readonly string[]): string {
  // A very long text is no mistyped id. Comparing it with every id would take long.
  const word = id.slice(0, longestWord);
  const shown = word === id ? word : `${word}…`;
  return `Unknown outcome "${shown}".${didYouMeanOutcome(id, [naturalStep, ...outcomeIds])} ${listPossibleOutcomes(word, words)}`.trimEnd();
}

/** Lists outcomes of these operations, the most similar ids first. */
function listPossibleOutcomes(id: string, words: readonly string[]): string {
  const names = new Set(words.flatMap(resolveOperations));
  const ids = catalogue
    .filter(({ triggers }) => triggers.includes('scenario'))
    .filter((outcome) => listOperations(outcome).some((name) => names.has(name)))
    .map((outcome) => outcome.id)
    .toSorted((one, other) => distance(id, one) - distance(id, other));
  if (ids.length === 0) return '';
  const more = ids.length - maxListed;
  const rest =
    more > 0 ? ` and ${more} more. Run "card-vault-sandbox outcomes" for the list.` : '.';
  return `Possible on ${words.join(', ')}: ${ids.slice(0, maxListed).join(', ')}${rest}`;
}
