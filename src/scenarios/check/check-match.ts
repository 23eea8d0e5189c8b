/** Holds the conditions of a rule against what can be known of its operations' requests. */
import { operations, type OperationName } from '../../contract/service/operations.ts';
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { findOutcome } from '../../outcomes/catalogue.ts';
import { derivedValues } from '../../outcomes/rules/match.ts';
import { findPatternProblem } from '../../outcomes/rules/pattern.ts';
import { readDurationMs } from '../../outcomes/duration.ts';
import { followBodyPath, type MissingMember } from './body-paths.ts';
import { resolveOperations } from '../rules/operation-words.ts';
import {
  readEntries,
  listOutcomeReferences,
  readTexts,
  type ReportProblem,
} from '../rules/raw-rule.ts';

const durationValues: ReadonlySet<string> = new Set(['$cardAge', '$deletedAge']);
const bounds: readonly string[] = ['gt', 'gte', 'lt', 'lte'];

/** Reports whatever is wrong with the conditions of a rule. */
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
      : `no value is called "${key}". Known: ${derivedValues.join(', ')}.${didYouMean(key, derivedValues)}`;
  }
  if (key.startsWith('header:')) {
    return key.length > 'header:'.length
      ? undefined
      : 'names no header. Write it as header:<name>, like header:paypal-request-id.';
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
  const has = known.length === 0 ? 'has none' : `has: ${known.join(', ')}`;
  return `the path of ${words} holds no "${name}"; it ${has}.${didYouMean(name, known)}`;
}

function pathParameters(name: OperationName): string[] {
  return [...operations[name].path.matchAll(/\{(\w+)\}/g)].flatMap(([, word]) => word ?? []);
}

function findBodyProblem(
  key: string,
  names: readonly OperationName[],
  words: string,
): string | undefined {
  const met = names.map((name) => followBodyPath(name, key)).filter((one) => one !== 'no body');
  if (met.length === 0) {
    return `${words} has no body. Match by header:<name>, path:<name>, or ${derivedValues.join(', ')}.`;
  }
  const missed = met.filter((one) => one !== 'found');
  if (missed.length < met.length) return undefined;
  const depth = Math.max(...missed.map((one) => one.depth));
  // Where a path leads furthest, it was meant to lead.
  const meant = missed.filter((one) => one.depth === depth);
  const [first] = meant;
  return (
    first &&
    `the body of ${words} has no "${first.step}" there; ${describeMembers(first.step, meant)}`
  );
}

/** More members than these are left out of a message, which names the nearest all the same. */
const maxListed = 20;

function describeMembers(step: string, meant: readonly MissingMember[]): string {
  const known = [...new Set(meant.flatMap((one) => one.known))];
  if (known.length === 0 && meant.some(({ isList }) => isList)) {
    return 'it has a list: write which of it, counted from 0, like transactions[0].amount.total.';
  }
  const more = known.length > maxListed ? ` and ${known.length - maxListed} more` : '';
  const named = known.slice(0, maxListed).join(', ') || 'nothing more';
  return `it has: ${named}${more}.${didYouMean(step, known)}`;
}

/** What happens before a request is read cannot depend on what stands in it. */
function findUnreadBodyProblem(key: string, rule: unknown, path: Path): string | undefined {
  if (/^(?:\$|header:|path:)/.test(key)) return undefined;
  const early = listOutcomeReferences(rule, path)
    .map(({ id }) => findOutcome(id))
    .find((outcome) => outcome?.phase === 'before-read');
  return early === undefined
    ? undefined
    : `"${early.id}" happens before the body is read, so the body cannot choose it. Match by a header, or leave it out.`;
}

/** Reports what of a condition cannot be held against any value. */
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
    const isSpan = durationValues.has(key);
    if (typeof value === 'string' && !(isSpan ? isDuration(value) : isNumberOrDuration(value))) {
      const form = isSpan ? 'a span of time, like 1500ms or P1D' : 'a number, or a span of time';
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
