/** The decision on a request as an object: it changes the plan, the reply, and the way the reply is sent. */
import { serviceProblems } from '../../contract/problems.ts';
import { deleteCard } from '../../domain/card/card.ts';
import type {
  CardOverrides,
  PaymentOverrides,
  RefundOverrides,
} from '../../domain/payment/overrides.ts';
import type { Books, Change } from '../../domain/ports.ts';
import type { OutcomeChoice, Decision } from '../../outcomes/decide/decision.ts';
import { hasParameter, readParams, type OutcomeParams } from '../../outcomes/decide/params.ts';
import { applyDialect } from '../../outcomes/effects/dialects.ts';
import { renderPage } from '../../outcomes/effects/faults/replacement.ts';
import { faults, isReplacement, replacements } from '../../outcomes/effects/faults/index.ts';
import { planEvents } from '../../outcomes/effects/planned-events.ts';
import type { Reply, Transport } from '../../transport-port/transport.ts';
import type { World } from '../../world/world.ts';
import { unauthenticated, writeError, jsonReply, placeholderReply, withHeaders } from '../reply.ts';
import type { Exchange } from '../exchange.ts';

/** What an outcome overrides before a change is planned. */
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

/** Deletes the card of a payment while the payment runs. */
export interface CardDeletion {
  readonly change: Change;
  readonly when: 'before-commit' | 'after-commit';
}

/** Where a reply goes. */
interface Destination {
  readonly transport: Transport;
  readonly exchange: Exchange;
  readonly world: World | undefined;
}

type ErrorEffect = Extract<OutcomeChoice['outcome']['effect'], { readonly kind: 'error' }>;

/** The forced outcomes: at most one about cards and money, at most one of the transport, and any number of dialects. */
export class ForcedDecision {
  readonly domain: OutcomeChoice | undefined;
  readonly #transport: OutcomeChoice | undefined;
  readonly #dialects: readonly OutcomeChoice[];

  constructor({ domain, transport, dialects }: Decision) {
    this.domain = domain;
    this.#transport = transport;
    this.#dialects = dialects;
  }

  /** All forced outcomes. */
  get outcomes(): readonly OutcomeChoice[] {
    return [this.domain, this.#transport, ...this.#dialects].filter(
      (chosen) => chosen !== undefined,
    );
  }

  /** Whether it ends the request before the request is read. */
  get endsRequest(): boolean {
    return this.domain !== undefined || this.#transport !== undefined;
  }

