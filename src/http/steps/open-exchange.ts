/** Opens the exchange of a request in the world of the merchant that it names. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import { emptyList } from '../../journal/entry.ts';
import { mayContainLongId, restoreIds } from '../../outcomes/effects/long-id-dialect.ts';
import type { Transport } from '../../transport-port/transport.ts';
import type { Bearer, BearerRefusal, Tokens } from '../../world/identity/tokens.ts';
import type { RequestContext, RoutedCall, ServiceSettings } from '../context.ts';
import type { Exchange } from '../exchange.ts';

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
