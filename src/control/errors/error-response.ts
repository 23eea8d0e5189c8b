/** Converts an error of a verb, a guard or the framework to the answer of a control request. */
import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import {
  controlProblems,
  type ControlProblem,
  type ControlProblemCode,
} from '../../contract/problems.ts';
import { WaitTimeoutError } from '../../journal/errors.ts';
import { hideCardNumbers } from '../../redaction/hide-card-numbers.ts';
import { SandboxError, type ErrorIssue } from '../../shared/sandbox-error.ts';
import { ControlRequestError, type ControlFailureListener } from './control-error.ts';

/** Body types that a call accepts, for the message about any other type. */
type AcceptedTypes = (c: Context) => readonly string[];

/**
 * Answers an error. Anything except a `SandboxError` with a code of the table is a bug of the sandbox, so the listener
 * is called.
 */
export function errorResponse(
  error: unknown,
  c: Context,
  onFailure: ControlFailureListener | undefined,
  acceptedTypes: AcceptedTypes = () => [],
): Response {
  const refusal = error instanceof HTTPException ? unreadableBody(error, acceptedTypes(c)) : error;
  if (isAnswerable(refusal)) return answer(refusal, c);
  const { method, path } = c.req;
  onFailure?.({ method, path: hideCardNumbers(path), failure: error });
  const message = error instanceof Error ? error.message : String(error);
  const bug = new ControlRequestError(
    'internal-error',
    `Internal error in the sandbox: ${message}`,
  );
  return answer(bug, c);
}

type AnswerableError = SandboxError & { readonly code: ControlProblemCode };

function isAnswerable(error: unknown): error is AnswerableError {
  return error instanceof SandboxError && Object.hasOwn(controlProblems, error.code);
}

function answer(error: AnswerableError, c: Context): Response {
  const { status } = controlProblems[error.code];
  const headers = error instanceof ControlRequestError ? error.headers : {};
  const seen = error instanceof WaitTimeoutError ? { seen: error.seen } : {};
  const part = c.req.method === 'GET' ? 'query' : 'body';
  return c.json({ ...bodyOf(error, part), ...seen }, status, { ...headers });
}

/** The error body. It quotes the request, so card numbers are removed from every part. */
function bodyOf(error: AnswerableError, part: RequestPart) {
  const placeOf = placeIn(error, part);
  const quote = ({ message, place, allowed, nearest }: ErrorIssue): ErrorIssue => {
    const httpPlace = placeOf(place);
    return {
      message: hideCardNumbers(message),
      place: httpPlace && hideCardNumbers(httpPlace),
      allowed: allowed?.map(hideCardNumbers),
      nearest: nearest && hideCardNumbers(nearest),
    };
  };
  const { issues } = error;
  const [first] = issues ?? [];
  const top = first === undefined ? error : { ...first, message: error.message };
  return {
    error: error.code,
    ...quote(top),
    ...(issues === undefined ? {} : { issues: issues.map(quote) }),
  };
}

/** The part of a request that has the arguments of a verb. */
type RequestPart = 'query' | 'body';

/** Converts a place in the arguments of a verb to a place in the request. */
function placeIn(
  error: AnswerableError,
  part: RequestPart,
): (place: string | undefined) => string | undefined {
  if (error instanceof ControlRequestError) return (place) => place;
  const { place: fixed, noPlace }: ControlProblem = controlProblems[error.code];
  if (noPlace || fixed !== undefined) return () => fixed;
  return (place = '') => {
    if (place === '') return part;
    // Text has lines: `body:3:5 rules[0].op`.
    return place.startsWith('body:') ? place : `${part}.${place}`;
  };
}

/** The framework refuses a body of another type, and one that is not JSON. */
function unreadableBody({ status }: HTTPException, types: readonly string[]): ControlRequestError {
  return status === 415
    ? new ControlRequestError(
        'unsupported-media-type',
        `Send the body as ${types.join(' or ')}, with the matching Content-Type header (curl: -H "content-type: application/json").`,
        { place: 'header Content-Type', allowed: types },
      )
    : new ControlRequestError(
        'malformed-json',
        'The body is not JSON. /docs/control shows an example for every call.',
        { place: 'body' },
      );
}
