/**
 * What control verbs take and return, made from their schemas.
 * Written by UPDATE_TYPES=1 npm run test:run -- test/contract/public-types.test.ts
 */
import type { OperationName } from '../service/operation-name.ts';
import type { FindingId } from '../finding-ids.ts';
import type { Severity } from '../constants.ts';

/** An operation, or every operation of a resource: `card.*`. */
export type OperationOrFamily =
  | OperationName
  | 'token.*'
  | 'card.*'
  | 'payment.*'
  | 'sale.*'
  | 'refund.*'
  | 'auth.*'
  | 'capture.*';

/** Conditions that an exchange of the journal meets. All of them must hold. */
export interface ExchangeMatch {
  /** One operation, or a resource: `card.*`. */
  readonly operation?: OperationOrFamily | undefined;
  /** Status of the answer: 201, or a class such as 4xx. */
  readonly status?: number | string | undefined;
  /** Name of the error. */
  readonly problem?: string | undefined;
  /** Id of an outcome that was forced on it. */
  readonly outcome?: string | undefined;
  /** Kind of a warning on it. */
  readonly warning?:
    | 'real-looking-card'
    | 'live-looking-credential'
    | 'card-number-in-text'
    | undefined;
  /** Id of its card. */
  readonly card?: string | undefined;
  /** Id of the record that it created or returned. */
  readonly subject?: string | undefined;
  /** Key of its purchase. */
  readonly intent?: string | undefined;
  /** Its PayPal-Request-Id. */
  readonly requestId?: string | undefined;
  /** Its debug id. */
  readonly debugId?: string | undefined;
  /** Not before this time on the merchant's clock. */
  readonly from?: number | string | undefined;
  /** Not after this time on the merchant's clock. */
  readonly until?: number | string | undefined;
  /** Whether the answer repeats that of an earlier request. */
  readonly replayed?: boolean | 'true' | 'false' | undefined;
  /** Whether it changed any record. */
  readonly committed?: boolean | 'true' | 'false' | undefined;
  /** What the client could conclude from what it received. */
  readonly concludes?: 'OK' | 'FAIL' | 'UNKNOWN' | undefined;
  /** Whether the answer reached the client. */
  readonly delivery?: 'open' | 'delivered' | 'cut' | 'lost' | undefined;
}

/** Which exchanges of the journal to list. */
export interface JournalQuery extends ExchangeMatch {
  /** How many to list at most, the latest ones. */
  readonly limit?: number | string | undefined;
}

/** How many exchanges to expect, or in which order. */
export interface VerifyOptions {
  /** Which exchanges to count. */
  readonly match?: ExchangeMatch | undefined;
  /** The exact number. Default: at least one. */
  readonly times?: number | string | undefined;
  /** The smallest number. */
  readonly atLeast?: number | string | undefined;
  /** The largest number. */
  readonly atMost?: number | string | undefined;
  /** Exchanges that must arrive in this order; others may come between them. */
  readonly sequence?: readonly ExchangeMatch[] | undefined;
  /** Members of bodies that the exchanges of `match` must have. */
  readonly fields?: { readonly [key: string]: string | number | boolean | null } | undefined;
}

/** A finding that is counted but does not fail a verdict. */
export interface Suppression {
  /** Id of a finding. */
  readonly rule: FindingId;
  /** Why the finding is accepted. */
  readonly reason: string;
  /** The last day of the suppression, on the calendar of the machine. */
  readonly until?: string | undefined;
}

/** Options of a verdict, without expectations. */
export interface BaseVerdictOptions {
  /** The lowest severity of a finding that fails the verdict. Default `high`. */
  readonly failOn?: 'critical' | 'high' | 'medium' | undefined;
  /** Findings that are counted but do not fail. */
  readonly suppress?: readonly Suppression[] | undefined;
  /** What your code reports about purchases, by invoice number or `custom`, and about a payment, sale, authorization or capture, by its id. */
  readonly beliefs?: { readonly [key: string]: 'paid' | 'not-paid' | 'unknown' } | undefined;
  /** Do not fail on rules that never fired, gates that did not fill or timeline events without effect. Default false. */
  readonly allowUnfired?: boolean | undefined;
  /** Do not fail if the journal has dropped exchanges. Default false. */
  readonly allowDropped?: boolean | undefined;
  /** Do not fail if the merchant sent no requests. Default false. */
  readonly allowNoRequests?: boolean | undefined;
  /** How long the real service is assumed to take for a payment, in milliseconds. Equal requests on different connections within this time count as sent at the same time, unless it is known that the second waited for the first. Default 1000. */
  readonly serviceTimeMs?: number | undefined;
  /** How far ahead pending sales and refunds are settled for the verdict: a duration, such as `P3D` or `12h`, or milliseconds; 0 settles none. The world does not change. Default `P3D`. */
  readonly settle?: string | number | undefined;
  /** How long to wait for open exchanges, in milliseconds. Default 500. */
  readonly waitMs?: number | undefined;
}

