/** Looks at a rule as written, so that mistakes of sense are named along with those of form. */
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/** Says what is wrong at a place. */
export type ReportProblem = (path: Path, words: string) => void;

/** An outcome that a rule names, where it stands, and in which part. */
export interface OutcomeReference {
  readonly id: string;
  readonly path: Path;
  readonly params: unknown;
  readonly paramsPath: Path;
  /** `and` stands beside the outcome of this id. */
  readonly beside: string | undefined;
  readonly always: boolean;
}

/** A list, or what stands for a list of one. */
export function toList(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The texts under a key that takes one or several, each with its path. */
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

/** The keys and values of an object; none where there is no object. */
export function readEntries(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Every outcome that a rule names. */
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
