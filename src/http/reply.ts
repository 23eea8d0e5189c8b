/** Makes every reply of `/v1`: results, and errors in the shape of their endpoint, natural or forced. */
import {
  informationLink,
  serviceProblems,
  tokenProblems,
  type ServiceProblemKind,
  type TokenProblemKind,
} from '../contract/problems.ts';
import type { ProcessorResponse } from '../domain/payment/overrides.ts';
import type { FieldIssue } from '../domain/refusals.ts';
import { formatHttpDate } from '../shared/time-text.ts';
import { notSniffed } from '../transport-port/safe-headers.ts';
import type { Reply } from '../transport-port/transport.ts';
import type { Exchange } from './exchange.ts';

const jsonType = 'application/json';

/** A reply with a JSON body. */
export function jsonReply(exchange: Exchange, status: number, body: object): Reply {
  exchange.status = status;
  return {
    status,
    headers: {
      'Content-Type': jsonType,
      ...notSniffed,
      'Paypal-Debug-Id': exchange.debugId,
      Date: formatHttpDate(exchange.atMs),
    },
    body: JSON.stringify(body),
  };
}

/** A reply without a body, and so without a Content-Type. */
export function emptyReply(exchange: Exchange, status: number): Reply {
  exchange.status = status;
  return {
    status,
    headers: { 'Paypal-Debug-Id': exchange.debugId, Date: formatHttpDate(exchange.atMs) },
    body: null,
  };
}

/** A placeholder for a reply that the transport does not send. */
export function placeholderReply(exchange: Exchange): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': jsonType, Date: formatHttpDate(exchange.atMs) },
    body: '{}',
  };
}

/** Returns the reply with more headers. */
export function withHeaders(reply: Reply, headers: Readonly<Record<string, string>>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** Why a request is not processed: a row of the table of problems, and the values for its texts. */
export interface Refusal {
  readonly kind: ServiceProblemKind;
  /** Private: what was expected, and what to change. */
  readonly reason: string;
  readonly issues?: readonly FieldIssue[] | undefined;
  /** Fills the placeholder of the message. */
  readonly public?: string | undefined;
  /** The text for a refused token (contract.md §1.4). */
  readonly tokenFault?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The content of an error body. */
export interface ErrorContent {
  readonly status: number;
  readonly name: string;
  readonly message: string;
  readonly details?: readonly FieldIssue[] | undefined;
  /** The text for a refused token. */
  readonly tokenFault?: string | undefined;
  readonly processor?: ProcessorResponse | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export function isRefusal(value: object | undefined): value is Refusal {
  return value !== undefined && 'kind' in value && 'reason' in value;
}

/** Ends a request with a refusal. */
export function refuse(exchange: Exchange, refusal: Refusal): Reply {
  exchange.reason = refusal.reason;
  const { kind, issues, public: word, tokenFault, headers } = refusal;
  if (speaksOAuth(exchange)) {
    return writeError(exchange, tokenProblems[isTokenProblem(kind) ? kind : 'internal-error']);
  }
  const { status, name, message } = serviceProblems[kind];
  return writeError(exchange, {
    status,
    name,
    message: message.replace('{}', word ?? ''),
    details: issues,
    tokenFault,
    headers,
  });
}

/** Ends a token request with a refusal. Its reason is the message, unless a more exact one is set. */
export function refuseToken(exchange: Exchange, kind: TokenProblemKind): Reply {
  exchange.reason ??= tokenProblems[kind].message;
  return writeError(exchange, tokenProblems[kind]);
}

/** The 401 of an endpoint that requires a bearer token. */
export function unauthenticated(tokenFault: string): ErrorContent {
  return { ...serviceProblems.unauthenticated, tokenFault, headers: bearerChallenge };
}

/**
 * Writes an error in the shape of its endpoint: that of OAuth for the token endpoint, otherwise that of the service.
 */
export function writeError(exchange: Exchange, error: ErrorContent): Reply {
  exchange.problem = error.name;
  return speaksOAuth(exchange) ? oauthError(exchange, error) : serviceError(exchange, error);
}

/** Keys in the recorded order: if there are `details`, they are the second key (contract.md §5.1). */
function serviceError(exchange: Exchange, error: ErrorContent): Reply {
  const { name, details, message, tokenFault, processor, headers } = error;
  const reply = jsonReply(exchange, error.status, {
    name,
    ...(details === undefined ? {} : { details }),
    message,
    ...(tokenFault === undefined ? {} : { error: 'invalid_token', error_description: tokenFault }),
    information_link: informationLink(name),
    debug_id: exchange.debugId,
    ...(processor === undefined ? {} : { processor_response: processor }),
  });
  return headers === undefined ? reply : withHeaders(reply, headers);
}

function oauthError(exchange: Exchange, { status, name, message }: ErrorContent): Reply {
  const reply = jsonReply(exchange, status, { error: name, error_description: message });
  return withHeaders(reply, { ...notCached, ...oauthHeaders(status) });
}

/** The rest of an unread body still arrives, so the connection cannot serve another request. */
export const unreadBody = { Connection: 'close' } as const;

/** An answer of the token endpoint may hold a credential, so no cache may store it (RFC 6749 §5.1). */
export const notCached = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** The header of a refused token. */
export const bearerChallenge = {
  'WWW-Authenticate': 'Bearer realm="card-vault-sandbox", error="invalid_token"',
} as const;

function oauthHeaders(status: number): Readonly<Record<string, string>> {
  if (status === 401) return { 'WWW-Authenticate': 'Basic realm="card-vault-sandbox"' };
  return status === 413 ? unreadBody : {};
}

function speaksOAuth({ operation }: Exchange): boolean {
  return operation === 'token.create';
}

function isTokenProblem(kind: ServiceProblemKind | TokenProblemKind): kind is TokenProblemKind {
  return Object.hasOwn(tokenProblems, kind);
}