/** How often each operation was called, and how often each outcome happened on it. */
export interface Coverage {
  readonly format: 'card-vault-sandbox/coverage';
  readonly version: 1;
  /** How often each operation was called. */
  readonly operations: { readonly [key in OperationName]?: number };
  /** How often each outcome happened, by operation. */
  readonly tried: { readonly [key in OperationName]?: { readonly [key: string]: number } };
}

/** What was charged and given back in one currency, in minor units. */
export interface Turnover {
  readonly currency: string;
  /** Sales and captures. */
  readonly chargedMinor: number;
  /** Minor units. */
  readonly refundedMinor: number;
  /** Taken back by reversals. */
  readonly reversedMinor: number;
  /** Taken back by disputes, minus those that the merchant won. */
  readonly chargedBackMinor: number;
  /** What the merchant received minus what went back. */
  readonly netMinor: number;
}

/** Totals of a ledger, with a row for each currency. Each of the three sums to what the merchant has. */
export interface LedgerTotals {
  readonly cards: readonly (Turnover & {
    /** Absent for cards that were never stored. */
    readonly cardId?: string | undefined;
  })[];
  readonly customers: readonly (Turnover & {
    /** The external_customer_id, or payer_id, of the payments; absent if they have none. */
    readonly customerId?: string | undefined;
  })[];
  /** One purchase as the buyer sees it. A payment without an invoice number or `custom`, whose request the journal has dropped, is a purchase of its own. */
  readonly purchases: readonly (Turnover & {
    /** As in a verdict. */
    readonly key: string;
    /** Its invoice number, `custom` or description. */
    readonly label: string;
    readonly paymentIds: readonly string[];
  })[];
}

/** One finding of a verdict. */
export interface Finding {
  readonly rule: FindingId;
  readonly severity: Severity;
  readonly confidence: 'certain' | 'likely' | 'possible';
  /** What happened, in one sentence. */
  readonly what: string;
  /** What to do, in one sentence. */
  readonly remedy: string;
  /** Debug ids of the exchanges that show it. */
  readonly evidence: readonly string[];
  /** Key of the purchase it is about. */
  readonly intent?: string | undefined;
  /** Id of the card, sale or other record that its first exchange names. */
  readonly subject?: string | undefined;
  /** Why the finding is suppressed, if it is. */
  readonly suppressed?: string | undefined;
}

/** An amount of money. */
export interface VerdictMoney {
  readonly total: string;
  readonly currency: string;
}

/** One purchase as the buyer sees it, and its money. */
export interface Purchase {
  readonly key: string;
  /** Its invoice number, `custom` or description. */
  readonly label: string;
  readonly amount?: VerdictMoney | undefined;
  /** If there are more than 200, the first and the last hundred. */
  readonly attempts: readonly {
    readonly debugId: string;
    /** An attempt to pay, or a later request about its payment. */
    readonly operation: string;
    /** On the merchant's clock. */
    readonly at: string;
    readonly requestId?: string | undefined;
    /** 0 while there is no answer. */
    readonly status: number;
    readonly problem?: string | undefined;
    /** What the client could conclude from what it received. */
    readonly concludes: 'OK' | 'FAIL' | 'UNKNOWN';
    /** Whether it changed any record, whatever the answer was. */
    readonly committed: boolean;
    /** Whether the answer repeats that of an earlier request. */
    readonly replayed: boolean;
    /** Ids of the outcomes forced on it. */
    readonly outcomes: readonly string[];
    readonly delivery: 'open' | 'delivered' | 'cut' | 'lost';
    /** The gates that held it, and when it ended. */
    readonly held?:
      | {
          readonly holds: readonly {
            readonly gate: string;
            readonly at: 'before-commit' | 'before-answer';
            /** Its position in the order of arrival at the gate. */
            readonly arrived: number;
            /** Its position in the order of release. */
            readonly released: number;
            /** `release`: a test did; `filled`: all requests of the gate came; `timeout`: its time was over; `end`: the merchant was reset or the sandbox closed. */
            readonly releasedBy: 'release' | 'filled' | 'timeout' | 'end';
          }[];
          /** On the merchant's clock. */
          readonly endedAt: string;
          /** Debug id of the last request of the purchase that had come by then. */
          readonly after: string;
          /** When the client left, if it did not wait. */
          readonly leftAt?: string | undefined;
        }
      | undefined;
  }[];
  /** How many are left out between those. */
  readonly attemptsLeftOut?: number | undefined;
  /** Limited like the attempts. */
  readonly charges: readonly {
    /** Id of the sale or capture. */
    readonly id: string;
    readonly paymentId: string;
    /** Debug id of the attempt that created it. */
    readonly createdBy: string;
    /** On the merchant's clock. */
    readonly at: string;
    readonly amount: VerdictMoney;
    readonly refunded: VerdictMoney;
    readonly state: string;
    /** What the merchant keeps of it. */
    readonly net: VerdictMoney;
    /** Whether the client learned of it; `unsure` if exchanges that were dropped would decide it. */
    readonly known: 'answered' | 'read' | 'never' | 'unsure';
    /** The first exchange that disclosed it to the client. */
    readonly disclosedBy?:
      | {
          readonly debugId: string;
          /** On the merchant's clock. */
          readonly at: string;
          /** By the answer to the attempt that created it, by a repeat of that answer, by a read of the record, or by a list. */
          readonly how: 'answer' | 'replay' | 'show' | 'list';
        }
      | undefined;
  }[];
  readonly chargesLeftOut?: number | undefined;
  readonly belief?: 'paid' | 'not-paid' | 'unknown' | undefined;
}