  get preventsCommit(): boolean {
    return preventsCommit(this.domain) || preventsCommit(this.#transport);
  }

  /** Whether the request is carried out twice. */
  get commitsTwice(): boolean {
    return this.domain?.outcome.effect.kind === 'twice';
  }

  /** Whether a repeat is executed as if it had no PayPal-Request-Id. */
  get ignoresRequestId(): boolean {
    return this.domain?.outcome.effect.kind === 'ignore-request-id';
  }

  /** Whether the sent body may differ from the body of the reply. */
  get changesBody(): boolean {
    return this.#transport !== undefined || this.#dialects.length > 0;
  }

  /** How long the request waits before it is executed, in milliseconds. */
  waitBeforeCommitMs(exchange: Exchange): number {
    const chosen = this.#transport;
    return chosen?.outcome.effect.kind === 'wait-before-commit'
      ? paramsFor(chosen, exchange).ms('delay')
      : 0;
  }

  /** The forced lifetime of a token. */
  get tokenLifetimeS(): number | undefined {
    const { domain } = this;
    return domain?.outcome.effect.kind === 'token-lifetime'
      ? readParams(domain.outcome, domain.params, '').count('expiresIn')
      : undefined;
  }

  /** The overrides for the plan; absent if there are none. */
  overrides(exchange: Exchange): PlanOverrides | undefined {
    if (this.domain === undefined) return undefined;
    const { outcome, params } = this.domain;
    const { effect } = outcome;
    const events = planEvents(outcome, params);
    switch (effect.kind) {
      case 'payment': {
        const { sale, processor } = effect.overrides;
        const reasonCode = hasParameter(outcome, 'reasonCode')
          ? paramsFor(this.domain, exchange).text('reasonCode')
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
        return undefined;
    }
  }

  /** The deletion of the card that the request pays with. */
  cardDeletion(books: Books, { cardId = '' }: Exchange): CardDeletion | undefined {
    if (this.domain?.outcome.effect.kind !== 'card-deleted') return undefined;
    const deletion = deleteCard(books, cardId);
    if (!deletion.ok) return undefined;
    const isFirst = this.domain.outcome.phase === 'before-commit';
    return { change: deletion.value, when: isFirst ? 'before-commit' : 'after-commit' };
  }

  /**
   * The reply that replaces the natural one. A transport outcome takes precedence: a decline can be lost like any
   * answer.
   */
  reply(exchange: Exchange): Reply | undefined {
    return forcedReply(this.#transport, exchange) ?? forcedReply(this.domain, exchange);
  }

  /** The reply of a request that ends before it is read. */
  finalReply(exchange: Exchange): Reply {
    return this.reply(exchange) ?? placeholderReply(exchange);
  }

  /** Rewrites a reply in the forced dialects, or replaces it by a page or redirect. */
  rewrite(reply: Reply, exchange: Exchange): Reply {
    let rewritten = reply;
    for (const dialect of this.#dialects) rewritten = inDialectOf(dialect, rewritten, exchange);
    const fault = this.#transport;
    return fault === undefined ? rewritten : replaceReply(fault, rewritten, exchange);
  }

  /** Sends a reply, or applies the forced fault. */
  deliver(reply: Reply, { transport, exchange, world }: Destination): Response | Promise<Response> {
    const chosen = this.#transport ?? this.domain;
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
      const refuser = { merchant: world.merchant, ended: world.waits };
      return transport.refuse(params.ms('lasts'), refuser);
    }
    // A request that waited before its commit is answered at once.
    const isDelayed = effect.kind !== 'wait-before-commit' && hasParameter(outcome, 'delay');
    const delayMs = isDelayed ? params.ms('delay') : 0;
    if (delayMs === 0) return transport.send(reply);
    return transport.pause(delayMs).then(() => transport.send(reply));
  }
}

function paramsFor(chosen: OutcomeChoice, exchange: Exchange): OutcomeParams {
  return readParams(chosen.outcome, chosen.params, exchange.debugId);
}

function preventsCommit(chosen: OutcomeChoice | undefined): boolean {
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

/** The reply of one outcome; absent if the natural reply stays. */
function forcedReply(chosen: OutcomeChoice | undefined, exchange: Exchange): Reply | undefined {
  if (chosen === undefined) return undefined;
  const reply = effectReply(chosen, exchange);
  if (reply === undefined || !hasParameter(chosen.outcome, 'retryAfter')) return reply;
  return withHeaders(reply, { 'Retry-After': retryAfter(chosen, exchange) });
}

function effectReply(chosen: OutcomeChoice, exchange: Exchange): Reply | undefined {
  const { effect } = chosen.outcome;
  switch (effect.kind) {
    case 'error':
      return errorOrPage(chosen, effect, exchange);
    case 'payment':
      return effect.answer && errorOrPage(chosen, effect.answer, exchange);
    case 'token-error': {
      const { status, error, description } = effect;
      return isPage(chosen, exchange)
        ? pageReply(exchange, status, description)
        : writeError(exchange, { status, name: error, message: description });
    }
    case 'unauthenticated':
      return writeError(exchange, unauthenticated(effect.description));
    case 'not-visible-yet':
      return writeError(exchange, serviceProblems['not-found']);
    case 'page':
      return pageReply(exchange, effect.status, effect.title);
    default:
      return undefined;
  }
}

/** Writes an error of the service. Some outcomes can send it as an HTML page. */
function errorOrPage(chosen: OutcomeChoice, error: ErrorEffect, exchange: Exchange): Reply {
  const { status, name, message, details, processor } = error;
  if (isPage(chosen, exchange)) return pageReply(exchange, status, message);
  return exchange.operation === 'token.create'
    ? writeError(exchange, { status, name: oauthName(status), message })
    : writeError(exchange, { status, name, message, details, processor });
}

/** Returns the name of a service error at the token endpoint. */
function oauthName(status: number): string {
  return status >= 500 ? 'server_error' : 'invalid_request';
}

function isPage(chosen: OutcomeChoice, exchange: Exchange): boolean {
  return (
    hasParameter(chosen.outcome, 'body') && paramsFor(chosen, exchange).text('body') === 'html'
  );
}

function pageReply(exchange: Exchange, status: number, title: string): Reply {
  const reply = jsonReply(exchange, status, {});
  return {
    ...withHeaders(reply, { 'Content-Type': 'text/html' }),
    body: renderPage(`${status} ${title}`, 'The server could not complete the request.'),
  };
}

function retryAfter(chosen: OutcomeChoice, exchange: Exchange): string {
  const params = paramsFor(chosen, exchange);
  const seconds = params.count('retryAfter');
  const isDate =
    hasParameter(chosen.outcome, 'retryAfterForm') && params.text('retryAfterForm') === 'date';
  return isDate ? new Date(exchange.atMs + seconds * 1000).toUTCString() : String(seconds);
}

function inDialectOf(chosen: OutcomeChoice, reply: Reply, exchange: Exchange): Reply {
  const { effect } = chosen.outcome;
  if (effect.kind !== 'dialect') return reply;
  if (reply.body !== null && reply.headers['Content-Type'] !== 'application/json') return reply;
  const params = paramsFor(chosen, exchange);
  // An answer without a body still has headers.
  const rewritten = applyDialect(effect.dialect, reply.body ?? 'null', {
    params,
    draw: (word) => params.draw(word),
    nowMs: exchange.atMs,
  });
  const body = reply.body === null ? null : rewritten.body;
  return { ...withHeaders(reply, rewritten.headers), body };
}

function replaceReply(chosen: OutcomeChoice, reply: Reply, exchange: Exchange): Reply {
  const { effect } = chosen.outcome;
  if (effect.kind !== 'fault' || !isReplacement(effect.fault)) return reply;
  const replacement = replacements[effect.fault](reply, paramsFor(chosen, exchange));
  exchange.status = replacement.status;
  return replacement;
}
