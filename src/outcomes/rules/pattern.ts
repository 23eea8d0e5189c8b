/**
 * Regular expressions of rules. They are matched in linear time, because the sandbox answers nothing else meanwhile. Their
 * sizes are limited, so that a request is compared with all of them in about a second at worst.
 */
import { patternEngine } from './pattern-engine.ts';

/** Longer texts match no expression. */
export const maxMatchedLength = 1_024;

/** The most characters of an expression. */
const maxPatternLength = 1_000;

/**
 * The most steps of one expression. A character, class, choice or repetition is about one step, and `a{100}` is a hundred.
 * A match takes at most one step for each character of the text and each step of the expression.
 */
const maxSteps = 1_000;

/** The most steps of all expressions that one operation is compared with. */
export const maxOperationSteps = 20_000;

/** An expression that is ready to match. */
export interface Pattern {
  readonly steps: number;
  /** Whether a part of the text matches. */
  test(text: string): boolean;
}

/** Whether an expression refers back to a group. The engine would read it as a letter. */
function hasBackreference(source: string): boolean {
  return [...source.matchAll(/\\(.)/gsu)].some(([, escaped = '']) => /[1-9k]/.test(escaped));
}

/** Writes classes such as `\p{Script=Greek}` as the engine knows them: `\p{Greek}`. */
function withShortClasses(source: string): string {
  return source.replaceAll(
    /\\(?:([pP])\{(?:Script|sc|General_Category|gc)=|.)/gsu,
    (escape: string, letter: string | undefined) =>
      letter === undefined ? escape : `\\${letter}{`,
  );
}

/** Compiles an expression, or returns `undefined` if the engine cannot. */
function compile(source: string): Pattern | undefined {
  if (hasBackreference(source)) return undefined;
  const { RE2JS } = patternEngine();
  try {
    const pattern = RE2JS.compile(RE2JS.translateRegExp(withShortClasses(source)));
    return {
      steps: pattern.programSize(),
      test: (text) => text.length <= maxMatchedLength && pattern.test(text),
    };
  } catch {
    return undefined;
  }
}

/**
 * Compiles an expression that was checked when its rule was read.
 *
 * @throws {Error} If it was not checked.
 */
export function compilePattern(source: string): Pattern {
  const pattern = compile(source);
  if (pattern === undefined) throw new Error('A regular expression was not checked.');
  return pattern;
}

/** Explains what is wrong with a regular expression. */
export function findPatternProblem(source: string): string | undefined {
  if (source.length > maxPatternLength) {
    return `the regular expression has ${source.length} characters. At most ${maxPatternLength} are allowed.`;
  }
  if (!isExpression(source)) return 'this is not a valid regular expression.';
  const pattern = compile(source);
  if (pattern === undefined) {
    return 'the regular expression uses a lookahead, a lookbehind, a backreference or more than 1000 repetitions. They can take very long, so they are not supported. Write several conditions or rules instead.';
  }
  return pattern.steps > maxSteps
    ? `the regular expression is too large: it has ${pattern.steps} steps, and at most ${maxSteps} are allowed. Each repetition of a{100} counts. Repeat less often, or use * or +.`
    : undefined;
}

/** Whether JavaScript accepts an expression with the flag `u`. */
function isExpression(source: string): boolean {
  try {
    RegExp(source, 'u');
    return true;
  } catch {
    return false;
  }
}
