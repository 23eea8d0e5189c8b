/** The token endpoint: form in, OAuth's shapes out (contract.md §1). */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { operations } from '../../contract/service/operations.ts';
import type { TokenProblemKind } from '../../contract/service/token.ts';
import { isClientId } from '../../world/identity/merchant-id.ts';
import { tokenLifetimeS } from '../../world/identity/tokens.ts';
import type { World } from '../../world/world.ts';
import { isFormType } from '../body/parse-body.ts';
import { readParams } from '../../outcomes/decide/params.ts';
import type { Decision } from '../../outcomes/decide/decision.ts';
import { lastWord } from '../steps/apply-outcome.ts';
import type { Asked } from '../steps/request-facts.ts';
import { lookAtCredentials, type Credentials } from '../steps/real-data-warnings.ts';
import { isTurned, type Arrival, type Turned } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { after, type Hall } from '../pipeline.ts';
import { tokenProblemReply, tokenReply } from '../reply.ts';
import { seconds } from '../views/timestamps.ts';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import {
  isBodyEncoded,
  type Body,
  type Reply,
  type Transport,
} from '../../transport-port/transport.ts';

/** What a token allows, as recorded; the vault's scope keeps the singular spelling (contract.md §1.2). */
const scope = [
  'openid',
  'https://uri.paypal.com/services/invoicing',
  'https://api.paypal.com/v1/payments/.*',
  'https://api.paypal.com/v1/vault/credit-card',
  'https://api.paypal.com/v1/vault/credit-card/.*',
].join(' ');

export function bindToken(app: OpenAPIHono<TransportEnv>, hall: Hall): void {
  const route = operations['token.create'];
  app.openAPIRegistry.registerPath(route);
  app.post(route.getRoutingPath(), (c) => {
    const transport = transportOf(c);
    const credentials = readCredentials(transport.header('authorization'));
    const looked = lookAtCredentials(hall.settings.guard, credentials);
    const arrival = hall.open(transport, 'token.create', looked.merchant);
    const { exchange, world } = arrival;
    exchange.warnings = looked.warnings;
    return hall.walk(
      arrival,
      () => {
        const early = hall.turnEarly(arrival, asked, outcomeUnknown);
        if (early !== undefined) return early;
        return after(transport.readBody(hall.settings.maxBodyBytes), (bytes) => {
          const fault =
            bodyFault(transport, bytes) ??
            credentialsFault(hall, credentials) ??
            (world === undefined && !looked.barred ? 'merchants-full' : grantFault(bytes)) ??
            (looked.barred ? 'credentials-live' : undefined);
          return fault !== undefined || world === undefined
            ? hall.leave(arrival, tokenProblemReply(exchange, fault ?? 'merchants-full'))
            : issueAsDecided(hall, arrival, world);
        });
      },
      (failed) => tokenProblemReply(failed, 'internal-error'),
    );
  });
}

const asked: Asked = {
  operation: 'token.create',
  writes: true,
  params: {},
  query: undefined,
  body: undefined,
  change: undefined,
};

function issueAsDecided(hall: Hall, arrival: Arrival, world: World): Response | Promise<Response> {
  const { exchange } = arrival;
  const decision = hall.decide(arrival, 'before-commit', asked);
  if (isTurned(decision)) {
    return hall.leave(arrival, outcomeUnknown(exchange, decision));
  }
  const forced = lastWord(decision, exchange);
  const reply = forced ?? tokenReply(exchange, 200, issue(hall, world, decidedLifetimeS(decision)));
  return hall.leave(arrival, reply, decision);
}

function outcomeUnknown(exchange: Exchange, { reason }: Turned): Reply {
  exchange.reason = reason;
  return tokenProblemReply(exchange, 'outcome-unknown');
}

function decidedLifetimeS({ domain }: Decision): number {
  return domain?.outcome.effect.kind === 'token-lifetime'
    ? readParams(domain.outcome, domain.params, '').count('expiresIn')
    : tokenLifetimeS;
}

/**
 * `client_id:client_secret` of a Basic header; a secret may hold colons. Both are as they are, or form-encoded as OAuth has
 * it (RFC 6749 §2.3.1): no client id holds a percent sign, so none can be read both ways. The secret is left as it came.
 */
export function readCredentials(
  header: string | undefined,
): Credentials | 'credentials-missing' | 'client-invalid' {
  if (header === undefined || header === '') return 'credentials-missing';
  const encoded = /^basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return 'client-invalid';
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

function bodyFault(transport: Transport, bytes: Body): TokenProblemKind | undefined {
  if (bytes === 'too-large') return 'body-too-large';
  if (!isFormType(transport.header('content-type'))) return 'media-type';
  return bytes !== 'gone' && bytes.byteLength > 0 && isBodyEncoded(transport)
    ? 'body-encoded'
    : undefined;
}

function credentialsFault(
  hall: Hall,
  credentials: ReturnType<typeof readCredentials>,
): TokenProblemKind | undefined {
  if (typeof credentials === 'string') return credentials;
  const { clientId, secret } = credentials;
  const pinned = hall.settings.clientSecrets.get(clientId);
  // Either spelling is right: some clients encode, as OAuth has it, and most do not.
  return pinned === undefined || pinned === secret || pinned === formDecoded(secret)
    ? undefined
    : 'secret-wrong';
}

/**
 * Only client credentials lead to a token. A refresh token or an authorization code comes from a buyer's consent,
 * which this sandbox does not play: both are answered as the service answers one it does not know.
 */
function grantFault(bytes: Body): TokenProblemKind | undefined {
  const form = new URLSearchParams(
    typeof bytes === 'string' ? '' : Buffer.from(bytes).toString('utf8'),
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

function issue(hall: Hall, world: World, lifetimeS: number): object {
  const nowMs = world.nowMs();
  const token = hall.settings.tokens.mint(world.merchant, nowMs, lifetimeS, world.nextNonce());
  return {
    scope,
    access_token: token,
    token_type: 'Bearer',
    app_id: world.appId,
    expires_in: lifetimeS,
    nonce: seconds(nowMs) + world.nextNonce(),
  };
}
