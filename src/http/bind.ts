/** Binds each declared operation to its handler: route, validation, idempotency, commit, answer. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { operations, type JsonOperation } from '../contract/service/operations.ts';
import { readShape } from '../contract/shape.ts';
import { transportOf, type TransportEnv } from '../transport-port/transport-env.ts';
import { isBodyEncoded, type Body, type Transport } from '../transport-port/transport.ts';
import { restoreIds, mayContainLongId } from '../outcomes/effects/long-id-dialect.ts';
import { bearerOf } from './steps/authenticate.ts';
import { isJsonType } from './body/parse-body.ts';
import { answerCall } from './steps/execute.ts';
import { lookAtCard } from './steps/real-data-warnings.ts';
import { isTurned, type Arrival, type Turned } from './context.ts';
import { after, type Hall } from './pipeline.ts';
import type { Handler, Input } from './operation.ts';
import { unreadBody } from './reply.ts';
import { noBody, SentBody } from './body/sent-body.ts';

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

/** Serves an operation in an app, and declares it in the app's document. */
export function bind<N extends JsonOperation>(
  app: OpenAPIHono<TransportEnv>,
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
): (c: Context<TransportEnv>) => Response | Promise<Response> {
  const schema = route.request?.body?.content['application/json']?.schema;
  const querySchema = route.request?.query;
  const { maxBodyBytes } = hall.settings;

  return (c) => {
    const transport = transportOf(c);
    const { bearer, merchant } = bearerOf(hall, transport);
    const arrival = hall.open(transport, name, merchant);
    const { exchange } = arrival;
    const params = paramsOf(c);
    const receive = (): SentBody | Promise<Body | SentBody> =>
      schema === undefined ? noBody : transport.readBody(maxBodyBytes);
    return hall.walk(arrival, () => {
      // Rules count by purchase, and only the body says which purchase it is.
      const glance = hall.hasRules(arrival) ? receive() : undefined;
      return after(glance, (came) => {
        const seen = came && taken(arrival, came);
        const glanced = seen?.asItCame;
        // Rules keep counters by what a body says.
        lookAtCard(hall.settings.guard, arrival, glanced);
        const early = hall.turnEarly(arrival, {
          operation: name,
          writes: handler.kind === 'write',
          params,
          query: undefined,
          body: arrival.secret ? undefined : glanced,
          change: undefined,
        });
        if (early !== undefined) return early;
        const visit = hall.admit(arrival, bearer);
        if (isTurned(visit)) return hall.leave(arrival, hall.turn(exchange, visit));
        return after(seen ?? receive(), (body) => {
          const sent = taken(arrival, body);
          const input = readInput<N>(c, params, transport, sent, schema, querySchema, (value) => {
            // Where rules were asked, it was looked at for them.
            if (seen === undefined) lookAtCard(hall.settings.guard, arrival, value);
          });
          if (isTurned(input)) return hall.leave(arrival, hall.turn(exchange, input));
          // Time has passed since the exchange opened, where the body or a hook was waited for.
          visit.world.runDueEvents();
          return answerCall({ hall, arrival, operation: name, handler, input, visit });
        });
      });
    });
  };
}

/** A body that has come, to be read, and to be kept in the journal. */
function taken(arrival: Arrival, body: Body | SentBody): SentBody {
  if (body instanceof SentBody) return body;
  const sent = new SentBody(body);
  arrival.body = sent.kept;
  return sent;
}

/** Ids in the path, as they are stored. */
function paramsOf(c: Context<TransportEnv>): Readonly<Record<string, string>> {
  const params = c.req.param();
  // Strings by name go in, and so they come out.
  return mayContainLongId(c.req.path) ? (restoreIds(params) as typeof params) : params;
}

/** Reads params, query and body as declared. */
function readInput<N extends JsonOperation>(
  c: Context<TransportEnv>,
  params: Readonly<Record<string, string>>,
  transport: Transport,
  sent: SentBody,
  schema: z.ZodType | undefined,
  querySchema: z.ZodType | undefined,
  look: (body: unknown) => void,
): Input<N> | Turned {
  const query =
    querySchema === undefined
      ? noFields
      : readFields(querySchema, restoreIds(filled(c.req.query())));
  if (isTurned(query)) return query;
  const body = schema === undefined ? noFields : readBody(schema, transport, sent, look);
  if (isTurned(body)) return body;
  // The schemas just applied are the ones Input<N> is typed by; params are strings by the router's doing.
  return { params, query: query.value, body: body.value } as Input<N>;
}

const noFields = { value: {} };

function readBody(
  schema: z.ZodType,
  transport: Transport,
  sent: SentBody,
  look: (body: unknown) => void,
): { value: unknown } | Turned {
  const { bytes } = sent;
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
  const contentType = transport.header('content-type');
  if (!isJsonType(contentType) && (bytes.byteLength > 0 || contentType !== undefined)) {
    return {
      kind: 'unsupported-media-type',
      reason: 'A body must come with Content-Type: application/json.',
    };
  }
  if (bytes.byteLength > 0 && isBodyEncoded(transport)) {
    return {
      kind: 'body-encoded',
      reason: 'A body must come without Content-Encoding: compressed ones are not read.',
    };
  }
  const { parsed } = sent;
  if (!parsed.ok) return { kind: 'malformed-request', reason: parsed.reason };
  look(parsed.value);
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
