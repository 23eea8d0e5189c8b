/** Looks at a rule as written, so that mistakes of sense are named along with those of form. */
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/** Says what is wrong at a place. */
export type Report = (path: Path, words: string) => void;

/** An outcome that a rule names, where it stands, and in which part. */
export interface Named {
  readonly id: string;
  readonly path: Path;
  readonly params: unknown;
  readonly paramsPath: Path;
  /** `and` stands beside the outcome of this id. */
  readonly beside: string | undefined;
  readonly always: boolean;
}

/** A list, or what stands for a list of one. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The texts under a key that takes one or several, each with its path. */
export function textsOf(
  of: unknown,
  key: string,
  path: Path,
): { readonly text: string; readonly path: Path }[] {
  const value = memberOf(of, key);
  return listOf(value).flatMap((text, at) =>
    typeof text === 'string'
      ? [{ text, path: Array.isArray(value) ? [...path, key, at] : [...path, key] }]
      : [],
  );
}

/** The keys and values of an object; none where there is no object. */
export function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null ? Object.entries(value) : [];
}

/** Every outcome that a rule names. */
export function outcomesNamed(rule: unknown, path: Path): Named[] {
  const steps = memberOf(rule, 'then');
  const then = listOf(steps).flatMap((step, at) =>
    namedBy(step, Array.isArray(steps) ? [...path, 'then', at] : [...path, 'then'], {}),
  );
  const always = listOf(memberOf(rule, 'always')).flatMap((step, at) =>
    namedBy(step, [...path, 'always', at], { always: true }),
  );
  return [...then, ...always];
}

function namedBy(step: unknown, path: Path, part: Partial<Named>): Named[] {
  const bare = { params: undefined, paramsPath: path, beside: undefined, always: false, ...part };
  if (typeof step === 'string') return [{ ...bare, id: step, path }];
  const drawn = listOf(memberOf(step, 'oneOf')).flatMap((one, at) =>
    namedBy(one, [...path, 'oneOf', at], part),
  );
  const id = memberOf(step, 'outcome');
  if (typeof id !== 'string') return drawn;
  const named: Named = {
    ...bare,
    id,
    path: [...path, 'outcome'],
    params: memberOf(step, 'with'),
    paramsPath: [...path, 'with'],
  };
  return [named, ...namedBy(memberOf(step, 'and'), [...path, 'and'], { beside: id }), ...drawn];
}
