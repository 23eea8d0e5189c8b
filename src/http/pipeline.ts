/**
 * The hall every `/v1` request walks through, in this order: the exchange opens; something may step in before anything
 * is read; token and world; shape; idempotency; the domain proposes a change; something may step in before it is done;
 * commit; view; something may step in before the answer leaves; the answer; the exchange closes.
 *
 * Every step is synchronous but for reading a body and for whatever steps in, so nothing another request does can
 * come between a decision and its commit.
 */
import { createHmac, randomBytes } from 'node:crypto';
import type { Profile } from '../contract/profile.ts';
import type { OperationName } from '../contract/service/operations.ts';
import type { Refusal } from '../domain/refusals.ts';
import { none } from '../journal/entry.ts';
import { areSameMisses } from '../journal/text/repeated-misses.ts';
import type { CardGuard } from '../guard/card-guard.ts';
import type { Traffic } from '../metrics/traffic.ts';
import type { Decision, DecisionPoint } from '../outcomes/decide/decision.ts';
import type { Bearer, BearerRefusal, Tokens } from '../world/identity/tokens.ts';
import type { Worlds } from '../world/worlds.ts';
import { isTurned, type Arrival, type Turned, type Visit } from './context.ts';
import type { Exchange, ExchangeListener, Hooks } from './exchange.ts';
import { journaled, writeDown } from './steps/record-exchange.ts';
import { dressed, handOver, lastWord, unanswered } from './steps/apply-outcome.ts';
import { decide, natural, type ForcingSettings } from './steps/decide-outcome.ts';
import { lookAtToken, warned } from './steps/real-data-warnings.ts';
import { bearerChallenge, problemReply } from './reply.ts';
import type { Asked } from './steps/request-facts.ts';
import type { Reply, Transport } from '../transport-port/transport.ts';

export interface HallSettings {
  readonly worlds: Worlds;
  readonly tokens: Tokens;
  readonly profile: Profile;
  /** Origin of links; the address the client used when absent. */
  readonly baseUrl: string | undefined;
  readonly maxBodyBytes: number;
  /** Secrets that fixtures pin, by client id. */
  readonly clientSecrets: ReadonlyMap<string, string>;
  readonly phases: Hooks;
  readonly forcing: ForcingSettings;
  readonly guard: CardGuard;
  readonly onExchange: ExchangeListener | undefined;
  /** Counts what comes and goes. */
  readonly traffic: Traffic;
  /** Debug ids and time for exchanges that belong to no merchant. */
  readonly nextDebugId: () => string;
  readonly nowMs: () => number;
}

export class Hall {
  readonly settings: HallSettings;
  /** Keyed anew in each process, so that no fingerprint of a body outlives it; drawn when the first is made. */
  #fingerprintKey: Buffer | undefined;

  constructor(settings: HallSettings) {
    this.settings = settings;
  }

  /** Opens an exchange in the named merchant's world; whether it may be there is asked later. */
  open(
    transport: Transport,
    operation: OperationName | undefined,
    merchant: string | undefined,
  ): Arrival {
    const { worlds, nextDebugId, nowMs, traffic } = this.settings;
    const begunMs = traffic.begin();
    const world = merchant === undefined ? undefined : worlds.getOrCreate(merchant);
    if (merchant !== undefined && world === undefined) worlds.rejected.record(merchant);
    world?.runDueEvents();
    const exchange: Exchange = {
      debugId: (world?.nextDebugId ?? nextDebugId)(),
      method: transport.method,
      operation,
      merchant: world?.merchant,
      atMs: world?.nowMs() ?? nowMs(),
      status: 0,
      problem: undefined,
      reason: undefined,
      replayed: false,
      outcomes: none,
      askedInVain: false,
      nearMisses: none,
      warnings: none,
      intent: undefined,
      cardId: undefined,
      subject: undefined,
      twin: undefined,
      committed: false,
      failure: undefined,
    };
    return {
      transport,
      exchange,
      begunMs,
      world,
      entry: world && journaled(world, transport, exchange),
      body: undefined,
      secret: false,
    };
  }

  /** Token and world: who is asking, and may they. */
  admit(arrival: Arrival, bearer: Bearer | BearerRefusal): Visit | Turned {
    const { worlds, profile, baseUrl } = this.settings;
    const { world, transport, exchange } = arrival;
    if (bearer === 'unknown') {
      exchange.warnings = lookAtToken(this.settings.guard, transport.header('authorization'));
    }
    if (typeof bearer === 'string') return turnedToken(bearer);
    if (world === undefined) return merchantsFull(worlds);
    if (bearer.expiresAtMs !== undefined && world.nowMs() >= bearer.expiresAtMs) {
      return turnedToken('expired');
    }
    return { world, view: { books: world, profile, base: baseUrl ?? transport.origin } };
  }

