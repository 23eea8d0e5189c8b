/** Do two requests say the same, as far as both say something? A retry may be built without some of the fields. */
import { canonical } from '../../journal/query/request-details.ts';
import { memberOf } from '../../shared/unknown-value.ts';

/**
 * The fields that only one of two objects has; `undefined` if both have a field with different values.
 *
 * @param ignored Fields that are compared elsewhere.
 * @param areAlike Whether two different values say the same. Default: they do not.
 */
export function omittedFields(
  one: unknown,
  other: unknown,
  ignored: ReadonlySet<string>,
  areAlike: (value: unknown, otherValue: unknown, name: string) => boolean = () => false,
): readonly string[] | undefined {
  const omitted: string[] = [];
  for (const name of new Set([one, other].flatMap(namesIn))) {
    if (ignored.has(name)) continue;
    const [value, otherValue] = [memberOf(one, name), memberOf(other, name)];
    if (value === undefined || otherValue === undefined) omitted.push(name);
    else if (textOf(value) !== textOf(otherValue) && !areAlike(value, otherValue, name)) {
      return undefined;
    }
  }
  return omitted;
}

function namesIn(value: unknown): string[] {
  return typeof value === 'object' && value !== null ? Object.keys(value) : [];
}

function textOf(value: unknown): string {
  return JSON.stringify(canonical(value));
}
