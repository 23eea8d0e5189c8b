/** The form of a handler: it receives valid input, calls the domain once, and shows a record. */
import type { z } from '@hono/zod-openapi';
import type { OperationName } from '../contract/service/operation-name.ts';
import {
  requestSchemas,
  type JsonOperation,
  type Operations,
} from '../contract/service/operations.ts';
import type { Change } from '../domain/ports.ts';
import type { Result } from '../domain/refusals.ts';
import type { ReadModel, World } from '../world/world.ts';
import type { PlanOverrides } from './steps/apply-outcome.ts';
import type { View } from './views/view.ts';

type RequestOf<N extends OperationName> = Operations[N]['request'];

type ParamsOf<N extends OperationName> =
  RequestOf<N> extends { readonly params: infer P extends z.ZodType } ? z.output<P> : object;

type QueryOf<N extends OperationName> =
  RequestOf<N> extends { readonly query: infer Q extends z.ZodType } ? z.output<Q> : object;

type BodyOf<N extends OperationName> =
  RequestOf<N> extends {
    readonly body: {
      readonly content: {
        readonly 'application/json': { readonly schema: infer S extends z.ZodType };
      };
    };
  }
    ? z.output<S>
    : object;

/** The valid input of an operation, as its declaration types it. */
export interface Input<N extends OperationName> {
  readonly params: ParamsOf<N>;
  readonly query: QueryOf<N>;
  readonly body: BodyOf<N>;
}

/** An operation that reads records and changes none. */
export interface ReadHandler<N extends OperationName> {
  readonly kind: 'read';
  /** `shift`: how many places too early a page starts; negative: too late. */
  read(input: Input<N>, books: ReadModel, view: View, shift: number): Result<object>;
}

/** An operation that plans a change. The answer shows the subject of the committed change. */
export interface WriteHandler<N extends OperationName> {
  readonly kind: 'write';
  readonly status: 200 | 201 | 204;
  /** Status for a repeat with the same PayPal-Request-Id, if it differs. */
  readonly repeatStatus?: 200;
  /** Whether PayPal-Request-Id makes a repeat safe. It does for POST (contract.md §6). */
  readonly idempotent: boolean;
  plan(input: Input<N>, world: World, view: View, overrides: PlanOverrides): Result<Change>;
  /** Shows the subject as it is now; `null` if the answer has no body. */
  show(subject: string, view: View): Result<object | null>;
}

export type Handler<N extends OperationName> = ReadHandler<N> | WriteHandler<N>;

export type Handlers<N extends OperationName> = { readonly [K in N]: Handler<K> };

/** An operation with its handler and the schemas of its requests. */
export interface Endpoint<N extends JsonOperation> {
  readonly operation: N;
  readonly handler: Handler<N>;
  /** `undefined` if the operation has no query. */
  readonly querySchema: z.ZodType | undefined;
  /** `undefined` if the operation has no body. */
  readonly bodySchema: z.ZodType | undefined;
}

export function createEndpoint<N extends JsonOperation>(
  operation: N,
  handler: Handler<N>,
): Endpoint<N> {
  const { query: querySchema, body: bodySchema } = requestSchemas(operation);
  return { operation, handler, querySchema, bodySchema };
}
