/** The types of the catalogue: an outcome, its phase, its effect and its parameters. */
import type { OperationName } from '../contract/service/operation-name.ts';
import type { ProcessorResponse, SaleOverride } from '../domain/payment/overrides.ts';
import type { OutcomeId } from './outcome-id.ts';

/** An operation, a family of operations, every operation that writes, or every operation. */
export type OperationPattern = OperationName | 'card.*' | 'payment.*' | 'any-write' | 'any';

/** When an outcome applies to a request. */
export type Phase =
  /** It results from real state and cannot be forced. */
  | 'natural'
  /** Before the token and the body are read. The request is not examined. */
  | 'before-read'
  /** The request is valid, but it is not executed. */
  | 'before-commit'
  /** The request is executed, possibly with another result. */
  | 'after-commit'
  /** The request is executed as usual. Only the delivery or form of the response differs. */
  | 'answer'
  /** Later, on the merchant's clock. */
  | 'later';

/** What the ledger contains afterwards. */
export type Commit =
  | 'never'
  | 'committed'
  | 'as-normal'
  | 'twice'
  | 'deferred'
  | 'replay'
  | 'mixed';

/** What a client may conclude from the response that it received. */
export type Conclusion = 'OK' | 'FAIL' | 'UNKNOWN' | 'READ';

/** What the client may safely do next. */
export type RetryAdvice =
  | 'same-key'
  | 'new-key'
  | 'never'
  | 'after-fix'
  | 'after-wait'
  | 'not-needed';

/** How an outcome can be forced. A `natural` outcome results from real state. */
export type TriggerKind =
  | 'armed'
  | 'header'
  | 'scenario'
  | 'name'
  | 'card'
  | 'amount'
  | 'time'
  | 'natural';

/** What a request needs for an outcome to apply: a payment that makes a sale, a stored card, or a response with a body. */
export type Requirement = 'sale' | 'stored-card' | 'body';

/** The source that describes a behaviour. */
export type Provenance = 'seed' | 'profile' | 'transport' | 'generic-http' | 'generic' | 'sandbox';

/** What the sandbox does to apply an outcome. */
export type Effect =
  | { readonly kind: 'none' }
  /**
   * An error of the service. The token endpoint answers it in the shape of OAuth. If the parameter `body` is `html`, a
   * page with the message as its title replaces it.
   */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly name: string;
      readonly message: string;
      readonly details?: readonly { readonly field: string; readonly issue: string }[];
      readonly processor?: ProcessorResponse;
    }
  /** The token is refused. */
  | { readonly kind: 'unauthenticated'; readonly description: string }
  /** An error of the token endpoint. */
  | {
      readonly kind: 'token-error';
      readonly status: number;
      readonly error: string;
      readonly description: string;
    }
  /** A page of a proxy. */
  | { readonly kind: 'page'; readonly status: number; readonly title: string }
  /** A fault of the transport. */
  | { readonly kind: 'fault'; readonly fault: FaultName }
  /** The valid request waits for `delay` before it is executed. */
  | { readonly kind: 'wait-before-commit' }
  /** Connections are refused for a while. */
  | { readonly kind: 'refuse-connections' }
  /** A record younger than `lag` is reported as unknown. */
  | { readonly kind: 'not-visible-yet' }
  /** A replica answers. It misses the records that were made, changed or removed within `lag`. */
  | { readonly kind: 'stale-read'; readonly of: ChangeKind }
  /** A later page of a list starts `by` places too early or too late. */
  | { readonly kind: 'page-shift' }
  /** The payment is executed with another result. `answer` replaces the response. */
  | {
      readonly kind: 'payment';
      readonly overrides: PaymentOverrides;
      readonly answer?: Extract<Effect, { readonly kind: 'error' }>;
    }
  /** The refund is executed with another result. */
  | { readonly kind: 'refund'; readonly overrides: RefundOverrides }
  /** The payment is executed as usual. The event happens to its sale after `after`. */
  | { readonly kind: 'later'; readonly event: LaterEvent }
  /** The card is stored as usual. The event happens to it after `after`. */
  | { readonly kind: 'card'; readonly event: CardEvent }
  /** Another request deletes the card of the payment. The phase says which of them comes first. */
  | { readonly kind: 'card-deleted' }
  /** One request is executed twice. */
  | { readonly kind: 'twice' }
  /** The request id is ignored. */
  | { readonly kind: 'ignore-request-id' }
  /** The token has another lifetime. */
  | { readonly kind: 'token-lifetime' }
  /** The same response is written in another form. */
  | { readonly kind: 'dialect'; readonly dialect: DialectName }
  /** One of these outcomes is drawn for each attempt. */
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  /** The first outcome for `times` requests, then the last one for ever. `ok` is natural behaviour. */
  | { readonly kind: 'series'; readonly of: readonly string[] };

