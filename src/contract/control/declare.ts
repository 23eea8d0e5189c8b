/** How the schemas of a verb are declared, and how its row and its schemas become HTTP routes. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteConfig } from '@hono/zod-openapi';
import { controlProblems, type ControlProblemCode } from '../problems.ts';
import { httpCallOf, type Verb, type VerbName } from './verbs.ts';
import { answer, jsonBody } from '../service/declare.ts';
import { defaultMerchant } from '../constants.ts';

const Issue = z.object({
  message: z.string(),
  place: z.string().optional(),
  allowed: z.array(z.string()).readonly().optional(),
  nearest: z.string().optional(),
});

export const ControlError = z
  .object({
    error: z.string().openapi({ example: 'unknown-parameter' }),
    message: z.string(),
    place: z.string().optional().openapi({
      description: 'Where the problem is: `query.<name>`, `body.<key>`, a header or the path',
      example: 'query.merchnt',
    }),
    allowed: z
      .array(z.string())
      .readonly()
      .optional()
      .openapi({ example: ['merchant', 'all'] }),
    nearest: z.string().optional().openapi({
      description: 'The allowed value that was probably meant',
      example: 'merchant',
    }),
    issues: z
      .array(Issue)
      .readonly()
      .optional()
      .openapi({ description: 'Every problem in a rule, a scenario or another document' }),
  })
  .openapi('ControlError');

/** What a verb says in the document, and what it takes and returns. */
export interface VerbSchema {
  readonly summary: string;
  readonly description?: string;
  readonly tag: string;
  /** Schemas of the parameters in the path. */
  readonly path?: z.ZodRawShape;
  /** Schemas of the query parameters, beside `merchant`. */
  readonly query?: z.ZodRawShape;
  readonly body?: z.ZodType;
  /** Content types of the body beside JSON, for a body that can also be text. */
  readonly textBodies?: Readonly<Record<string, z.ZodType>>;
  /** What the verb returns; absent for a verb that returns nothing. */
  readonly output?: z.ZodType;
  /** One sentence about the answer. */
  readonly answer: string;
  /** Status of the answer. Default 200. */
  readonly status?: 200 | 201;
  /** Content type of an answer that is text. */
  readonly contentType?: string;
  /** The JSON is indented, for people who read it in a terminal. */
  readonly pretty?: true;
  /** What the verb returns when it acts on all merchants, where that differs. */
  readonly outputOfAll?: z.ZodType;
  /** Statuses of the errors that only some verbs have. */
  readonly errors?: readonly ErrorStatus[];
  /** Answers with a schema of their own, by status. */
  readonly answers?: Readonly<Record<number, ReturnType<typeof answer>>>;
  /** Anyone may call it, also without the control token. */
  readonly open?: true;
}

/** Keeps the exact types of one subject's schemas. */
export function verbSchemas<const S extends Partial<Record<VerbName, VerbSchema>>>(schemas: S): S {
  return schemas;
}

const clientId = 'A client id: 1 to 128 letters, digits and . _ ~ @ + -';

/** The `merchant` parameter, and `all` and `prefix` where a verb has them. */
function merchantQuery(verb: Verb): z.ZodRawShape {
  if (verb.prefix === undefined) return targetQuery(verb);
  const description = 'Act on every merchant whose id starts with this; excludes `merchant`';
  return {
    ...targetQuery(verb),
    prefix: z.string().optional().openapi({ description, example: 'ci-' }),
  };
}

function targetQuery({ on, all }: Verb): z.ZodRawShape {
  if (on === 'sandbox') return {};
  if (all === undefined) {
    return {
      merchant: z.string().optional().openapi({ description: clientId, default: defaultMerchant }),
    };
  }
  if (all === 'without merchant') {
    const description = `${clientId}. Default: all merchants.`;
    return {
      merchant: z.string().optional().openapi({ description }),
      all: z
        .literal('true')
        .optional()
        .openapi({ description: 'Act on every merchant, as without `merchant`' }),
    };
  }
  const description = `${clientId}. Default: \`${defaultMerchant}\`.`;
  return {
    merchant: z.string().optional().openapi({ description }),
    all: z
      .enum(['true', 'false'])
      .optional()
      .openapi({ description: 'Act on every merchant; excludes `merchant`' }),
  };
}

type ErrorStatus = (typeof controlProblems)[Exclude<
  ControlProblemCode,
  'method-not-allowed' | 'unknown-path'
>]['status'];

/** Statuses that any call can have. */
const commonErrors = [400, 403, 500] as const;

function errorAnswer(status: ErrorStatus) {
  const codes = Object.entries(controlProblems).filter(([, problem]) => problem.status === status);
  const words = codes.map(([code, { when }]) => `\`${code}\`: ${when}`);
  return answer(words.join('; '), ControlError);
}

