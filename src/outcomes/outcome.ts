/** What an outcome is: one row of the catalogue, which everything else reads. */
import type { OperationName } from '../contract/service/operations.ts';
import type { ProcessorResponse, SaleOverride } from '../domain/payment/overrides.ts';
import type { OutcomeId } from './outcome-id.ts';

/** An operation, a family of them, every one that writes, or every one. */
export type OperationPattern = OperationName | 'card.*' | 'payment.*' | 'any-write' | 'any';

/** Where in the hall an outcome steps in. */
export type Phase =
  /** Arises by itself from real state; nothing is forced. */
  | 'natural'
  /** Before token, shape and domain: the request is not looked at. */
  | 'before-read'
  /** The request is valid and would be carried out; it is not. */
  | 'before-commit'
  /** It was carried out, in this form or in another. */
  | 'after-commit'
  /** The answer is as it would be, but for its form. */
  | 'answer'
  /** Comes later, on the merchant's clock. */
  | 'later';

/** What the ledger holds afterwards. */
export type Commit =
  'never' | 'committed' | 'as-normal' | 'twice' | 'deferred' | 'replay' | 'mixed';

/** What a client may conclude from what reached it. */
export type Conclusion = 'OK' | 'FAIL' | 'UNKNOWN' | 'READ';

/** What is safe to do next. */
export type RetryAdvice =
  'same-key' | 'new-key' | 'never' | 'after-fix' | 'after-wait' | 'not-needed';

/** How an outcome can be asked for: `natural` ones cannot. */
export type TriggerKind =
  'armed' | 'header' | 'scenario' | 'name' | 'card' | 'amount' | 'time' | 'natural';

/**
 * What a request must have for an outcome to befall it: a payment a sale of its own, or a card of the vault; any request
 * an answer that leaves with its body, which one to HEAD does not.
 */
export type Requirement = 'sale' | 'stored-card' | 'body';

/** Where a behaviour comes from. */
export type Provenance = 'seed' | 'profile' | 'transport' | 'generic-http' | 'generic' | 'sandbox';

/** What the machine does to bring an outcome about. */
export type Effect =
  | { readonly kind: 'none' }
  /**
   * An error of the service, in its own shape; at the token endpoint in that of OAuth. Where the parameter `body` is
   * `html`, a page instead, with the message as its title.
   */
  | {
      readonly kind: 'error';
      readonly status: number;
      readonly name: string;
      readonly message: string;
      readonly details?: readonly { readonly field: string; readonly issue: string }[];
      readonly processor?: ProcessorResponse;
    }
  /** A token that is not accepted. */
  | { readonly kind: 'unauthenticated'; readonly description: string }
  /** An error of the token endpoint. */
  | {
      readonly kind: 'token-error';
      readonly status: number;
      readonly error: string;
      readonly description: string;
    }
  /** A page of something in between. */
  | { readonly kind: 'page'; readonly status: number; readonly title: string }
  /** What the wire does to an answer, or in place of one. */
  | { readonly kind: 'fault'; readonly fault: FaultName }
  /** No connection is taken for a while. */
  | { readonly kind: 'refuse-connections' }
  /** A record younger than `lag` is answered as unknown. */
  | { readonly kind: 'not-visible-yet' }
  /**
   * A list is answered from a replica that has not heard yet of what was made, changed or removed within `lag`; so is
   * a read of one record.
   */
  | { readonly kind: 'stale-read'; readonly of: ChangeKind }
  /** A page that is not the first begins `by` places too early or too late. */
  | { readonly kind: 'page-shift' }
  /** The payment is made, but comes out in another way; `answer` stands in the place of what would be said of it. */
  | {
      readonly kind: 'payment';
      readonly overrides: PaymentOverrides;
      readonly answer?: Extract<Effect, { readonly kind: 'error' }>;
    }
  /** The refund is made, but comes out in another way. */
  | { readonly kind: 'refund'; readonly overrides: RefundOverrides }
  /** The payment is made as it would be; this befalls its sale once `after` has passed. */
  | { readonly kind: 'later'; readonly event: LaterEvent }
  /** The card is stored as it would be; this befalls it once `after` has passed. */
  | { readonly kind: 'card'; readonly event: CardEvent }
  /** Somebody else deletes the card that is paid with; the phase says who comes first. */
  | { readonly kind: 'card-deleted' }
  /** Carried out twice from one request. */
  | { readonly kind: 'twice' }
  /** The request id is not looked at. */
  | { readonly kind: 'ignore-request-id' }
  /** The token answer, with another lifetime. */
  | { readonly kind: 'token-lifetime' }
  /** The same answer, written in another way. */
  | { readonly kind: 'dialect'; readonly dialect: DialectName }
  /** A member of this step's list is drawn each time. */
  | { readonly kind: 'choice'; readonly of: readonly string[] }
  /** Other outcomes, one after another, `ok` for none: the first for as many requests as `times` says, the last for good. */
  | { readonly kind: 'series'; readonly of: readonly string[] };

