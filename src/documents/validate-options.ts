/** Holds options to what reads each of them, and says what is wrong. */
import { z } from '@hono/zod-openapi';
import { explainIssues } from './schema-issues.ts';
import { inMemorySource } from './source.ts';
import { memberOf } from '../shared/unknown-value.ts';
import { onFirstUse } from '../shared/lazy.ts';
import { OptionError, unknownOption } from '../shared/option-error.ts';

/** What reads each option, by its name; any may be left out. */
export type OptionSchemas = Readonly<Record<string, () => z.ZodType>>;

/**
 * Each is made when its option is first given, and then kept: few ever are, and those of a sandbox alone are some ninety
 * schemas.
 */
export function lazySchemas(makers: OptionSchemas): OptionSchemas {
  return Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, onFirstUse(make)]));
}

/** Says of an option that is not known where it is one, if anywhere. */
type MovedOptionHint = (option: string) => string | undefined;

/** Throws an `OptionError` that names every mistake in options. */
export function validateOptions(
  readers: OptionSchemas,
  options: unknown,
  hintFor: MovedOptionHint = () => undefined,
): void {
  if (areValid(readers, options)) return;
  const members = Object.entries(readers).map(([name, reader]) => [name, reader().optional()]);
  const schema = z.strictObject(Object.fromEntries(members));
  const checked = schema.safeParse(options);
  if (checked.success) return;
  const { issues } = checked.error;
  throw new OptionError(
    issues.flatMap((issue) => describeIssue(issue, schema, { options, hintFor })).join('\n'),
  );
}

/** Whether each option is known, and each that is given is sound. What is wrong is said by whoever reads them all. */
function areValid(readers: OptionSchemas, options: unknown): boolean {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false;
  for (const name in options) if (!Object.hasOwn(readers, name)) return false;
  return Object.entries(readers).every(([name, reader]) => {
    const given: unknown = Reflect.get(options, name);
    // Read once, which is less work than to compile what reads.
    return given === undefined || z.safeParse(reader(), given, { jitless: true }).success;
  });
}

function describeIssue(
  issue: z.core.$ZodIssue,
  schema: z.ZodObject,
  { options, hintFor }: { readonly options: unknown; readonly hintFor: MovedOptionHint },
): string[] {
  const { path } = issue;
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(schema, path);
    const group = path.map((key) => `${String(key)}.`).join('');
    return issue.keys.map(
      (key) => (path.length === 0 ? hintFor(key) : undefined) ?? unknownOption(key, known, group),
    );
  }
  const source = inMemorySource(path.length === 0 ? 'The options' : 'Option', options);
  const fault = hasOwnMessage(issue) ? `${issue.message}.` : describeBound(issue);
  return fault === undefined
    ? explainIssues(source, [issue], {})
    : [`${source.at(path)}: ${fault}`];
}

/** Whether what reads the option says itself what must be. */
const hasOwnMessage = ({ message }: z.core.$ZodIssue): boolean => message.startsWith('must ');

function describeBound(issue: z.core.$ZodIssue): string | undefined {
  const isText = 'origin' in issue && issue.origin === 'string';
  if (issue.code === 'too_small') {
    return isText ? 'must not be empty.' : `must be at least ${issue.minimum}.`;
  }
  if (issue.code !== 'too_big') return undefined;
  return `must ${isText ? 'have' : 'be'} at most ${issue.maximum}${isText ? ' characters' : ''}.`;
}

function knownKeys(schema: z.ZodObject, path: readonly PropertyKey[]): string[] {
  let group: unknown = schema;
  for (const key of path) {
    const member: unknown = memberOf(group instanceof z.ZodObject ? group.shape : undefined, key);
    group = member instanceof z.ZodOptional ? member.unwrap() : member;
  }
  return group instanceof z.ZodObject ? Object.keys(group.shape) : [];
}
