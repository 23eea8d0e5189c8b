/** Refuses calls without the control token, if the sandbox was started with one. */
import type { MiddlewareHandler } from 'hono';
import { ControlRequestError } from '../errors/control-error.ts';
import { documents } from '../pages/docs-page.ts';

/** Needs no token: the docs page shows this document, and it holds no secret. */
const open = documents.control.document;

/** Accepts only calls with the token, as `Authorization: Bearer` or as `Sandbox-Token`. */
export function withToken(token: string): MiddlewareHandler {
  return async ({ req }, next) => {
    if (req.path !== open) {
      const [, bearer] = /^Bearer +(.+)$/i.exec(req.header('authorization') ?? '') ?? [];
      const sent = req.header('sandbox-token') ?? bearer;
      if (sent === undefined || !isSame(sent, token)) throw refusal(sent !== undefined);
    }
    await next();
  };
}

function refusal(isSent: boolean): ControlRequestError {
  const fault = isSent
    ? 'This is not the control token that'
    : 'This call needs the control token that';
  return new ControlRequestError(
    'token-required',
    `${fault} this sandbox was started with (--control-token, CARD_VAULT_CONTROL_TOKEN). Send it as Authorization: Bearer <token>, or as Sandbox-Token: <token>.`,
    { place: 'header Authorization', headers: { 'WWW-Authenticate': 'Bearer' } },
  );
}

/** Compares in constant time, so that the duration discloses nothing about the token. */
function isSame(one: string, other: string): boolean {
  let difference = one.length ^ other.length;
  for (let at = 0; at < one.length; at++) {
    difference |= one.charCodeAt(at) ^ other.charCodeAt(at % other.length);
  }
  return difference === 0;
}
