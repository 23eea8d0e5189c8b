/** Opens the exchange of a request in the world of the merchant that it names, and checks its bearer token. */
import type { OperationName } from '../../contract/service/operations.ts';
import { warnOfToken } from '../../guard/real-data-warnings.ts';
import { emptyList } from '../../journal/entry.ts';
import { mayContainLongId, restoreIds } from '../../outcomes/effects/long-id-dialect.ts';
import { formatSeconds } from '../../shared/time-text.ts';
import type { Transport } from '../../transport-port/transport.ts';
import type { Bearer, BearerRefusal, Tokens } from '../../world/identity/tokens.ts';
import type { Worlds } from '../../world/worlds.ts';
import type {
  AuthenticatedContext,
  RequestContext,
  RoutedCall,
  ServiceSettings,
} from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { bearerChallenge, type Refusal } from '../reply.ts';

/** The merchant that a request claims, before its token is checked. */
export interface Caller {
  /** The bearer token of the Authorization header. Nothing else authenticates a request. */
  readonly bearer: Bearer | BearerRefusal;
  /** The merchant whose journal records the request; absent if the request names none. */
  readonly merchant: string | undefined;
}

/**
 * Reads the Authorization header. A token in the query does not authenticate a request; it only names the merchant
 * whose journal shows the mistake.
 */
export function identifyCaller(tokens: Tokens, transport: Transport): Caller {
  const bearer = tokens.read(transport.header('authorization'));
  if (typeof bearer !== 'string') return { bearer, merchant: bearer.merchant };
  const { target } = transport;
  if (bearer !== 'absent' || !target.includes('access_token=')) {
    return { bearer, merchant: undefined };
  }
  const token = new URLSearchParams(target.slice(target.indexOf('?') + 1)).get('access_token');
  const named = tokens.read(`Bearer ${token ?? ''}`);
  return { bearer, merchant: typeof named === 'string' ? undefined : named.merchant };
}

interface Opening {
  /** Absent if no operation has the path. */
  readonly operation: OperationName | undefined;
  readonly writes: boolean;
  readonly caller: Caller;
}

/** Opens an exchange in the world of the merchant that a request names, even if the request may not act for it. */
export function openContext(
  service: ServiceSettings,
  { transport, target, params }: RoutedCall,
  { operation, writes, caller: { bearer, merchant } }: Opening,
): RequestContext {
  const { worlds, traffic } = service;
  const startedMs = traffic.begin();
  const world = merchant === undefined ? undefined : worlds.getOrCreate(merchant);
  if (merchant !== undefined && world === undefined) worlds.rejected.record(merchant);
  world?.runDueEvents();
  const exchange = openExchange({
    debugId: (world?.nextDebugId ?? service.nextDebugId)(),
    method: transport.method,
    operation,
    merchant: world?.merchant,
    atMs: world?.nowMs() ?? service.nowMs(),
  });
  return {
    service,
    transport,
    target,
    exchange,
    writes,
    // `restoreIds` keeps the shape of its argument.
    params: mayContainLongId(target.path) ? (restoreIds(params) as typeof params) : params,
    startedMs,
    bearer,
    world,
    content: {},
    body: undefined,
    isSecret: false,
    decision: undefined,
    entry: undefined,
  };
}

/** Creates an exchange at its start. */
export function openExchange({
  debugId,
  method,
  operation,
  merchant,
  atMs,
}: Pick<Exchange, 'debugId' | 'method' | 'operation' | 'merchant' | 'atMs'>): Exchange {
  return {
    debugId,
    method,
    operation,
    merchant,
    atMs,
    status: 0,
    problem: undefined,
    reason: undefined,
    replayed: false,
    outcomes: emptyList,
    holds: emptyList,
    headerCannotApply: false,
    nearMisses: emptyList,
    warnings: emptyList,
    intent: undefined,
    cardId: undefined,
    subject: undefined,
    twin: undefined,
    committed: false,
    failure: undefined,
  };
}

/** Authenticates a request, or refuses it. */
export function authenticate(context: RequestContext): AuthenticatedContext | Refusal {
  const { service, bearer, world, transport, exchange } = context;
  if (bearer === 'unknown') {
    const warning = warnOfToken(service.guard, transport.header('authorization'));
    if (warning !== undefined) exchange.warnings = [warning];
  }
  if (typeof bearer === 'string') return refuseBearer(bearer, reasons[bearer]);
  if (world === undefined) return refuseMerchant(service.worlds);
  const { expiresAtMs = Number.POSITIVE_INFINITY } = bearer;
  const nowMs = world.nowMs();
  if (nowMs >= expiresAtMs) return refuseBearer('expired', expiredReason(expiresAtMs, nowMs));
  const base = service.linkBase(transport);
  return Object.assign(context, { world, view: { books: world, profile: service.profile, base } });
}

/**
 * Refuses a merchant that the sandbox has no room for. It is no 401, because SDKs would then request new tokens
 * endlessly.
 */
function refuseMerchant(worlds: Worlds): Refusal {
  return {
    kind: 'merchants-full',
    reason: `This sandbox has ${worlds.max} merchants, the maximum (--max-merchants).`,
  };
}

/** The recorded texts for a refused token (contract.md §1.4). */
const tokenFaults = {
  absent: 'Authorization header does not have valid access token',
  unknown: 'Access Token not found in cache',
  'shortcut-off': 'Access Token not found in cache',
  expired: 'Token expired',
} as const;

/** The advice for each kind of refused token. */
const reasons = {
  absent:
    'The request has no Authorization header. Request a token with POST /v1/oauth2/token, or send Bearer sandbox.<merchant>.',
  unknown:
    'The token was not made by this sandbox, or by one with another seed. Request a new token.',
  'shortcut-off':
    'Bearer sandbox.<merchant> is switched off (--auth strict). Request a token with POST /v1/oauth2/token.',
} as const;

function expiredReason(expiresAtMs: number, nowMs: number): string {
  return `The token expired at ${formatSeconds(expiresAtMs)} on this merchant's clock; it is now ${formatSeconds(nowMs)}. Request a new token.`;
}

function refuseBearer(fault: keyof typeof tokenFaults, reason: string): Refusal {
  return {
    kind: 'unauthenticated',
    reason,
    tokenFault: tokenFaults[fault],
    headers: bearerChallenge,
  };
}
