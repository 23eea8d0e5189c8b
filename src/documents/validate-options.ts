/** Validates options with one schema each and explains what is wrong. */
import { z } from '@hono/zod-openapi';
import { explainIssues } from './schema-issues.ts';
import { inMemorySource } from './source.ts';
import { memberOf } from '../shared/unknown-value.ts';
import { onFirstUse } from '../shared/lazy.ts';
import { OptionError, unknownOption } from '../shared/option-error.ts';

/** Schema of each option, by name. Every option may be omitted. */
export type OptionSchemas = Readonly<Record<string, () => z.ZodType>>;

/**
 * Creates each schema on first use and keeps it: few options are ever given, and a sandbox has some
 * ninety schemas.
 */
export function lazySchemas(makers: OptionSchemas): OptionSchemas {
  return Object.fromEntries(Object.entries(makers).map(([name, make]) => [name, onFirstUse(make)]));
}

/** Explains where an unknown option belongs, if it exists elsewhere. */
type MovedOptionHint = (option: string) => string | undefined;

/** Throws an `OptionError` that names every mistake in the options. */
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

/** Whether all options are known and valid. This fast check does not explain what is wrong. */
function areValid(readers: OptionSchemas, options: unknown): boolean {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) return false;
  for (const name in options) if (!Object.hasOwn(readers, name)) return false;
  return Object.entries(readers).every(([name, reader]) => {
    const given: unknown = Reflect.get(options, name);
    // Without JIT: interpreting a schema once is less work than compiling it.
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

/** Whether the schema's own message says what is required. */
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
