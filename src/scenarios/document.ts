/**
 * Scenario documents as people write them, made from their schema.
 * Written by UPDATE_TYPES=1 npm run test:run -- test/contract/public-types.test.ts
 */
import type { OperationName } from '../contract/service/operation-name.ts';
import type { OutcomeIdOrOk } from '../outcomes/outcome-id.ts';
import type { FindingId } from '../contract/finding-ids.ts';
import type { Brand } from '../domain/card/brand.ts';

/** An operation, a family such as `card.*`, `any-write` or `any`. */
export type OperationWord =
  | OperationName
  | 'token.*'
  | 'card.*'
  | 'payment.*'
  | 'sale.*'
  | 'refund.*'
  | 'auth.*'
  | 'capture.*'
  | 'any-write'
  | 'any'
  | '*';

/** Parameters of an outcome. */
export type ParametersDocument = { readonly [key: string]: string | number };

/** An outcome, with its parameters if it has any. */
export type SimpleStepDocument =
  | OutcomeIdOrOk
  | {
      /** Outcome of the catalogue, or ok for natural behaviour. */
      readonly outcome: OutcomeIdOrOk;
      /** Parameters of the outcome. Each is text or a number. */
      readonly with?: ParametersDocument | undefined;
    };

/** What a rule does to one attempt. */
export type StepDocument =
  | OutcomeIdOrOk
  | {
      /** Outcome of the catalogue, or ok for natural behaviour. */
      readonly outcome: OutcomeIdOrOk;
      /** Parameters of the outcome. Each is text or a number. */
      readonly with?: ParametersDocument | undefined;
      /** Second outcome of the same request: one about money, one about the transport. */
      readonly and?: SimpleStepDocument | undefined;
    }
  | {
      /** Outcomes of which one is drawn for each request. */
      readonly oneOf: readonly SimpleStepDocument[];
    };

/** Conditions of a rule or a gate. */
export type MatchDocument = {
  readonly [key: string]:
    | string
    | number
    | boolean
    | {
        /** Equal to this value. */
        readonly eq?: string | number | boolean | undefined;
        /** Not equal to this value. */
        readonly ne?: string | number | boolean | undefined;
        /** Greater than this number or duration. */
        readonly gt?: string | number | undefined;
        /** At least this number or duration. */
        readonly gte?: string | number | undefined;
        /** Less than this number or duration. */
        readonly lt?: string | number | undefined;
        /** At most this number or duration. */
        readonly lte?: string | number | undefined;
        /** One of these values. */
        readonly in?: readonly (string | number | boolean)[] | undefined;
        /** Regular expression without lookaheads and backreferences. Text of more than 1024 characters never matches. */
        readonly matches?: string | undefined;
        /** Whether the value must exist. */
        readonly exists?: boolean | undefined;
      };
};

/** Which outcome happens to which requests. */
export interface RuleDocument {
  /** Name of the rule in reports, 128 characters at most. Default: a numbered name. */
  readonly name?: string | undefined;
  /** Operation that the rule applies to, or a list of operations. */
  readonly op: OperationWord | readonly OperationWord[];
  /** Conditions that must all hold, by a path into the body, header:<name>, path:<name>, or a value such as $card. */
  readonly match?: MatchDocument | undefined;
  /** Whose requests are counted together: those of one purchase (intent), one card, one sale, or all of the merchant. Default: merchant. */
  readonly per?: 'intent' | 'card' | 'sale' | 'merchant' | undefined;
  /** Only this request fires the rule: 2 is the second request of the operation that fits match. */
  readonly nth?: number | undefined;
  /** How often the rule may fire in total. */
  readonly times?: number | undefined;
  /** Probability that the rule fires, from 0 to 1. The seed, the purchase and its attempt decide each draw. */
  readonly probability?: number | undefined;
  /** When the rule starts to apply. Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as 2026-05-06T07:08:09Z. */
  readonly after?: string | undefined;
  /** When the rule stops to apply. Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as 2026-05-06T07:08:09Z. */
  readonly before?: string | undefined;
  /** State of the scenario in which the rule applies. */
  readonly while?: string | undefined;
  /** What happens: one step, or a list with one step for each request. The last step repeats. */
  readonly then?: StepDocument | readonly StepDocument[] | undefined;
  /** What happens to every matching response, in addition to other outcomes. */
  readonly always?: readonly SimpleStepDocument[] | undefined;
  /** Parameters for every outcome of this rule that has them. Values in "with" take precedence. */
  readonly params?: ParametersDocument | undefined;
  /** Milliseconds of real time after which the rule expires. Default: never. */
  readonly ttlMs?: number | undefined;
  /** If true, the rule is not reported when it never fires. */
  readonly optional?: boolean | undefined;
}