/** Faults of the wire: one file each in `faults/`. */
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

/** Faults that put something else in the place of an answer. */
export type ReplacementName = 'html-page' | 'redirect';

/** Other ways to write a right answer. */
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

/** How a payment comes out; times are parameters. */
export interface PaymentOverrides {
  readonly sale?: SaleOverride;
  /** What becomes of the sale once `settleAfter` has passed. */
  readonly settlesTo?: 'completed' | 'denied' | 'released' | 'made';
  readonly processor?: ProcessorResponse;
}

export interface RefundOverrides {
  readonly refund: 'pending';
  /** What a pending refund becomes once `after` has passed. */
  readonly settlesTo?: 'completed' | 'failed';
}

/** What a replica may not have heard of. */
export type ChangeKind = 'made' | 'changed' | 'removed';

/** What an issuer does to a vaulted card; a closed one asks for the outcome from then on. */
export type CardEvent =
  | { readonly kind: 'card-is-updated' | 'card-is-replaced' }
  | { readonly kind: 'card-is-closed'; readonly asksFor: string };

/** What takes the money of a completed sale away again. */
export type LaterEvent = 'sale-reversed' | 'chargeback';

/**
 * A parameter of an outcome. One with the name of a member of the outcome or of its effect (`phase`, `status`, `name`)
 * takes that member's place; `field` takes that of the first detail's field, `error` that of the effect.
 */
export interface Parameter {
  readonly default: string | number;
  /**
   * `ms` is time of this machine, `duration` time of the merchant's clock. Both are milliseconds, ISO 8601, or forms
   * like `1500ms` and `3s`.
   */
  readonly type: 'ms' | 'duration' | 'count' | 'bytes' | 'seconds' | 'text';
  /** The values it may have, where not every one of its type will do. */
  readonly oneOf?: readonly (string | number)[];
  /** The longest that an `ms` may be, where that is less than for any other. */
  readonly most?: string;
  readonly about: string;
}

export interface Outcome {
  readonly id: OutcomeId;
  readonly tier: 1 | 2 | 3;
  readonly group: string;
  readonly operations: readonly OperationPattern[];
  /** What else a request must have. Where it has not, the outcome is neither brought about nor used up. */
  readonly needs?: Requirement;
  readonly triggers: readonly TriggerKind[];
  /** Card numbers that ask for it, when stored. */
  readonly cards?: readonly string[];
  /** First names that ask for it, beside `SBX-<id>`. */
  readonly names?: readonly string[];
  /** Two digits after the point that ask for it, where magic amounts are on. */
  readonly cents?: readonly string[];
  readonly phase: Phase;
  readonly commit: Commit;
  /** The wire form in words. */
  readonly wire: string;
  readonly effect: Effect;
  readonly parameters: Readonly<Record<string, Parameter>>;
  readonly concludes: Conclusion;
  readonly retry: RetryAdvice;
  readonly cause: string;
  readonly correctClient: string;
  readonly provenance: Provenance;
}
