/** Writes answers. Every error body of `/v1` is written here and nowhere else. */
import { informationLink, problems, type Problem, type ProblemKind } from '../contract/problems.ts';
import { tokenProblems, type TokenProblemKind } from '../contract/service/token.ts';
import type { FieldIssue } from '../domain/refusals.ts';
import type { Exchange } from './exchange.ts';
import type { Reply } from '../transport-port/transport.ts';
import { httpDate } from './views/timestamps.ts';

const jsonType = 'application/json';

/** The rest of a body that was not read is on its way: the connection cannot serve another request. */
export const unreadBody = { Connection: 'close' } as const;

/** Goes with a refused token. */
export const bearerChallenge = {
  'WWW-Authenticate': 'Bearer realm="card-vault-sandbox", error="invalid_token"',
} as const;

/** What a refusal adds to its row in the table of problems. */
export interface RefusalDetail {
  readonly issues?: readonly FieldIssue[] | undefined;
  /** Fills the place that the message leaves. */
  readonly public?: string | undefined;
  /** Which of the texts for a refused token fits (contract.md §1.4). */
  readonly tokenFault?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A JSON answer. */
export function jsonReply(exchange: Exchange, status: number, body: object): Reply {
  exchange.status = status;
  return { status, headers: headersOf(exchange), body: JSON.stringify(body) };
}

/** An answer without a body, and so without a Content-Type. */
export function emptyReply(exchange: Exchange, status: number): Reply {
  exchange.status = status;
  return {
    status,
    headers: { 'Paypal-Debug-Id': exchange.debugId, Date: httpDate(exchange.atMs) },
    body: null,
  };
}

/** The error body of a problem. Key order as recorded: `details` stands second where there are any (contract.md §5.1). */
export function problemReply(
  exchange: Exchange,
  kind: ProblemKind,
  detail: RefusalDetail = {},
): Reply {
  const problem: Problem = problems[kind];
  exchange.problem = problem.name;
  const body = {
    name: problem.name,
    ...(detail.issues === undefined ? {} : { details: detail.issues }),
    message: problem.message.replace('{}', detail.public ?? ''),
    ...(kind === 'unauthenticated'
      ? { error: 'invalid_token', error_description: detail.tokenFault ?? '' }
      : {}),
    information_link: informationLink(problem.name),
    debug_id: exchange.debugId,
  };
  const reply = jsonReply(exchange, problem.status, body);
  return detail.headers === undefined
    ? reply
    : { ...reply, headers: { ...reply.headers, ...detail.headers } };
}

/** Whatever the token endpoint answers may hold a credential, or depend on one: nobody is to keep it (RFC 6749 §5.1). */
const notKept = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** An answer of the token endpoint. */
export function tokenReply(exchange: Exchange, status: number, body: object): Reply {
  const reply = jsonReply(exchange, status, body);
  return { ...reply, headers: { ...reply.headers, ...notKept } };
}

/** The token endpoint's error body: OAuth's shape. */
export function tokenRefusal(
  exchange: Exchange,
  { status, error, description }: { status: number; error: string; description: string },
): Reply {
  exchange.problem = error;
  const reply = tokenReply(exchange, status, { error, error_description: description });
  return { ...reply, headers: { ...reply.headers, ...tokenHeaders(status) } };
}

/** What the client reads is the reason, unless more is known of it. */
export function tokenProblemReply(exchange: Exchange, kind: TokenProblemKind): Reply {
  exchange.reason ??= tokenProblems[kind].description;
  return tokenRefusal(exchange, tokenProblems[kind]);
}

function tokenHeaders(status: number): Readonly<Record<string, string>> {
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="card-vault-sandbox"' };
  return status === 413 ? unreadBody : {};
}

function headersOf(exchange: Exchange): Record<string, string> {
  return {
    'Content-Type': jsonType,
    'Paypal-Debug-Id': exchange.debugId,
    Date: httpDate(exchange.atMs),
  };
}