/** Which requests are held, and where. */
export interface GateDocument {
  /** Name of the gate in reports, 128 characters at most. Default: a numbered name. */
  readonly name?: string | undefined;
  /** Operation whose requests are held, or a list of operations. */
  readonly op: OperationWord | readonly OperationWord[];
  /** Conditions that must all hold, by a path into the body, header:<name>, path:<name>, or a value such as $card. */
  readonly match?: MatchDocument | undefined;
  /** How many requests the gate holds, from 1 to 100. */
  readonly count: number;
  /** Where requests are held: before-commit, once they are valid, or before-answer, once their answer is ready. Default: before-commit. */
  readonly at?: 'before-commit' | 'before-answer' | undefined;
  /** Real time in milliseconds without a further request, after which the gate releases what it holds. Default: 3000. */
  readonly timeoutMs?: number | undefined;
  /** Releases the requests as soon as all came, in this order: arrival, reverse, or their numbers in order of arrival, such as [3, 1, 2]. Default: they wait for a release. */
  readonly release?: 'arrival' | 'reverse' | readonly number[] | undefined;
  /** If true, the gate is not reported when fewer requests come. */
  readonly optional?: boolean | undefined;
}

/** A card that is in the vault when the scenario starts. */
export interface GivenCardDocument {
  /** Name of the card in this scenario. */
  readonly ref: string;
  /** Full card number, 12 to 19 digits in quotes. Only published test numbers. */
  readonly number: string;
  /** Brand of the card. */
  readonly type: Brand;
  /** Month of expiry in quotes, such as 2031-05. */
  readonly expire: string;
  /** Up to 25 characters. */
  readonly first_name?: string | undefined;
  /** Up to 25 characters. */
  readonly last_name?: string | undefined;
  readonly billing_address?:
    | {
        readonly line1: string;
        readonly line2?: string | undefined;
        readonly city: string;
        readonly state?: string | undefined;
        readonly postal_code?: string | undefined;
        readonly country_code: string;
        readonly phone?: string | undefined;
      }
    | undefined;
  /** Your id of the customer. Payments with this card must send the same id. */
  readonly external_customer_id?: string | number | undefined;
  /** When the vault stops to accept the card. Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as 2026-05-06T07:08:09Z. */
  readonly validUntil?: string | undefined;
}

/** Money that should have moved. */
export interface MoneyExpectationsDocument {
  /** Money that was charged, such as 18.00 USD. */
  readonly charged?: string | readonly string[] | undefined;
  /** Money that refunds returned, such as 18.00 USD. */
  readonly refunded?: string | readonly string[] | undefined;
  /** Money that the merchant keeps, such as 18.00 USD: charges minus refunds, reversals and chargebacks. */
  readonly net?: string | readonly string[] | undefined;
  /** Money that authorizations still hold, such as 18.00 USD: not captured, voided or expired. */
  readonly authorized?: string | readonly string[] | undefined;
}

/** What should be true in the end. */
export interface ExpectationsDocument extends MoneyExpectationsDocument {
  /** Sales made by requests in the journal. Sales of fixtures, and sales before a restore or an import, are not counted. */
  readonly sales?:
    | {
        /** Number of sales in total. */
        readonly total?: number | string | undefined;
        /** Number of sales for each purchase. */
        readonly perIntent?: number | string | undefined;
        /** Count by card: the ref of a given card, or the id of any card. */
        readonly byCard?: { readonly [key: string]: number | string } | undefined;
        /** Number of sales by state. */
        readonly states?:
          | { readonly [key in 'pending' | 'completed' | 'denied' | 'refunded']?: number | string }
          | undefined;
        /** Number of sales with a card after a time, by ref or card id. */
        readonly onCard?:
          | {
              readonly [key: string]: {
                /** When the count starts. RFC 3339 time in quotes, such as 2026-05-06T07:08:09Z. */
                readonly after: string;
                /** Number, or a bound in quotes such as "<=2". */
                readonly count: number | string;
              };
            }
          | undefined;
        /** Number of sales with deleted cards. */
        readonly onDeletedCard?: number | string | undefined;
      }
    | undefined;
  /** Number of sales that no response disclosed to the client. */
  readonly orphans?: number | string | undefined;
  /** Number of payment attempts. */
  readonly attempts?:
    | {
        /** Number, or a bound in quotes such as "<=2". */
        readonly perIntent?: number | string | undefined;
        /** Count by card: the ref of a given card, or the id of any card. */
        readonly byCard?: { readonly [key: string]: number | string } | undefined;
      }
    | undefined;
  /** Number of requests by operation, such as token.create: "<=4". */
  readonly requests?: { readonly [key: string]: number | string } | undefined;
  /** Operations whose retries must send the request id of the first attempt. */
  readonly sameRequestId?: readonly string[] | undefined;
  /** Refunds of sales and captures. */
  readonly refunds?:
    | {
        /** Number of refunds in total. */
        readonly total?: number | string | undefined;
        /** Refunds of each sale. */
        readonly perSale?:
          | {
              /** Number of refunds. */
              readonly count?: number | string | undefined;
              /** Sum of the refunds, compared with the sale. */
              readonly total?: '<=sale' | '=sale' | undefined;
            }
          | undefined;
      }
    | undefined;
  /** balanced, or the most that one sale may lose, such as "<=1x". */
  readonly ledger?:
    | 'balanced'
    | {
        readonly lossPerSale: string;
      }
    | undefined;
  /** Money of single purchases, by invoice number, custom, request id, or id of the payment. */
  readonly purchases?: { readonly [key: string]: MoneyExpectationsDocument } | undefined;
  /** Cards in the vault. */
  readonly cards?:
    | {
        /** Number, or a bound in quotes such as "<=2". */
        readonly perPan?: number | string | undefined;
        /** Number, or a bound in quotes such as "<=2". */
        readonly total?: number | string | undefined;
      }
    | undefined;
  /** Findings that the verdict must not report. */
  readonly findings?:
    | {
        readonly none: readonly FindingId[];
      }
    | undefined;
  /** Number of orders that the client claims as paid without a sale. */
  readonly beliefs?:
    | {
        /** Number, or a bound in quotes such as "<=2". */
        readonly paidWithoutCompletedSale: number | string;
      }
    | undefined;
}

