/** Binds each declared operation to its handler: route, validation, idempotency, commit, answer. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { operations, type OperationName } from '../contract/operations.ts';
import { readShape } from '../contract/shape.ts';
import type { Result } from '../domain/refusals.ts';
import { wireOf, type Body, type DoorEnv, type Reply, type Wire } from './wire.ts';
import { isJsonType, parseBody } from './body.ts';
import type { Exchange } from './exchange.ts';
import { after, isTurned, turnedBy, type Hall, type Turned, type Visit } from './hall.ts';
import type { Handler, Input, ReadHandler, WriteHandler } from './operation.ts';
import { emptyReply, jsonReply, unreadBody } from './reply.ts';

/** Both spellings of the vault are served, and the document shows one (contract.md §2.1). */
const vaultSpellings = ['/v1/vault/credit-cards', '/v1/vault/credit-card'] as const;

/** What of a declaration is needed to serve it. */
interface Declared {
  readonly method: string;
  readonly path: string;
  getRoutingPath(): string;
  readonly request?: {
    readonly params?: z.ZodType;
    readonly query?: z.ZodType;
    readonly body?: {
      readonly content: { readonly 'application/json'?: { readonly schema: z.ZodType } };
    };
  };
}

/** Every operation but the token's, which speaks OAuth. */
export type JsonOperation = Exclude<OperationName, 'token.create'>;

/** Serves an operation in an app, and declares it in the app's document. */
export function bind<N extends JsonOperation>(
  app: OpenAPIHono<DoorEnv>,
  hall: Hall,
  name: N,
  handler: Handler<N>,
): void {
  const route: Declared = operations[name];
  const serve = serverOf(hall, name, route, handler);
  app.openAPIRegistry.registerPath(operations[name]);
  const path = route.getRoutingPath();
  for (const spelling of spellingsOf(path)) app.on(route.method.toUpperCase(), [spelling], serve);
}

/** Every path an operation answers to. */
export function spellingsOf(path: string): readonly string[] {
  const [plural, singular] = vaultSpellings;
  return path.startsWith(plural) ? [path, singular + path.slice(plural.length)] : [path];
}

function serverOf<N extends JsonOperation>(
  hall: Hall,
  name: N,
  route: Declared,
  handler: Handler<N>,
): (c: Context<DoorEnv>) => Response | Promise<Response> {
  const schema = route.request?.body?.content['application/json']?.schema;
  const querySchema = route.request?.query;
  const { maxBodyBytes } = hall.settings;

  return (c) => {
    const wire = wireOf(c);
    const bearer = hall.settings.tokens.read(wire.header('authorization'));
    const merchant = typeof bearer === 'string' ? undefined : bearer.merchant;
    const arrival = hall.open(wire, name, merchant);
    const { exchange } = arrival;
    return hall.walk(arrival, () => {
      const visit = hall.admit(arrival, bearer);
      if (isTurned(visit)) return hall.leave(wire, exchange, hall.turn(exchange, visit));
      const body = schema === undefined ? noBody : wire.readBody(maxBodyBytes);
      return after(body, (bytes) => {
        const input = readInput<N>(c, wire, bytes, schema, querySchema);
        if (isTurned(input)) return hall.leave(wire, exchange, hall.turn(exchange, input));
        return after(
          handler.kind === 'read'
            ? readReply(hall, exchange, handler, input, visit)
            : writeReply(hall, wire, exchange, handler, input, visit),
          (reply) => hall.leave(wire, exchange, reply),
        );
      });
    });
  };
}

const noBody = new Uint8Array();

/** Reads params, query and body as declared. */
function readInput<N extends OperationName>(
  c: Context<DoorEnv>,
  wire: Wire,
  bytes: Body,
  schema: z.ZodType | undefined,
  querySchema: z.ZodType | undefined,
): Input<N> | Turned {
  const query =
    querySchema === undefined ? noFields : readFields(querySchema, filled(c.req.query()));
  if (isTurned(query)) return query;
  const body = schema === undefined ? noFields : readBody(schema, wire, bytes);
  if (isTurned(body)) return body;
  // The schemas just applied are the ones Input<N> is typed by; params are strings by the router's doing.
  return { params: c.req.param(), query: query.value, body: body.value } as Input<N>;
}

const noFields = { value: {} };

function readBody(schema: z.ZodType, wire: Wire, bytes: Body): { value: unknown } | Turned {
  if (bytes === 'too-large') {
    return {
      kind: 'body-too-large',
      reason: 'The body is larger than --max-body-bytes allows.',
      detail: { headers: unreadBody },
    };
  }
  if (bytes === 'gone') {
    return { kind: 'malformed-request', reason: 'The client left before its body was complete.' };
  }
  const contentType = wire.header('content-type');
  if (!isJsonType(contentType) && (bytes.byteLength > 0 || contentType !== undefined)) {
    return {
      kind: 'unsupported-media-type',
      reason: 'A body must come with Content-Type: application/json.',
    };
  }
  const parsed = parseBody(bytes);
  if (!parsed.ok) return { kind: 'malformed-request', reason: parsed.reason };
  return readFields(schema, parsed.value);
}

