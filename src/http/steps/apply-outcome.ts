/** Brings about what was decided on: bends of the domain, errors in place of answers, and what the wire does. */
import { informationLink } from '../../contract/problems.ts';
import type {
  CardOverrides,
  PaymentOverrides,
  RefundOverrides,
} from '../../domain/payment/overrides.ts';
import { deleteCard } from '../../domain/card/card.ts';
import type { Books, Change } from '../../domain/ports.ts';
import { applyDialect } from '../../outcomes/effects/dialects.ts';
import { faults, isReplacement, replacements } from '../../outcomes/effects/faults/index.ts';

import { planEvents } from '../../outcomes/effects/planned-events.ts';
import { renderPage } from '../../outcomes/effects/faults/replacement.ts';
import { hasParameter, readParams, type OutcomeParams } from '../../outcomes/decide/params.ts';
import type { OutcomeChoice, Decision } from '../../outcomes/decide/decision.ts';
import type { Reply } from '../../transport-port/transport.ts';
import type { Arrival } from '../context.ts';
import type { Exchange } from '../exchange.ts';
import { bearerChallenge, jsonReply, problemReply, tokenRefusal } from '../reply.ts';
import { httpDate } from '../views/timestamps.ts';

/** How the domain is to let something come out. */
export interface PlanOverrides {
  readonly payment: PaymentOverrides | undefined;
  readonly refund: RefundOverrides | undefined;
  readonly card: CardOverrides | undefined;
}

export const noOverrides: PlanOverrides = {
  payment: undefined,
  refund: undefined,
  card: undefined,
};

/** What somebody else does while a request is carried out, and who comes first. */
export interface Race {
  readonly deletion: Change;
  readonly first: 'deletion' | 'payment';
}

type ErrorEffect = Extract<OutcomeChoice['outcome']['effect'], { readonly kind: 'error' }>;

function paramsFor(chosen: OutcomeChoice, exchange: Exchange): OutcomeParams {
  return readParams(chosen.outcome, chosen.params, exchange.debugId);
}

/** What a chosen outcome changes of a payment, refund or card before it is planned. */
export function overridesOf(chosen: OutcomeChoice | undefined, exchange: Exchange): PlanOverrides {
  if (chosen === undefined) return noOverrides;
  const { outcome, params } = chosen;
  const { effect } = outcome;
  const events = planEvents(outcome, params);
  switch (effect.kind) {
    case 'payment': {
      const { sale, processor } = effect.overrides;
      const reasonCode = hasParameter(outcome, 'reasonCode')
        ? paramsFor(chosen, exchange).text('reasonCode')
        : undefined;
      return { ...noOverrides, payment: { sale, processor, reasonCode, events } };
    }
    case 'later':
      return { ...noOverrides, payment: { events } };
    case 'refund':
      return { ...noOverrides, refund: { refund: effect.overrides.refund, events } };
    case 'card':
      return { ...noOverrides, card: { events } };
    default:
      return noOverrides;
  }
}

/** The deletion of the card that is paid with, where that was chosen. */
export function raceOf(
  chosen: OutcomeChoice | undefined,
  books: Books,
  { cardId = '' }: Exchange,
): Race | undefined {
  if (chosen?.outcome.effect.kind !== 'card-deleted') return undefined;
  const deletion = deleteCard(books, cardId);
  if (!deletion.ok) return undefined;
  const first = chosen.outcome.phase === 'before-commit' ? 'deletion' : 'payment';
  return { deletion: deletion.value, first };
}

/** The answer an outcome puts in the place of the real one; none where it leaves it. */
function forcedReply(chosen: OutcomeChoice | undefined, exchange: Exchange): Reply | undefined {
  if (chosen === undefined) return undefined;
  const { outcome } = chosen;
  const { effect } = outcome;
  const params = paramsFor(chosen, exchange);
  const asError = (error: ErrorEffect): Reply =>
    hasParameter(outcome, 'body') && params.text('body') === 'html'
      ? pageReply(exchange, error.status, error.message)
      : errorReply(exchange, error);
  const reply = ((): Reply | undefined => {
    switch (effect.kind) {
      case 'error':
        return asError(effect);
      case 'payment':
        return effect.answer && asError(effect.answer);
      case 'token-error':
        return hasParameter(outcome, 'body') && params.text('body') === 'html'
          ? pageReply(exchange, effect.status, effect.description)
          : tokenRefusal(exchange, effect);
      case 'unauthenticated':
        return problemReply(exchange, 'unauthenticated', {
          tokenFault: effect.description,
          headers: bearerChallenge,
        });
      case 'not-visible-yet':
        return problemReply(exchange, 'not-found');
      case 'page':
        return pageReply(exchange, effect.status, effect.title);
      default:
        return undefined;
    }
  })();
  if (reply === undefined || !hasParameter(outcome, 'retryAfter')) return reply;
  return {
    ...reply,
    headers: { ...reply.headers, 'Retry-After': retryAfter(chosen, exchange, params) },
  };
}

/** The same of a whole decision. The wire has the last word: a decline can be lost on its way like any other answer. */
export function lastWord({ transport, domain }: Decision, exchange: Exchange): Reply | undefined {
  return forcedReply(transport, exchange) ?? forcedReply(domain, exchange);
}

