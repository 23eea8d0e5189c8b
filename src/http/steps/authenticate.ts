/** Checks the bearer token of a request. */
import { warnOfToken } from '../../guard/real-data-warnings.ts';
import { formatSeconds } from '../../shared/time-text.ts';
import type { Worlds } from '../../world/worlds.ts';
import type { AuthenticatedContext, RequestContext } from '../context.ts';
import { bearerChallenge, type Refusal } from '../reply.ts';

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
