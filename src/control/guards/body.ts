/** Limits the bodies of control calls, and refuses bodies that a call would ignore. */
import type { HonoRequest, MiddlewareHandler } from 'hono';
import { controlRoutes } from '../../contract/control/routes.ts';
import { verbNamed } from '../../contract/control/verbs.ts';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import { isBodyEncoded, type Transport } from '../../transport-port/transport.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import { findExceededBound, maxJsonDepth, type JsonBounds } from '../../documents/json-bounds.ts';
import { countYamlMarks } from '../../documents/yaml-bounds.ts';
import { pathPattern } from '../routes/declared-call.ts';

/** Far more than most control calls need. */
const defaultMaxBytes = 65_536;

/** What a body may hold. */
interface BodyBounds extends Required<JsonBounds> {
  readonly maxBytes: number;
  /** Only for a call that takes YAML, in place of the bounds of JSON. */
  readonly maxYamlMarks?: number | undefined;
}

/** A short body cannot hold many values, so only its depth matters. */
const defaultBounds: BodyBounds = {
  maxBytes: defaultMaxBytes,
  maxValues: Number.POSITIVE_INFINITY,
  maxDepth: maxJsonDepth,
  maxKeys: Number.POSITIVE_INFINITY,
};

/** Calls whose bodies grow with the length of a test run. */
const largerBodies = controlRoutes.flatMap(({ verb, method, path }) => {
  const {
    maxBodyBytes,
    maxBodyValues = defaultBounds.maxValues,
    maxBodyKeys = defaultBounds.maxKeys,
    maxYamlMarks,
    takes,
  } = verbNamed(verb);
  if (maxBodyBytes === undefined || takes !== 'body') return [];
  const bounds = {
    maxBytes: maxBodyBytes,
    maxValues: maxBodyValues,
    maxDepth: maxJsonDepth,
    maxKeys: maxBodyKeys,
    maxYamlMarks,
  };
  return [{ method: method.toUpperCase(), pattern: pathPattern(path), bounds }];
});

/** Methods of control calls that may have a body. */
const bodyMethods: ReadonlySet<string> = new Set(['POST', 'PUT', 'DELETE']);

/** Reads a body up to its limit before any other handler. */
export const boundedBody: MiddlewareHandler<TransportEnv> = async (c, next) => {
  const { req } = c;
  if (bodyMethods.has(req.method)) {
    const { method, url, headers } = req.raw;
    // The transport reads the body, so the request has none yet.
    const body = await readBody(transportOf(c), boundsOf(req), isJson(req));
    // Many HTTP clients send the type of their bodies also with none.
    const isAbsent = body.byteLength === 0 && isJson(req);
    req.raw = new Request(url, { method, headers, body: isAbsent ? '{}' : body });
  }
  await next();
};

/** Refuses a body other than `{}` for calls that ignore it, so that no input is ignored silently. */
export const absentBody: MiddlewareHandler = async ({ req }, next) => {
  const text = (await req.text()).trim();
  if (text !== '' && text !== '{}') {
    throw new ControlRequestError(
      'invalid-body',
      'This call takes no body. Use the query instead, such as ?merchant=<id>.',
      { place: 'body' },
    );
  }
  await next();
};

function boundsOf({ method, path }: HonoRequest): BodyBounds {
  const larger = largerBodies.find((one) => one.method === method && one.pattern.test(path));
  return larger?.bounds ?? defaultBounds;
}

async function readBody(
  transport: Transport,
  bounds: BodyBounds,
  isJsonBody: boolean,
): Promise<Uint8Array<ArrayBuffer>> {
  const { maxBytes } = bounds;
  const body = await transport.readBody(maxBytes);
  if (body === 'too-large') {
    throw new ControlRequestError(
      'body-too-large',
      `The body is larger than the ${maxBytes} bytes this call may have.`,
      // The rest of the body is never read, so the connection cannot carry another request.
      { place: 'body', headers: { Connection: 'close' } },
    );
  }
  if (body === 'gone') {
    throw new ControlRequestError('invalid-body', 'The client left before its body was complete.', {
      place: 'body',
    });
  }
  if (body.byteLength > 0 && isBodyEncoded(transport)) {
    throw new ControlRequestError(
      'unsupported-media-type',
      'Send the body uncompressed, without Content-Encoding.',
      { place: 'header Content-Encoding', allowed: ['identity'] },
    );
  }
  if (bounds.maxYamlMarks !== undefined && !isJsonBody) refuseManyMarks(body, bounds.maxYamlMarks);
  else refuseManyValues(body, bounds);
  return new Uint8Array(body);
}

/** Whether a body is read as JSON, by the rule of the framework. */
export function isJson(req: HonoRequest): boolean {
  return /^application\/(?:[a-z.-]+\+)?json/i.test(req.header('content-type') ?? '');
}

function refuseManyMarks(body: Uint8Array, most: number): void {
  const marks = countYamlMarks(body);
  if (marks <= most) return;
  throw new ControlRequestError(
    'body-too-large',
    `The YAML text has ${marks} line breaks and marks (, : - ? [ ] { } " ' & * !), and this call may have ${most}. Send the document as JSON, or split it. To load many cards or payments, import a world.`,
    { place: 'body' },
  );
}

function refuseManyValues(body: Uint8Array, bounds: BodyBounds): void {
  const exceeded = findExceededBound(body, bounds);
  if (exceeded !== undefined) {
    throw new ControlRequestError('body-too-large', exceededBy[exceeded](bounds), {
      place: 'body',
    });
  }
}

const exceededBy: Readonly<Record<keyof JsonBounds, (bounds: BodyBounds) => string>> = {
  maxDepth: ({ maxDepth }) =>
    `The body nests lists and objects deeper than the ${maxDepth} levels that any call may have.`,
  maxValues: ({ maxValues }) =>
    `The body holds more than the ${maxValues} values and keys that this call may have.`,
  maxKeys: ({ maxKeys }) =>
    `The body holds an object of more than the ${maxKeys} keys that one may have in this call.`,
};