/** What happened to the money of a merchant. */
export interface Verdict {
  readonly merchant: string;
  /** On the merchant's clock. */
  readonly at: string;
  readonly passed: boolean;
  readonly failOn: 'critical' | 'high' | 'medium';
  /** Why it failed. */
  readonly reasons: readonly {
    readonly kind:
      | 'finding'
      | 'expectation'
      | 'belief'
      | 'unfired-rule'
      | 'unfilled-gate'
      | 'missed-event'
      | 'no-requests'
      | 'merchants-full'
      | 'dropped-exchanges'
      | 'open-exchanges';
    /** One sentence. */
    readonly text: string;
  }[];
  /** The most severe first. */
  readonly findings: readonly Finding[];
  /** Suppressions that have expired, of rules with findings; absent if there are none. */
  readonly expiredSuppressions?:
    | readonly {
        readonly rule: FindingId;
        readonly reason: string;
        /** Its last day. */
        readonly until: string;
        /** How many findings it would suppress. */
        readonly findings: number;
      }[]
    | undefined;
  readonly expectations: readonly {
    readonly place: string;
    readonly expected: string;
    readonly found: string;
    /** Also false if it cannot be judged. */
    readonly ok: boolean;
  }[];
  readonly unfired: readonly {
    readonly rule: string;
    readonly why: string;
  }[];
  /** Gates to which fewer requests came than they wait for. */
  readonly unfilled: readonly {
    readonly gate: string;
    /** How many requests it held. */
    readonly came: number;
    /** How many it waited for. */
    readonly count: number;
  }[];
  /** Timeline events of the scenario without effect. */
  readonly missed: readonly {
    /** Its place in the scenario. */
    readonly place: string;
    readonly event: string;
    readonly why: string;
  }[];
  /** Sales and refunds that were pending at the time of the verdict, 100 at most. */
  readonly pending?:
    | readonly {
        readonly id: string;
        readonly kind: 'sale' | 'refund';
        readonly amount: VerdictMoney;
        /** What the verdict counts it as: its state at the end of `settle`. */
        readonly becomes: 'completed' | 'denied' | 'failed' | 'pending';
      }[]
    | undefined;
  /** Money that moved since the start, with refunds of fixture sales. */
  readonly totals: readonly {
    readonly currency: string;
    readonly charged: string;
    readonly returned: string;
    readonly net: string;
    /** The part of `returned` that belongs to sales of fixtures, a snapshot or an import; absent if there is none. */
    readonly returnedOfOthers?: string | undefined;
    /** What the merchant keeps of orders that were charged more than once, beyond their amounts. Counts `double-charge` findings that are certain or likely and not suppressed; absent if nothing. */
    readonly excess?: string | undefined;
    /** What refunds returned although it had been returned before. Counts `double-refund` and `refund-and-chargeback` findings that are certain or likely and not suppressed, except for orders that were charged more than once; absent if nothing. */
    readonly excessRefunded?: string | undefined;
  }[];
  /** Those with findings, and the latest others, 100 in all. */
  readonly purchases: readonly Purchase[];
  readonly counts: {
    readonly requests: number;
    readonly dropped: number;
    readonly open: number;
    readonly purchases: number;
    readonly findings: { readonly [key in Severity]?: number };
    readonly suppressed: number;
    /** How many more findings there are beyond the hundred most severe of each rule. */
    readonly findingsLeftOut?: number | undefined;
    /** How many more sales and refunds were pending than `pending` lists. */
    readonly pendingLeftOut?: number | undefined;
  };
  /** Outcomes that were forced, by operation. */
  readonly tried: readonly {
    readonly operation: string;
    readonly outcome: string;
    /** On how many requests it was forced. */
    readonly seen: number;
  }[];
}