function retryAfter({ outcome }: OutcomeChoice, exchange: Exchange, params: OutcomeParams): string {
  const seconds = params.count('retryAfter');
  return hasParameter(outcome, 'retryAfterForm') && params.text('retryAfterForm') === 'date'
    ? new Date(exchange.atMs + seconds * 1000).toUTCString()
    : String(seconds);
}

/** An error of the service; at the token endpoint in OAuth's shape. */
function errorReply(exchange: Exchange, effect: ErrorEffect): Reply {
  if (exchange.operation === 'token.create') {
    const { status, message } = effect;
    return tokenRefusal(exchange, {
      status,
      error: status >= 500 ? 'server_error' : 'invalid_request',
      description: message,
    });
  }
  exchange.problem = effect.name;
  return jsonReply(exchange, effect.status, {
    name: effect.name,
    ...(effect.details === undefined ? {} : { details: effect.details }),
    message: effect.message,
    information_link: informationLink(effect.name),
    debug_id: exchange.debugId,
    ...(effect.processor === undefined ? {} : { processor_response: effect.processor }),
  });
}

function pageReply(exchange: Exchange, status: number, title: string): Reply {
  const reply = jsonReply(exchange, status, {});
  return {
    ...reply,
    headers: { ...reply.headers, 'Content-Type': 'text/html' },
    body: renderPage(`${status} ${title}`, 'The server could not complete the request.'),
  };
}

/**
 * Says on the answer what was forced and by what, writes it in the dialects that were asked for, and puts another in its
 * place where that was. What comes back is what goes on the wire, as far as the wire leaves it alone.
 */
export function dressed(reply: Reply, decision: Decision, exchange: Exchange): Reply {
  const { domain, transport, dialects } = decision;
  const isForced = domain !== undefined || transport !== undefined || dialects.length > 0;
  if (!isForced && !exchange.askedInVain) return reply;
  const forced = [domain, transport, ...dialects].filter((chosen) => chosen !== undefined);
  exchange.outcomes = forced.map(({ outcome, by, rule }) => ({ id: outcome.id, by, rule }));
  const said = forced.map(({ outcome, by }) => `${outcome.id}; by=${by}`);
  if (exchange.askedInVain) said.push('not-forced; by=header');
  const marked = {
    ...reply,
    headers: { ...reply.headers, 'Sandbox-Outcome': said.join(', ') },
  };
  let written: Reply = marked;
  for (const chosen of dialects) written = inOneDialect(written, chosen, exchange);
  return transport === undefined ? written : replaced(written, transport, exchange);
}

function replaced(reply: Reply, chosen: OutcomeChoice, exchange: Exchange): Reply {
  const { effect } = chosen.outcome;
  if (effect.kind !== 'fault' || !isReplacement(effect.fault)) return reply;
  const other = replacements[effect.fault](reply, paramsFor(chosen, exchange));
  exchange.status = other.status;
  return other;
}

function inOneDialect(reply: Reply, chosen: OutcomeChoice, exchange: Exchange): Reply {
  const { effect } = chosen.outcome;
  if (effect.kind !== 'dialect') return reply;
  if (reply.body !== null && reply.headers['Content-Type'] !== 'application/json') return reply;
  const params = paramsFor(chosen, exchange);
  // An answer without a body still has headers.
  const written = applyDialect(effect.dialect, reply.body ?? 'null', {
    params,
    draw: (word) => params.draw(word),
    nowMs: exchange.atMs,
  });
  const body = reply.body === null ? null : written.body;
  return { ...reply, body, headers: { ...reply.headers, ...written.headers } };
}

/** Hands an answer to the wire as the decision says. */
export function handOver(
  { transport, exchange, world }: Arrival,
  reply: Reply,
  decision: Decision,
): Response | Promise<Response> {
  const chosen = decision.transport ?? decision.domain;
  if (chosen === undefined) return transport.send(reply);
  const { outcome } = chosen;
  const params = paramsFor(chosen, exchange);
  const { effect } = outcome;
  if (effect.kind === 'fault') {
    return isReplacement(effect.fault)
      ? transport.send(reply)
      : faults[effect.fault](transport, reply, params);
  }
  if (effect.kind === 'refuse-connections' && world !== undefined) {
    return transport.refuse(params.ms('lasts'), { merchant: world.merchant, ended: world.waits });
  }
  const delayMs = hasParameter(outcome, 'delay') ? params.ms('delay') : 0;
  return delayMs === 0
    ? transport.send(reply)
    : transport.pause(delayMs).then(() => transport.send(reply));
}

/** Stands where an answer would be, for a wire that sends none, or one of its own. */
export function unanswered(exchange: Exchange): Reply {
  return {
    status: 200,
    headers: { 'Content-Type': 'application/json', Date: httpDate(exchange.atMs) },
    body: '{}',
  };
}

/** Whether an outcome keeps a request from being carried out. */
export function preventsCommit(chosen: OutcomeChoice | undefined): boolean {
  if (chosen === undefined) return false;
  const { effect, phase } = chosen.outcome;
  switch (effect.kind) {
    case 'error':
    case 'page':
    case 'fault':
      return phase === 'before-commit' || phase === 'before-read';
    case 'unauthenticated':
    case 'token-error':
    case 'not-visible-yet':
    case 'refuse-connections':
      return true;
    default:
      return false;
  }
}
