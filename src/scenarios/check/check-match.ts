/** Checks the conditions of a rule against the requests of its operations. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import { operations } from '../../contract/service/operations.ts';
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import { derivedValues } from '../../outcomes/rules/match.ts';
import { findPatternProblem } from '../../outcomes/rules/pattern.ts';
import { readDurationMs } from '../../domain/duration.ts';
import { findBodyPath, followBodyPath, type MissingMember } from './body-paths.ts';
import { resolveOperations } from '../rules/operation-words.ts';
import {
  readEntries,
  listOutcomeReferences,
  readTexts,
  type ReportProblem,
} from '../rules/raw-rule.ts';

const durationValues: ReadonlySet<string> = new Set(['$cardAge', '$deletedAge']);
const bounds: readonly string[] = ['gt', 'gte', 'lt', 'lte'];

/** Reports problems of the conditions of a rule. */
export function checkMatch(rule: unknown, path: Path, report: ReportProblem): void {
  const words = readTexts(rule, 'op', path).map(({ text }) => text);
  const names = words.flatMap(resolveOperations);
  for (const [key, condition] of readEntries(memberOf(rule, 'match'))) {
    const at = [...path, 'match', key];
    const fault =
      findKeyProblem(key, names, words.join(', ')) ?? findUnreadBodyProblem(key, rule, path);
    if (fault !== undefined) report(at, fault);
    checkCondition(key, condition, at, report);
  }
}

function findKeyProblem(
  key: string,
  names: readonly OperationName[],
  words: string,
): string | undefined {
  if (names.length === 0) return undefined;
  if (key.startsWith('$')) {
    return derivedValues.some((value) => value === key)
      ? undefined
      : `unknown value "${key}".${didYouMean(key, derivedValues)} Known: ${derivedValues.join(', ')}.`;
  }
  if (key.startsWith('header:')) {
    return key.length > 'header:'.length
      ? undefined
      : 'must name a header, such as header:paypal-request-id.';
  }
  if (key.startsWith('path:')) return findPathProblem(key.slice('path:'.length), names, words);
  return findBodyProblem(key, names, words);
}

function findPathProblem(
  name: string,
  names: readonly OperationName[],
  words: string,
): string | undefined {
  const known = [...new Set(names.flatMap(pathParameters))];
  if (known.includes(name)) return undefined;
  const has = known.length === 0 ? 'It has no parameters.' : `Known: ${known.join(', ')}.`;
  return `the path of ${words} has no parameter "${name}".${didYouMean(name, known)} ${has}`;
}

function pathParameters(name: OperationName): string[] {
  return [...operations[name].path.matchAll(/\{(\w+)\}/g)].flatMap(([, word]) => word ?? []);
}

function findBodyProblem(
  key: string,
  names: readonly OperationName[],
  words: string,
): string | undefined {
  const results = names.map((name) => followBodyPath(name, key)).filter((one) => one !== 'no body');
  if (results.length === 0) {
    return `${words} has no body. Match by header:<name>, path:<name> or ${derivedValues.join(', ')}.`;
  }
  const misses = results.filter((one) => one !== 'found');
  if (misses.length < results.length) return undefined;
  const depth = Math.max(...misses.map((one) => one.depth));
  // The operation whose body the path follows furthest is the likely one.
  const nearestMisses = misses.filter((one) => one.depth === depth);
  const [first] = nearestMisses;
  if (first === undefined) return undefined;
  const { step } = first;
  const guess = depth === 0 ? suggestPath(key, step, names) : undefined;
  return `the body of ${words} has no field "${step}" there.${describeMembers(step, nearestMisses, guess)}`;
}

/** Gives the whole path of a field that was named without the way to it. */
function suggestPath(
  key: string,
  step: string,
  names: readonly OperationName[],
): string | undefined {
  const [path] = names.flatMap((name) => findBodyPath(name, step) ?? []);
  return path === undefined ? undefined : ` Did you mean "${path}${key.slice(step.length)}"?`;
}

/** A message lists at most this many fields, and the nearest one in any case. */
const maxListed = 20;

function describeMembers(
  step: string,
  nearestMisses: readonly MissingMember[],
  guess: string | undefined,
): string {
  const known = [...new Set(nearestMisses.flatMap((one) => one.known))];
  if (known.length === 0 && nearestMisses.some(({ isList }) => isList)) {
    return ' It is a list: write an index from 0, such as transactions[0].amount.total.';
  }
  const more = known.length > maxListed ? ` and ${known.length - maxListed} more` : '';
  const named = known.slice(0, maxListed).join(', ') || 'none';
  return `${guess ?? didYouMean(step, known)} Known: ${named}${more}.`;
}

/** Reports a condition on the body for an outcome that applies before the body is read. */
function findUnreadBodyProblem(key: string, rule: unknown, path: Path): string | undefined {
  if (/^(?:\$|header:|path:)/.test(key)) return undefined;
  const early = listOutcomeReferences(rule, path)
    .map(({ id }) => findOutcome(id))
    .find((outcome) => outcome?.phase === 'before-read');
  return early === undefined
    ? undefined
    : `"${early.id}" applies before the body is read, so it cannot depend on the body. Match by a header, or remove this condition.`;
}

/** Reports invalid expressions and bounds of a condition. */
export function checkCondition(
  key: string,
  condition: unknown,
  at: Path,
  report: ReportProblem,
): void {
  const pattern = memberOf(condition, 'matches');
  const fault = typeof pattern === 'string' ? findPatternProblem(pattern) : undefined;
  if (fault !== undefined) report([...at, 'matches'], fault);
  for (const bound of bounds) {
    const value = memberOf(condition, bound);
    const isDurationValue = durationValues.has(key);
    if (
      typeof value === 'string' &&
      !(isDurationValue ? isDuration(value) : isNumberOrDuration(value))
    ) {
      const form = isDurationValue ? 'a duration, such as 1500ms or P1D' : 'a number or a duration';
      report([...at, bound], `must be ${form}.`);
    }
  }
}

function isDuration(text: string): boolean {
  return readDurationMs(text) !== undefined;
}

function isNumberOrDuration(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text) || isDuration(text);
}
