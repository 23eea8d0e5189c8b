/** The verbs as a sandbox carries them out. Their types come from the table and its schemas. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { schemas } from '../contract/control/routes.ts';
import type { Target, VerbName, verbs } from '../contract/control/verbs.ts';

type Schemas = typeof schemas;
type OutputOf<S> = S extends { readonly output: z.ZodType } ? Plain<z.output<S['output']>> : void;
/** A document that is opaque to the control API is any object there. */
type Plain<T> = string extends keyof T ? object : T;
type OutputOfAll<S> = S extends { readonly outputOfAll: z.ZodType }
  ? z.output<S['outputOfAll']>
  : never;
type AbsentOf<V> = V extends { readonly absent: string } ? undefined : never;
type Awaitable<T> = T | Promise<T>;

/** What a verb answers, at once or later. */
type Result<Name extends VerbName> = Awaitable<
  OutputOf<Schemas[Name]> | OutputOfAll<Schemas[Name]> | AbsentOf<(typeof verbs)[Name]>
>;

/** A method for each verb. It takes a target if it acts on a merchant, then its input, which it checks itself. */
export type VerbMethods = {
  readonly [Name in VerbName]: (...args: never[]) => Result<Name>;
};

/** The sandbox behind the control API. */
export interface ControlVerbs extends VerbMethods {
  // Pages and readers of input call these themselves, and need what they return at once.
  readonly about: () => OutputOf<Schemas['about']>;
  readonly health: () => OutputOf<Schemas['health']>;
  readonly merchants: () => OutputOf<Schemas['merchants']>;
  readonly scenarios: () => OutputOf<Schemas['scenarios']>;
  /** Calls a verb by its name. */
  perform(name: VerbName, target: Target | undefined, input: unknown): unknown;
  /** The service's OpenAPI document. */
  document(): ReturnType<OpenAPIHono['getOpenAPI31Document']>;
}