/** A scenario: rules, a timeline, and what should be true in the end. */
export interface ScenarioDocument {
  /** JSON Schema for editors. The sandbox ignores it. */
  readonly $schema?: string | undefined;
  /** Name of this scenario. */
  readonly scenario: string;
  /** Version of the scenario format: 1. */
  readonly version: 1;
  /** What the scenario is for, in one sentence. */
  readonly about?: string | undefined;
  /** Seed of random draws. Default: the seed of the sandbox. */
  readonly seed?: number | string | undefined;
  /** The merchant's clock. */
  readonly clock?:
    | {
        /** real: the clock runs with real time. virtual: the clock stands still until it is advanced. */
        readonly mode?: 'real' | 'virtual' | undefined;
        /** When the scenario starts. RFC 3339 time in quotes, such as 2026-05-06T07:08:09Z. */
        readonly start?: string | undefined;
        /** Whether the clock stands still at the start. */
        readonly frozen?: boolean | undefined;
      }
    | undefined;
  /** Starting data: a built-in set (default, empty, shop), a file or a folder. */
  readonly fixtures?: string | undefined;
  /** Cards that are in the vault at the start. */
  readonly given?:
    | {
        /** Cards in the vault. */
        readonly cards: readonly GivenCardDocument[];
      }
    | undefined;
  /** States of the service. The first one is the initial state. */
  readonly states?: readonly string[] | undefined;
  /** State changes and events by the merchant's clock. */
  readonly timeline?:
    | readonly (
        | {
            /** When the event happens. Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as 2026-05-06T07:08:09Z. */
            readonly at: string;
            /** Event of a sale or a card, such as sale-reversed-later. */
            readonly event: string;
            /** Which sale the event happens to, including sales of fixtures: first, last, every, or { purchase, requestId, id, nth }. Default: last. */
            readonly sale?:
              | 'first'
              | 'last'
              | 'every'
              | {
                  /** Invoice number or custom of the purchase. */
                  readonly purchase?: string | undefined;
                  /** PayPal-Request-Id of the request that made the sale. */
                  readonly requestId?: string | undefined;
                  /** Id of the sale or of its payment. */
                  readonly id?: string | undefined;
                  /** Which of these sales, counted from 1. Default: the last one. */
                  readonly nth?: number | undefined;
                }
              | undefined;
            /** Given card of the event. For a sale: only sales with this card. */
            readonly card?: string | undefined;
            /** Parameters of the outcome. Each is text or a number. */
            readonly with?: ParametersDocument | undefined;
            /** If true, the event is not reported when it has no effect. */
            readonly optional?: boolean | undefined;
          }
        | {
            /** When the state changes. Duration from the scenario's start, such as +5s or +P20D, or RFC 3339 time, such as 2026-05-06T07:08:09Z. */
            readonly at: string;
            /** State that the scenario changes to. */
            readonly goto: string;
          }
      )[]
    | undefined;
  /** Rules that decide what happens to requests. The first rule that fires wins. */
  readonly rules?: readonly RuleDocument[] | undefined;
  /** Gate that holds requests so that they overlap, or a list of gates. */
  readonly hold?: GateDocument | readonly GateDocument[] | undefined;
  /** Expectations that a verdict checks. */
  readonly expect?: ExpectationsDocument | undefined;
}