function readFields(schema: z.ZodType, value: unknown): { value: unknown } | Turned {
  const shaped = readShape(schema, value);
  if (shaped.ok) return shaped;
  if ('malformed' in shaped) return { kind: 'malformed-request', reason: shaped.malformed };
  const { issues } = shaped;
  return {
    kind: 'invalid-fields',
    reason: issues.map((one) => `${one.field}: ${one.issue}`).join('; '),
    detail: { issues },
  };
}

/** An empty parameter counts as absent: one SDK sends every parameter it knows (contract.md §2.6). */
function filled(query: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== ''));
}

function readReply<N extends OperationName>(
  hall: Hall,
  exchange: Exchange,
  handler: ReadHandler<N>,
  input: Input<N>,
  { world, view }: Visit,
): Reply {
  const shown = handler.read(input, world, view);
  return shown.ok
    ? jsonReply(exchange, 200, shown.value)
    : hall.turn(exchange, turnedBy(shown.refusal));
}

function writeReply<N extends OperationName>(
  hall: Hall,
  wire: Wire,
  exchange: Exchange,
  handler: WriteHandler<N>,
  input: Input<N>,
  visit: Visit,
): Reply | Promise<Reply> {
  const { world } = visit;
  const requestId = handler.idempotent ? wire.header('paypal-request-id') : undefined;
  if (requestId === undefined) return carryOut(hall, exchange, handler, input, visit);
  if (requestId === '' || requestId.length > 78) {
    return hall.turn(exchange, {
      kind: 'request-id-invalid',
      reason: 'PayPal-Request-Id must have 1 to 78 characters.',
    });
  }
  // Not the path itself: a retry that spells it with another slash, or in the singular, is the same request.
  const key = `${exchange.operation} ${JSON.stringify(input.params)} ${requestId}`;
  const claim = world.requestIds.claim(key, hall.fingerprint(input), world.nowMs());
  switch (claim.kind) {
    case 'other-body':
      return hall.turn(exchange, {
        kind: 'request-id-reused',
        reason:
          'An earlier request to this path with this PayPal-Request-Id had another body. Use one id for one intent.',
      });
    case 'in-progress':
      return hall.turn(exchange, {
        kind: 'request-in-progress',
        reason: 'The first request with this PayPal-Request-Id has not ended. Repeat in a moment.',
      });
    case 'repeat':
      exchange.replayed = true;
      return shownReply(
        hall,
        exchange,
        handler.repeatStatus ?? handler.status,
        handler.show(claim.subject, visit.view),
      );
    case 'first':
      return claimed(hall, exchange, handler, input, visit, key);
  }
}

/** Carries out the first request with an id. What is refused or fails is forgotten (contract.md §6). */
function claimed<N extends OperationName>(
  hall: Hall,
  exchange: Exchange,
  handler: WriteHandler<N>,
  input: Input<N>,
  visit: Visit,
  key: string,
): Reply | Promise<Reply> {
  const { requestIds } = visit.world;
  let done = false;
  const forget = (): void => {
    if (!done) requestIds.release(key);
  };
  const reply = (() => {
    try {
      return carryOut(hall, exchange, handler, input, visit, (subject) => {
        done = true;
        requestIds.settle(key, subject);
      });
    } catch (failure) {
      forget();
      throw failure;
    }
  })();
  if (reply instanceof Promise) return reply.finally(forget);
  forget();
  return reply;
}

/** Plans, commits, shows. The plan is made again after a pause: the world may have moved on. */
function carryOut<N extends OperationName>(
  hall: Hall,
  exchange: Exchange,
  handler: WriteHandler<N>,
  input: Input<N>,
  visit: Visit,
  onCommit?: (subject: string) => void,
): Reply | Promise<Reply> {
  const { beforeCommit, afterCommit } = hall.settings.phases;
  const { world, view } = visit;
  const plan = (): ReturnType<typeof handler.plan> => handler.plan(input, world, view);

  const first = plan();
  if (!first.ok) return hall.turn(exchange, turnedBy(first.refusal));
  const pause = beforeCommit?.(exchange);
  return after(pause, () => {
    const planned = pause instanceof Promise ? plan() : first;
    if (!planned.ok) return hall.turn(exchange, turnedBy(planned.refusal));
    const full = world.roomFor(planned.value);
    if (full !== undefined) return hall.turn(exchange, turnedBy(full));
    world.commit(planned.value);
    onCommit?.(planned.value.subject);
    const reply = shownReply(
      hall,
      exchange,
      handler.status,
      handler.show(planned.value.subject, view),
    );
    return after(afterCommit?.(exchange), () => reply);
  });
}

function shownReply(
  hall: Hall,
  exchange: Exchange,
  status: number,
  shown: Result<object | null>,
): Reply {
  if (!shown.ok) return hall.turn(exchange, turnedBy(shown.refusal));
  const reply =
    shown.value === null ? emptyReply(exchange, status) : jsonReply(exchange, status, shown.value);
  return exchange.replayed
    ? { ...reply, headers: { ...reply.headers, 'Sandbox-Replayed': 'true' } }
    : reply;
}
