/** The verbs of a sandbox. Their types are derived from the table of verbs and its schemas. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { schemas } from '../contract/control/routes.ts';
import type { Target, VerbName, verbs } from '../contract/control/verbs.ts';

type Schemas = typeof schemas;
type OutputOf<S> = S extends { readonly output: z.ZodType } ? Plain<z.output<S['output']>> : void;
/** The control API does not validate a document, so its type is any object. */
type Plain<T> = string extends keyof T ? object : T;
type OutputOfAll<S> = S extends { readonly outputOfAll: z.ZodType }
  ? z.output<S['outputOfAll']>
  : never;
type AbsentOf<V> = V extends { readonly absent: string } ? undefined : never;
type Awaitable<T> = T | Promise<T>;

/** The result of a verb, or a promise of it. */
type Result<Name extends VerbName> = Awaitable<
  OutputOf<Schemas[Name]> | OutputOfAll<Schemas[Name]> | AbsentOf<(typeof verbs)[Name]>
>;

/**
 * One method for each verb. It receives a target if it acts on a merchant, then its input, which it validates itself.
 */
export type VerbMethods = {
  readonly [Name in VerbName]: (...args: never[]) => Result<Name>;
};

/** The sandbox behind the control API. */
export interface ControlVerbs extends VerbMethods {
  // Pages and input readers call these directly and need the result synchronously.
  readonly about: () => OutputOf<Schemas['about']>;
  readonly health: () => OutputOf<Schemas['health']>;
  readonly merchants: () => OutputOf<Schemas['merchants']>;
  readonly scenarios: () => OutputOf<Schemas['scenarios']>;
  /** What to do if a call that named no merchant acted on one that sends no requests, while others do. */
  hintAbout(target: Target | undefined): string | undefined;
  /** Calls a verb by its name. */
  perform(name: VerbName, target: Target | undefined, input: unknown): unknown;
  /** The service's OpenAPI document. */
  document(): ReturnType<OpenAPIHono['getOpenAPI31Document']>;
}
