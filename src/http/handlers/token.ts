/** The token endpoint: it reads a form and answers in the shapes of OAuth (contract.md §1). */
import type { TokenProblemKind } from '../../contract/problems.ts';
import { looksLikeLiveCredential } from '../../guard/live-credentials.ts';
import { warnOfCredentials, type Credentials } from '../../guard/real-data-warnings.ts';
import { runSteps, wait, type Steps } from '../../shared/steps.ts';
import { formatSeconds } from '../../shared/time-text.ts';
import {
  isBodyEncoded,
  type Body,
  type Reply,
  type Transport,
} from '../../transport-port/transport.ts';
import { isClientId } from '../../world/identity/merchant-id.ts';
import { tokenLifetimeS } from '../../world/identity/tokens.ts';
import type { World } from '../../world/world.ts';
import { isFormType } from '../body-reader.ts';
import type { RequestContext, RoutedCall, ServiceSettings } from '../context.ts';
import { isRefusal, notCached, refuse, refuseToken, jsonReply, withHeaders } from '../reply.ts';
import { decideEarly } from '../pipeline.ts';
import { decideOutcome } from '../steps/decide-outcome.ts';
import { holdAt } from '../steps/hold.ts';
import { openContext } from '../steps/open-exchange.ts';
import { recordExchange } from '../steps/record-exchange.ts';

/** The recorded scopes of a token. The scope of the vault has the singular spelling (contract.md §1.2). */
const scope = [
  'openid',
  'https://uri.paypal.com/services/invoicing',
  'https://api.paypal.com/v1/payments/.*',
  'https://api.paypal.com/v1/vault/credit-card',
  'https://api.paypal.com/v1/vault/credit-card/.*',
].join(' ');

/** The credentials of a request, or why there are none. */
type ReadCredentials =
  | Credentials
  | 'credentials-missing'
  | 'credentials-not-basic'
  | 'client-invalid';

/** Answers a token request. Its credentials name the merchant; it has no bearer token. */
export function createToken(
  service: ServiceSettings,
  call: RoutedCall,
): Response | Promise<Response> {
  const credentials = readCredentials(call.transport.header('authorization'));
  const { warning, isRefused, merchant } = checkLive(service, credentials);
  const context = openContext(service, call, {
    operation: 'token.create',
    writes: true,
    caller: { bearer: 'absent', merchant },
  });
  if (warning !== undefined) context.exchange.warnings = [warning];
  return runSteps(recordExchange(context, answer(context, credentials, isRefused)));
}

function* answer(
  context: RequestContext,
  credentials: ReadCredentials,
  isRefused: boolean,
): Steps<Reply> {
  const { service, exchange, transport, world } = context;
  yield* wait(service.hooks.beforeRead?.(exchange));
  const early = decideEarly(context);
  if (early !== undefined) return early;
  const body = yield* wait(transport.readBody(service.maxBodyBytes));
  const fault =
    checkForm(transport, body) ??
    checkCredentials(service, credentials) ??
    (world === undefined && !isRefused ? 'merchants-full' : checkGrant(body)) ??
    (isRefused ? 'credentials-live' : undefined);
  if (fault !== undefined || world === undefined) {
    return refuseToken(exchange, fault ?? 'merchants-full');
  }
  yield* holdAt(context, 'before-commit');
  const decision = decideOutcome(context, 'before-commit');
  if (isRefusal(decision)) return refuse(exchange, decision);
  context.decision = decision;
  const lifetimeS = decision?.tokenLifetimeS ?? tokenLifetimeS;
  const reply = decision?.reply(exchange) ?? tokenReply(context, world, lifetimeS);
  const wasHeld = yield* holdAt(context, 'before-answer');
  if (!wasHeld) yield* wait(transport.gather());
  return reply;
}

function tokenReply({ service, exchange }: RequestContext, world: World, lifetimeS: number): Reply {
  const nowMs = world.nowMs();
  const token = service.tokens.mint(world.merchant, nowMs, lifetimeS, world.nextNonce());
  const reply = jsonReply(exchange, 200, {
    scope,
    access_token: token,
    token_type: 'Bearer',
    app_id: world.appId,
    expires_in: lifetimeS,
    nonce: formatSeconds(nowMs) + world.nextNonce(),
  });
  return withHeaders(reply, notCached);
}

/** Checks whether credentials look live, and finds the merchant whose journal records the request. */
function checkLive({ guard }: ServiceSettings, credentials: ReadCredentials) {
  if (typeof credentials === 'string') {
    return { warning: undefined, isRefused: false, merchant: undefined };
  }
  const { clientId } = credentials;
  const warning = warnOfCredentials(guard, credentials);
  const isRefused = warning !== undefined && guard.mode === 'refuse';
  // A merchant id is kept as long as the sandbox runs, so a live id must not become one.
  const isSecret = isRefused && looksLikeLiveCredential(clientId);
  return { warning, isRefused, merchant: isSecret ? undefined : clientId };
}

/**
 * Reads `client_id:client_secret` from a Basic header. A secret may contain colons, and is not decoded. A client id may
 * be form-encoded (RFC 6749 §2.3.1). No client id contains a percent sign, so decoding is never ambiguous.
 */
export function readCredentials(header: string | undefined): ReadCredentials {
  if (header === undefined || header === '') return 'credentials-missing';
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return 'credentials-not-basic';
  const pair = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = pair.indexOf(':');
  const clientId = colon === -1 ? pair : pair.slice(0, colon);
  const secret = colon === -1 ? '' : pair.slice(colon + 1);
  if (isClientId(clientId)) return { clientId, secret };
  const decoded = formDecoded(clientId);
  return isClientId(decoded) ? { clientId: decoded, secret } : 'client-invalid';
}

function formDecoded(text: string): string {
  return new URLSearchParams(`is=${text.replaceAll('&', '%26')}`).get('is') ?? '';
}

function checkForm(transport: Transport, body: Body): TokenProblemKind | undefined {
  if (body === 'too-large') return 'body-too-large';
  if (!isFormType(transport.header('content-type'))) return 'media-type';
  return body !== 'gone' && body.byteLength > 0 && isBodyEncoded(transport)
    ? 'body-encoded'
    : undefined;
}

function checkCredentials(
  { clientSecrets }: ServiceSettings,
  credentials: ReadCredentials,
): TokenProblemKind | undefined {
  if (typeof credentials === 'string') return credentials;
  const { clientId, secret } = credentials;
  const pinned = clientSecrets.get(clientId);
  // Some clients encode the secret as OAuth requires, and most do not. Both spellings are accepted.
  return pinned === undefined || pinned === secret || pinned === formDecoded(secret)
    ? undefined
    : 'secret-wrong';
}

/**
 * Refuses every grant except client credentials. A refresh token or an authorization code requires a buyer's consent,
 * which this sandbox does not simulate. It answers both as the service answers an unknown one.
 */
function checkGrant(body: Body): TokenProblemKind | undefined {
  const form = new URLSearchParams(
    typeof body === 'string' ? '' : Buffer.from(body).toString('utf8'),
  );
  switch (form.get('grant_type')) {
    case 'client_credentials':
      return undefined;
    case 'refresh_token':
      return 'refresh-token-unknown';
    case 'authorization_code':
      return 'code-unknown';
    case null:
    case '':
      return 'grant-missing';
    default:
      return 'grant-unknown';
  }
}