/** Faults of the transport. `effects/faults` implements them. */
export type FaultName =
  | 'reset'
  | 'close'
  | 'hang'
  | 'reset-if-reused'
  | 'slow-first-byte'
  | 'varying-delay'
  | 'slow-dribble'
  | 'slow-close'
  | 'truncated-body'
  | 'truncated-json'
  | 'malformed-json'
  | 'malformed-chunk'
  | 'garbage'
  | 'empty-body'
  | 'wrong-content-type'
  | 'wrong-content-encoding'
  | ReplacementName;

/** Faults that replace the response. */
export type ReplacementName = 'html-page' | 'redirect';

/** Other forms of a correct response. */
export type DialectName =
  | 'unknown-field'
  | 'unknown-enum'
  | 'shuffled-keys'
  | 'null-for-absent'
  | 'longer-ids'
  | 'extra-links'
  | 'numbers-as-strings'
  | 'other-time-precision'
  | 'clock-ahead'
  | 'clock-behind'
  | 'deprecation-headers';

/** The result of a forced payment. Its times are parameters of the outcome. */
export interface PaymentOverrides {
  readonly sale?: SaleOverride;
  /** What happens to the sale after `settleAfter`. */
  readonly settlesTo?: 'completed' | 'denied' | 'released' | 'made';
  readonly processor?: ProcessorResponse;
}

/** The result of a forced refund. */
export interface RefundOverrides {
  readonly refund: 'pending';
  /** What happens to the pending refund after `after`. */
  readonly settlesTo?: 'completed' | 'failed';
}

/** A change that a replica may miss. */
export type ChangeKind = 'made' | 'changed' | 'removed';

/** What an issuer does to a vaulted card. A closed card triggers the outcome `triggeredOutcome` from then on. */
export type CardEvent =
  | { readonly kind: 'card-is-updated' | 'card-is-replaced' }
  | { readonly kind: 'card-is-closed'; readonly triggeredOutcome: string };

/** How the money of a completed sale is taken back. */
export type LaterEvent = 'sale-reversed' | 'chargeback';

/**
 * A parameter of an outcome.
 *
 * A parameter that is named like a member of the outcome or of its effect (`phase`, `status`, `name`) sets that member.
 * `field` sets the field of the first detail, and `error` sets the whole effect.
 */
export interface Parameter {
  readonly default: string | number;
  /**
   * The type of the value. `ms` is real time, `duration` is time on the merchant's clock. Both are a number of
   * milliseconds, or a duration such as `1500ms`, `3s` or `PT1H`.
   */
  readonly type: 'ms' | 'duration' | 'count' | 'bytes' | 'seconds' | 'text';
  /** The allowed values, if not every value of the type is allowed. */
  readonly oneOf?: readonly (string | number)[];
  /** The longest allowed `ms`, if it is below the general limit. */
  readonly most?: string;
  /** What the parameter sets. */
  readonly about: string;
}

/** An outcome as programs read it. */
export interface OutcomeReading {
  readonly id: OutcomeId;
  /** How important the outcome is. Every client should handle those of tier 1. */
  readonly tier: 1 | 2 | 3;
  readonly group: string;
  readonly operations: readonly OperationPattern[];
  /** What a request needs. Without it, the outcome does not apply and a rule is not used up. */
  readonly needs?: Requirement;
  readonly triggers: readonly TriggerKind[];
  /** Card numbers that trigger the outcome once they are stored. */
  readonly cards?: readonly string[];
  /** Cardholder names that trigger the outcome, besides `SBX-<id>`. */
  readonly names?: readonly string[];
  /** Cents that trigger the outcome if magic amounts are on. */
  readonly cents?: readonly string[];
  readonly phase: Phase;
  readonly commit: Commit;
  /** What the client receives. */
  readonly response: string;
  /** What the sandbox does. Its other members depend on the kind. */
  readonly effect: { readonly kind: string };
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly concludes: Conclusion;
  readonly retry: RetryAdvice;
  /** Why it happens in production. */
  readonly cause: string;
  /** What a correct client does. */
  readonly correctClient: string;
  readonly provenance: Provenance;
}

/** An outcome of the catalogue. */
export interface Outcome extends OutcomeReading {
  readonly effect: Effect;
}
