/** Binds a route for every verb of the table: it reads the input, calls the verb and writes the answer. */
import { createRoute, type OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { ControlRoute, VerbSchema } from '../../contract/control/declare.ts';
import { controlRoutes, schemas } from '../../contract/control/routes.ts';
import {
  allMerchants,
  httpCallOf,
  verbNamed,
  type Target,
  type Verb,
} from '../../contract/control/verbs.ts';
import { defaultMerchant } from '../../contract/constants.ts';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { isClientId } from '../../world/identity/merchant-id.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import { shapeError, type ShapeResult } from '../errors/schema-issues.ts';
import type { ControlVerbs } from '../verbs.ts';
import { absentAnswers, bodyReaders, inputReaders } from './special-input.ts';

/** Binds the routes. Health is answered earlier and only declared here. */
export function bindVerbs(app: OpenAPIHono<TransportEnv>, sandbox: ControlVerbs): void {
  for (const route of controlRoutes) {
    // The document does not contain the name of the verb.
    const { verb, ...config } = route;
    const declared = createRoute(config);
    if (verb === 'health') app.openAPIRegistry.registerPath(declared);
    else app.openapi(declared, (c) => callVerb(c, route, sandbox), explainInput(route));
  }
}

/** The validated input of the framework, as the route of the call declares it. */
interface ValidInput {
  readonly query: Readonly<Record<string, unknown>>;
  readonly path: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

function validInput(c: Context, route: ControlRoute): ValidInput {
  // The framework's types describe one route. This code handles all routes.
  const valid = (part: string): unknown => c.req.valid(part as never);
  const path = route.path.includes('{') ? valid('param') : {};
  const body = verbNamed(route.verb).takes === 'body' ? valid('json') : undefined;
  return { query: Object(valid('query')), path: Object(path), body };
}

async function callVerb(
  c: Context,
  { verb: name, ...route }: ControlRoute,
  sandbox: ControlVerbs,
): Promise<Response> {
  const verb = verbNamed(name);
  const { query, path, body } = validInput(c, { verb: name, ...route });
  const { merchant, all, prefix, ...rest } = query;
  const target = targetOf(verb, { merchant, all, prefix });
  const readInput = inputReaders[name];
  const input =
    readInput === undefined
      ? withPrefix(plainInput(verb, { query: rest, path, body }), prefix)
      : await readInput(c, body, sandbox);
  const hint = merchant === undefined && verb.changes ? sandbox.hintAbout(target) : undefined;
  const changed = verb.changes
    ? { ...changedMerchants(target ?? path['id'], input, sandbox), hint }
    : {};
  const result = await performVerb(c, () => sandbox.perform(name, target, input));
  if (result === undefined && verb.absent !== undefined) {
    throw (
      absentAnswers[verb.absent]?.(target, input) ?? new Error('An absent answer has no error.')
    );
  }
  return writeAnswer(c, schemas[name], { verb, changed, result });
}

/** Reads and checks the merchants of a call; `undefined` for a verb of the sandbox itself. */
function targetOf(
  { on, all: allBy }: Verb,
  { merchant, all, prefix }: Readonly<Record<'merchant' | 'all' | 'prefix', unknown>>,
): Target | undefined {
  if (on === 'sandbox') return undefined;
  if (prefix !== undefined) checkPrefix(prefix);
  if (all === 'true' || prefix !== undefined) {
    if (merchant === undefined) return allMerchants;
    const [name, what] =
      prefix === undefined
        ? ['all', "'all=true' for every merchant"]
        : ['prefix', "'prefix' for several merchants"];
    throw new ControlRequestError(
      'invalid-parameter',
      `Send either ${what} or 'merchant' for one, not both.`,
      { place: `query.${name}`, allowed: [name, 'merchant'] },
    );
  }
  if (merchant === undefined) return allBy === 'without merchant' ? allMerchants : defaultMerchant;
  if (typeof merchant === 'string' && isClientId(merchant)) return merchant;
  throw new ControlRequestError(
    'invalid-parameter',
    "'merchant' must be a client id: 1 to 128 letters, digits and . _ ~ @ + - (a + is written %2B in a query).",
    { place: 'query.merchant' },
  );
}

function checkPrefix(prefix: unknown): void {
  if (typeof prefix === 'string' && isClientId(prefix)) return;
  throw new ControlRequestError(
    'invalid-parameter',
    "'prefix' must be the start of a client id: 1 to 128 letters, digits and . _ ~ @ + - (a + is written %2B in a query).",
    { place: 'query.prefix' },
  );
}

function plainInput(verb: Verb, { query, path, body }: ValidInput): unknown {
  if (verb.takes === 'body') return body;
  if (verb.takes === 'query') return query;
  return httpCallOf(verb).parameters.length === 0 ? undefined : path;
}

/** The input of a verb about several merchants names their prefix. */
function withPrefix(input: unknown, prefix: unknown): unknown {
  if (prefix === undefined) return input;
  if (memberOf(input, 'prefix') !== undefined) {
    throw new ControlRequestError(
      'invalid-parameter',
      "Send 'prefix' in the query or in the body, not in both.",
      { place: 'body.prefix' },
    );
  }
  return { ...Object(input), prefix };
}

/** The merchants that a call changes: one, or all that exist and have the prefix of a rule. */
function changedMerchants(target: unknown, input: unknown, sandbox: ControlVerbs): object {
  if (target !== allMerchants) return { merchant: target };
  const prefix = memberOf(memberOf(input, 'merchants'), 'prefix');
  const merchants = sandbox.merchants();
  return {
    merchants:
      typeof prefix === 'string' ? merchants.filter((id) => id.startsWith(prefix)) : merchants,
  };
}

async function performVerb(c: Context<TransportEnv>, perform: () => unknown): Promise<unknown> {
  try {
    return await perform();
  } catch (error) {
    // The client has left, but the abort of a wait must not be reported as a bug.
    if (isAborted(c)) {
      throw new ControlRequestError('wait-ended', 'The client left before the answer.');
    }
    throw error;
  }
}

function isAborted(c: Context<TransportEnv>): boolean {
  return transportOf(c).signal?.aborted === true;
}

interface Answer {
  readonly verb: Verb;
  readonly changed: object;
  readonly result: unknown;
}

function writeAnswer(
  c: Context,
  { contentType, status = 200, pretty }: VerbSchema,
  { verb, changed, result }: Answer,
): Response {
  if (contentType !== undefined) {
    return c.body(String(result), status, { ...textHeaders(contentType) });
  }
  const returned = verb.returns === undefined ? result : { [verb.returns]: result };
  const body = verb.changes ? { ...changed, ...Object(returned) } : returned;
  const text = JSON.stringify(body, null, pretty ? 2 : 0);
  return c.body(text, status, { 'Content-Type': 'application/json' });
}

function textHeaders(contentType: string): Readonly<Record<string, string>> {
  if (contentType !== 'text/html') return { 'Content-Type': contentType };
  return {
    'Content-Type': `${contentType}; charset=UTF-8`,
    // The page itself repeats the policy for saved copies. Only a header can forbid framing.
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    'Referrer-Policy': 'no-referrer',
  };
}

/** Explains what is wrong with a query or a body. Some verbs have better explanations of their own. */
function explainInput({ verb }: ControlRoute) {
  return ({ target, error }: ShapeResult, c: Context): Promise<never> | undefined =>
    error === undefined ? undefined : refuseInput(target, error, { c, read: bodyReaders[verb] });
}

async function refuseInput(
  target: string,
  error: z.ZodError,
  { c, read }: { readonly c: Context; readonly read: ((body: unknown) => unknown) | undefined },
): Promise<never> {
  if (target === 'json' && read !== undefined) await read(await c.req.json());
  throw await shapeError(target, error, c);
}
