/** Conditions on a request, and why a request does not meet them. */
import { memberAlong, stepsOf } from '../../shared/unknown-value.ts';
import { redactMember, redactText } from '../../redaction/redact.ts';
import type { Facts } from './facts.ts';
import { compilePattern, type Pattern } from './pattern.ts';
import { readDurationMs } from '../../domain/duration.ts';

type PlainValue = string | number | boolean;

/**
 * One value, or comparisons that must all hold.
 *
 * Numbers also equal decimal strings. `gt`, `gte`, `lt` and `lte` compare numbers, decimal strings and durations.
 */
export type Condition =
  | PlainValue
  | {
      readonly eq?: PlainValue | undefined;
      readonly ne?: PlainValue | undefined;
      readonly gt?: string | number | undefined;
      readonly gte?: string | number | undefined;
      readonly lt?: string | number | undefined;
      readonly lte?: string | number | undefined;
      readonly in?: readonly PlainValue[] | undefined;
      readonly matches?: string | undefined;
      readonly exists?: boolean | undefined;
    };

/**
 * Conditions by place. All of them must hold.
 *
 * A place is a path into the body (`transactions[0].amount.total`), `header:<name>`, `path:<name>`, or a derived value:
 * `$card`, `$intent`, `$attempt`, `$cardAge`, `$deletedAge`, `$transaction`, `$saleDisputed`.
 */
export type Match = Readonly<Record<string, Condition>>;

/** Reads the value of a place. */
type ValueReader = (facts: Facts) => unknown;

type ValueTest = (value: unknown) => boolean;

interface CompiledCondition {
  readonly read: ValueReader;
  readonly holds: ValueTest;
  readonly mismatch: string;
}

/** Conditions on the attempt are tested last, because only requests that meet the others are counted. */
interface CompiledMatch {
  readonly ofRequest: readonly CompiledCondition[];
  readonly ofAttempt: readonly Omit<CompiledCondition, 'read'>[];
  /** How many steps its regular expressions have together. */
  readonly patternSteps: number;
}

/** Compiled matches. A match never changes, so it is compiled once instead of for every request. */
const compiledMatches = new WeakMap<Match, CompiledMatch>();

const attemptPlace = '$attempt';

const derivedReaders: ReadonlyMap<string, ValueReader> = new Map<string, ValueReader>([
  ['$card', ({ card }) => card?.id],
  ['$intent', ({ intent }) => intent],
  ['$cardAge', ({ card, nowMs }) => ageMs(card?.createdAtMs, nowMs)],
  ['$deletedAge', ({ card, nowMs }) => ageMs(card?.deletedAtMs, nowMs)],
  ['$transaction', ({ transaction }) => transaction],
  ['$saleDisputed', ({ saleDisputed }) => saleDisputed],
]);

/** Places whose value is derived from the request. */
export const derivedValues: readonly string[] = [...derivedReaders.keys(), attemptPlace];

function ageMs(sinceMs: number | undefined, nowMs: number): number | undefined {
  return sinceMs === undefined ? undefined : nowMs - sinceMs;
}

/** Describes the first condition that a request does not meet, except conditions on the attempt. */
export function findMismatch(match: Match, facts: Facts): string | undefined {
  return compileMatch(match).ofRequest.find(({ read, holds }) => !holds(read(facts)))?.mismatch;
}

/** Describes the first condition that an attempt does not meet. */
export function findAttemptMismatch(match: Match, attempt: number): string | undefined {
  return compileMatch(match).ofAttempt.find(({ holds }) => !holds(attempt))?.mismatch;
}

/** Returns a match without card numbers and codes, which are as secret here as in a request. */
export function redactMatch(match: Match): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(match).map(([place, condition]) => [
      redactText(place),
      redactCondition(place, condition),
    ]),
  );
}

function redactCondition(place: string, condition: Condition): unknown {
  const name = stepsOf(place).at(-1) ?? place;
  if (typeof condition !== 'object') return redactMember(name, condition);
  return Object.fromEntries(
    Object.entries(condition).map(([word, value]) => [
      word,
      // Whether a value exists is not secret.
      word === 'exists' ? value : redactMember(name, value),
    ]),
  );
}

/** How many steps the expressions of a match have together. */
export function countPatternSteps(match: Match): number {
  return compileMatch(match).patternSteps;
}

function compileMatch(match: Match): CompiledMatch {
  let conditions = compiledMatches.get(match);
  if (conditions === undefined) {
    const all = Object.entries(match).map(([place, condition]) => {
      const pattern = patternOf(condition);
      return {
        place,
        read: makeReader(place),
        holds: makeTest(condition, pattern),
        mismatch: `${redactText(place)} is not ${JSON.stringify(redactCondition(place, condition))}`,
        steps: pattern?.steps ?? 0,
      };
    });
    conditions = {
      ofRequest: all.filter(({ place }) => place !== attemptPlace),
      ofAttempt: all.filter(({ place }) => place === attemptPlace),
      patternSteps: all.reduce((sum, { steps }) => sum + steps, 0),
    };
    compiledMatches.set(match, conditions);
  }
  return conditions;
}

function makeReader(place: string): ValueReader {
  const derived = derivedReaders.get(place);
  if (derived !== undefined) return derived;
  if (place.startsWith('header:')) {
    const name = place.slice('header:'.length).toLowerCase();
    return (facts) => facts.header(name);
  }
  if (place.startsWith('path:')) {
    const name = place.slice('path:'.length);
    return (facts) => facts.params[name];
  }
  const steps = stepsOf(place);
  return (facts) => memberAlong(facts.body, steps);
}

function patternOf(condition: Condition): Pattern | undefined {
  if (typeof condition !== 'object' || condition.matches === undefined) return undefined;
  return compilePattern(condition.matches);
}

function makeTest(condition: Condition, pattern: Pattern | undefined): ValueTest {
  if (typeof condition !== 'object') return (value) => isEqual(value, condition);
  const { eq, ne, exists, gt, gte, lt, lte } = condition;
  return (value) =>
    (exists === undefined || exists === (value !== undefined)) &&
    (eq === undefined || isEqual(value, eq)) &&
    (ne === undefined || !isEqual(value, ne)) &&
    (condition.in === undefined || condition.in.some((one) => isEqual(value, one))) &&
    (pattern === undefined || (typeof value === 'string' && pattern.test(value))) &&
    isInOrder(value, gt, (order) => order > 0) &&
    isInOrder(value, gte, (order) => order >= 0) &&
    isInOrder(value, lt, (order) => order < 0) &&
    isInOrder(value, lte, (order) => order <= 0);
}

function isEqual(value: unknown, expected: PlainValue): boolean {
  // A list or an object equals no plain value, and its text may be long.
  if (value === undefined || typeof value === 'object') return false;
  if (String(value) === String(expected)) return true;
  return typeof expected === 'number' && decimal.test(String(value)) && Number(value) === expected;
}

const decimal = /^-?\d+(\.\d+)?$/;

function isInOrder(
  value: unknown,
  bound: string | number | undefined,
  test: (order: number) => boolean,
): boolean {
  if (bound === undefined) return true;
  const [left, right] = [toNumber(value), toNumber(bound)];
  return left !== undefined && right !== undefined && test(left - right);
}

/** Reads a number, a decimal string, or a duration in milliseconds. */
function toNumber(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string') return undefined;
  return decimal.test(value) ? Number(value) : readDurationMs(value);
}
