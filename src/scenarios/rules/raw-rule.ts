/** Reads parts of a rule before its schema is checked, so that one error can name every problem. */
import { maxLines } from '../../documents/document-error.ts';
import type { Path, Source } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/** What is wrong; a function if the words take long to find. */
export type ProblemWords = string | (() => string);

/** Reports a problem at a place. */
export type ReportProblem = (path: Path, words: ProblemWords) => void;

/** The text of a problem. */
export function readWords(words: ProblemWords): string {
  return typeof words === 'string' ? words : words();
}

/** Adds each reported problem to `lines`, up to the last that a message names. Later ones are counted. */
export function collectProblems(source: Source, lines: string[]): ReportProblem {
  return (path, words) => {
    lines.push(lines.length < maxLines ? `${source.at(path)}: ${readWords(words)}` : '');
  };
}

/** An outcome that a rule names, with its place and parameters. */
export interface OutcomeReference {
  readonly id: string;
  readonly path: Path;
  readonly params: unknown;
  readonly paramsPath: Path;
  /** The id of the first outcome of the step, if this one is its `and`. */
  readonly beside: string | undefined;
  readonly always: boolean;
}

/** Returns a list unchanged and wraps any other value in a list. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** Returns the texts of a key that accepts one text or a list, each with its path. */
export function readTexts(
  of: unknown,
  key: string,
  path: Path,
): { readonly text: string; readonly path: Path }[] {
  const value = memberOf(of, key);
  return toList(value).flatMap((text, at) =>
    typeof text === 'string'
      ? [{ text, path: Array.isArray(value) ? [...path, key, at] : [...path, key] }]
      : [],
  );
}

/** Returns the keys and values of an object, or none if the value is not an object. */
export function readEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Lists every outcome that a rule names. */
export function listOutcomeReferences(rule: unknown, path: Path): OutcomeReference[] {
  const steps = memberOf(rule, 'then');
  const then = toList(steps).flatMap((step, at) =>
    readStep(step, Array.isArray(steps) ? [...path, 'then', at] : [...path, 'then'], {}),
  );
  const always = toList(memberOf(rule, 'always')).flatMap((step, at) =>
    readStep(step, [...path, 'always', at], { always: true }),
  );
  return [...then, ...always];
}

function readStep(step: unknown, path: Path, part: Partial<OutcomeReference>): OutcomeReference[] {
  const bare = { params: undefined, paramsPath: path, beside: undefined, always: false, ...part };
  if (typeof step === 'string') return [{ ...bare, id: step, path }];
  const drawn = toList(memberOf(step, 'oneOf')).flatMap((one, at) =>
    readStep(one, [...path, 'oneOf', at], part),
  );
  const id = memberOf(step, 'outcome');
  if (typeof id !== 'string') return drawn;
  const named: OutcomeReference = {
    ...bare,
    id,
    path: [...path, 'outcome'],
    params: memberOf(step, 'with'),
    paramsPath: [...path, 'with'],
  };
  return [named, ...readStep(memberOf(step, 'and'), [...path, 'and'], { beside: id }), ...drawn];
}