/** Every error that a verb can answer with, described by the table of problems. */
function errorAnswers(verb: Verb, { errors = [], open }: VerbSchema, hasParameter: boolean) {
  const statuses: ErrorStatus[] = [...commonErrors, ...errors];
  if (open === undefined) statuses.push(401);
  if (verb.takes === 'body') statuses.push(413, 415);
  else if (!verb.http.startsWith('GET')) statuses.push(413);
  if (hasParameter) statuses.push(404);
  const sorted = [...new Set(statuses)].toSorted((one, other) => one - other);
  return Object.fromEntries(sorted.map((status) => [status, errorAnswer(status)]));
}

/** What an HTTP answer holds: what the verb returns, and the merchant that it changed. */
function answerSchema(verb: Verb, { output, outputOfAll }: VerbSchema): z.ZodType {
  if (verb.changes === undefined) {
    if (output === undefined) throw new Error('A verb that changes nothing must return something.');
    return outputOfAll === undefined ? output : z.union([output, outputOfAll]);
  }
  const hint = z.string().optional().openapi({
    description: 'What to do if no merchant was named and the requests come from another one',
  });
  const changed =
    verb.all === undefined
      ? {
          merchant: z.string().openapi({ example: defaultMerchant }),
          ...(verb.on === 'merchant' ? { hint } : {}),
        }
      : {
          merchant: z.string().optional().openapi({ example: defaultMerchant }),
          merchants: z
            .array(z.string())
            .readonly()
            .optional()
            .openapi({ description: 'Those that were changed, for `all=true`' }),
          hint,
        };
  if (verb.returns !== undefined && output !== undefined) {
    return z.object({ ...changed, [verb.returns]: output });
  }
  return z.object({ ...changed, ...(output instanceof z.ZodObject ? output.shape : {}) });
}

/** Names of the two ways to send the control token, as the document calls them. */
export const controlTokenSchemes = { bearer: 'controlToken', header: 'sandboxToken' } as const;

/** A route with the verb that it calls. */
export type ControlRoute = ReturnType<typeof createRoute<string, RouteConfig>> & {
  readonly verb: VerbName;
  readonly summary: string;
};

/** The routes of a verb: one, or two where the last step of its path may be omitted. */
export function routesOf(name: VerbName, verb: Verb, schema: VerbSchema): ControlRoute[] {
  const { path } = httpCallOf(verb);
  if (!path.includes('?')) return [routeAt(path, name, verb, schema)];
  const whole = path.replace(/\/\{\w+\?\}$/, '');
  return [
    routeAt(whole, name, verb, schema),
    routeAt(path.replace('?', ''), `${name}.one`, verb, schema, name),
  ];
}

function routeAt(
  path: string,
  operationId: string,
  verb: Verb,
  schema: VerbSchema,
  // The second route of a verb has another operation id.
  name = operationId as VerbName,
): ControlRoute {
  const { method } = httpCallOf(verb);
  const { bearer, header } = controlTokenSchemes;
  const { summary, description, tag, body, contentType, status = 200 } = schema;
  const hasParameter = path.includes('{');
  const bodies = body === undefined ? undefined : jsonBody(body);
  const texts = Object.entries(schema.textBodies ?? {}).map(([type, text]) => [
    type,
    { schema: text },
  ]);
  const good =
    contentType === undefined
      ? answer(schema.answer, answerSchema(verb, schema))
      : {
          description: schema.answer,
          content: { [contentType]: { schema: schema.output ?? z.string() } },
        };
  const config: RouteConfig = {
    operationId,
    method: lowerCase[method],
    path: `/_sandbox${path}`,
    summary,
    ...(description === undefined ? {} : { description }),
    tags: [tag],
    security: schema.open ? [] : [{}, { [bearer]: [] }, { [header]: [] }],
    request: {
      ...(hasParameter ? { params: z.object(schema.path ?? {}) } : {}),
      query: z.strictObject({ ...merchantQuery(verb), ...schema.query }),
      ...(bodies === undefined
        ? {}
        : { body: { ...bodies, content: { ...bodies.content, ...Object.fromEntries(texts) } } }),
    },
    responses: {
      [status]: good,
      ...errorAnswers(verb, schema, hasParameter),
      ...schema.answers,
    },
  };
  const route = createRoute(config);
  // The document holds every enumerable member of a route.
  Object.defineProperty(route, 'verb', { value: name, enumerable: false });
  return route as ControlRoute; // `config` has the summary, and the line above adds the verb.
}

const lowerCase = { GET: 'get', POST: 'post', PUT: 'put', DELETE: 'delete' } as const;