  /** A mark of a request's content, so that a repeat with another body is noticed. */
  fingerprint(body: unknown): string {
    this.#fingerprintKey ??= randomBytes(32);
    return createHmac('sha256', this.#fingerprintKey).update(JSON.stringify(body)).digest('base64');
  }

  /** Answers with a refusal. */
  turn(exchange: Exchange, turned: Turned): Reply {
    exchange.reason = turned.reason;
    return problemReply(exchange, turned.kind, turned.detail);
  }

  /** Decides what is forced on a request, and consumes it. Nothing is where no merchant is. */
  decide(
    { world, transport, exchange }: Arrival,
    gate: DecisionPoint,
    asked: Asked,
  ): Decision | Turned {
    if (world === undefined) return natural;
    const decision = decide(world, transport, gate, asked, this.settings.forcing);
    if (!isTurned(decision) && decision.nearMisses.length > 0) {
      exchange.nearMisses = latest(exchange.nearMisses, decision.nearMisses);
      exchange.askedInVain ||= decision.headerCannotApply === true;
    }
    return decision;
  }

  /** Whether anything may be forced by rule on a request. */
  hasRules({ world }: Arrival): boolean {
    return world !== undefined && !world.ruleBook.isEmpty;
  }

  /** What is forced before anything is read: the request is not looked at. */
  turnEarly(
    arrival: Arrival,
    asked: Asked,
    turned = (exchange: Exchange, why: Turned): Reply => this.turn(exchange, why),
  ): Response | Promise<Response> | undefined {
    const decision = this.decide(arrival, 'before-read', asked);
    const { exchange } = arrival;
    if (isTurned(decision)) return this.leave(arrival, turned(exchange, decision));
    const { domain, transport } = decision;
    if (domain === undefined && transport === undefined) return undefined;
    return this.leave(arrival, lastWord(decision, exchange) ?? unanswered(exchange), decision);
  }

  /** Hands the answer over, as decided, and closes the exchange. */
  leave(
    arrival: Arrival,
    reply: Reply,
    decision: Decision = natural,
  ): Response | Promise<Response> {
    const { exchange } = arrival;
    const marked = dressed(warned(reply, exchange), decision, exchange);
    writeDown(arrival, marked, decision);
    const response = handOver(arrival, marked, decision);
    this.#tell(exchange);
    this.#count(arrival, response);
    return response;
  }

  /** A request that is held is counted when it is let go. One that failed is answered again, and counted then. */
  #count({ exchange, begunMs }: Arrival, response: Response | Promise<Response>): void {
    const { traffic } = this.settings;
    if (response instanceof Promise) {
      response.then(
        () => {
          traffic.end(exchange, begunMs);
        },
        () => undefined,
      );
    } else traffic.end(exchange, begunMs);
  }

  /** The answer is out: what a listener throws is the listener's own, as with any event. */
  #tell(exchange: Exchange): void {
    try {
      this.settings.onExchange?.(exchange);
    } catch (failure) {
      queueMicrotask(() => {
        throw failure;
      });
    }
  }

  /**
   * Walks a request through `steps`. Whatever they throw is a bug of ours, or of what steps in: it becomes a quiet
   * 500, written by `failed`, and the failure itself goes to whoever listens.
   */
  walk(
    arrival: Arrival,
    steps: () => Response | Promise<Response>,
    failed: (exchange: Exchange) => Reply = (exchange) => problemReply(exchange, 'internal-error'),
  ): Response | Promise<Response> {
    const { exchange } = arrival;
    const fail = (failure: unknown): Response | Promise<Response> => {
      exchange.failure = failure;
      exchange.reason = 'A bug of this sandbox, or of something that steps in at its phases.';
      return this.leave(arrival, failed(exchange));
    };
    try {
      const { beforeRead } = this.settings.phases;
      const walked = after(beforeRead?.(exchange), steps);
      return walked instanceof Promise ? walked.catch(fail) : walked;
    } catch (failure) {
      return fail(failure);
    }
  }
}

/**
 * A rule may be asked at several points of the hall; what it said last stands. Nearly always it says the same. One that
 * has no more to say had counted the request as an attempt, so none came nearer.
 */
function latest(
  before: Exchange['nearMisses'],
  now: Exchange['nearMisses'],
): Exchange['nearMisses'] {
  if (before.length === 0 || areSameMisses(before, now)) return now;
  const again = new Set(now.map(({ rule }) => rule));
  return [...before.filter(({ rule }) => !again.has(rule)), ...now];
}

/** Goes on at once where nothing is waited for, so that a request without a body takes one synchronous step. */
export function after<T, R>(
  value: T | Promise<T>,
  next: (value: T) => R | Promise<R>,
): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** The domain's refusal as the hall turns it away. */
export function turnedBy(refusal: Refusal): Turned {
  return {
    kind: refusal.kind,
    reason: refusal.reason,
    detail: { issues: refusal.issues, public: refusal.public },
  };
}

/** No room for another merchant. Not a 401: SDKs would ask for a new token and try again, some of them for ever. */
export function merchantsFull(worlds: Worlds): Turned {
  return {
    kind: 'merchants-full',
    reason: `This sandbox holds ${worlds.max} merchants, the most it may (--max-merchants).`,
  };
}

/** Texts recorded for a token that is not accepted (contract.md §1.4), and what they mean here. */
const tokenFaults = {
  absent: [
    'Authorization header does not have valid access token',
    'No Authorization header came. Ask POST /v1/oauth2/token for a token, or send Bearer sandbox.<merchant>.',
  ],
  unknown: [
    'Access Token not found in cache',
    'The token was not made by this sandbox, or by one with another seed. Ask for a new one.',
  ],
  'shortcut-off': [
    'Access Token not found in cache',
    'Bearer sandbox.<merchant> is switched off (--auth strict). Ask POST /v1/oauth2/token for a token.',
  ],
  expired: [
    'Token expired',
    "The token's time is over on this merchant's clock. Ask for a new one.",
  ],
} as const;

function turnedToken(fault: keyof typeof tokenFaults): Turned {
  const [tokenFault, reason] = tokenFaults[fault];
  return {
    kind: 'unauthenticated',
    reason,
    detail: { tokenFault, headers: bearerChallenge },
  };
}
