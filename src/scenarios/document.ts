/**
 * Scenario documents as people write them, made from their schema.
 * Written by UPDATE_TYPES=1 npm run test:run -- test/contract/public-types.test.ts
 */
import type { OutcomeIdOrOk } from '../outcomes/outcome-id.ts';
import type { FindingId } from '../contract/constants.ts';
import type { Brand } from '../domain/card/brand.ts';

/** An operation, a family such as `card.*`, `any-write` or `any`. */
export type OperationWord =
  | 'token.create'
  | 'card.create'
  | 'card.list'
  | 'card.get'
  | 'card.update'
  | 'card.delete'
  | 'payment.create'
  | 'payment.list'
  | 'payment.get'
  | 'payment.update'
  | 'sale.get'
  | 'sale.refund'
  | 'sale.refunds'
  | 'refund.get'
  | 'auth.get'
  | 'auth.capture'
  | 'auth.void'
  | 'auth.reauthorize'
  | 'capture.get'
  | 'capture.refund'
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

/** An outcome, with its parameters if it has any. */
export type SimpleStepDocument =
  | OutcomeIdOrOk
  | {
      /** An outcome of the catalogue, or ok for natural behaviour. */
      readonly outcome: OutcomeIdOrOk;
      /** Parameters of the outcome, each a text or a number. */
      readonly with?: { readonly [key: string]: string | number } | undefined;
    };

/** What a rule does to one attempt. */
export type StepDocument =
  | OutcomeIdOrOk
  | {
      /** An outcome of the catalogue, or ok for natural behaviour. */
      readonly outcome: OutcomeIdOrOk;
      /** Parameters of the outcome, each a text or a number. */
      readonly with?: { readonly [key: string]: string | number } | undefined;
      /** Another outcome of the same answer: of the money beside one of the wire. */
      readonly and?: SimpleStepDocument | undefined;
    }
  | {
      /** One of these is drawn each time. */
      readonly oneOf: readonly SimpleStepDocument[];
    };

/** Which outcome happens to which requests. */
export interface RuleDocument {
  /** What the rule is called in reports. */
  readonly name?: string | undefined;
  /** The operation that the rule is about, or a list of them. */
  readonly op: OperationWord | readonly OperationWord[];
  /** Conditions that must all hold: a path into the body, header:<name>, path:<name>, or a value like $card. */
  readonly match?:
    | {
        readonly [key: string]:
          | string
          | number
          | boolean
          | {
              readonly eq?: string | number | boolean | undefined;
              readonly ne?: string | number | boolean | undefined;
              readonly gt?: string | number | undefined;
              readonly gte?: string | number | undefined;
              readonly lt?: string | number | undefined;
              readonly lte?: string | number | undefined;
              readonly in?: readonly (string | number | boolean)[] | undefined;
              /** A regular expression; texts of more than 1024 characters meet none. */
              readonly matches?: string | undefined;
              readonly exists?: boolean | undefined;
            };
      }
    | undefined;
  /** Whose attempts are counted together. Without it: intent, which is a purchase. */
  readonly per?: 'intent' | 'card' | 'sale' | 'merchant' | undefined;
  /** Only this attempt, counted from 1. */
  readonly nth?: number | undefined;
  /** How often the rule may fire in all. */
  readonly times?: number | undefined;
  /** How likely it fires, from 0 to 1. Drawn from the seed. */
  readonly probability?: number | undefined;
  /** When it begins to hold. A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like 2026-05-06T07:08:09Z. */
  readonly after?: string | undefined;
  /** When it ends to hold. A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like 2026-05-06T07:08:09Z. */
  readonly before?: string | undefined;
  /** The state in which it holds. */
  readonly while?: string | undefined;
  /** What happens: one step, or a list with one step an attempt; the last repeats. */
  readonly then?: StepDocument | readonly StepDocument[] | undefined;
  /** What happens to every matching answer, beside whatever else does. */
  readonly always?: readonly SimpleStepDocument[] | undefined;
  /** Parameters of every outcome of this rule that has them; with comes before. */
  readonly params?: { readonly [key: string]: string | number } | undefined;
  /** Machine time after which the rule is gone. Like 800ms, 30s, 5m or PT1H; a number is milliseconds. */
  readonly ttl?: string | number | undefined;
  /** true: it is no mistake when the rule never fires. */
  readonly optional?: boolean | undefined;
}

/** A card that is in the vault when the scenario starts. */
export interface GivenCardDocument {
  /** What this scenario calls the card. */
  readonly ref: string;
  /** The full number, 12 to 19 digits in quotes. Published test numbers only. */
  readonly number: string;
  /** The brand. */
  readonly type: Brand;
  /** The month of expiry in quotes, like 2031-05. */
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
  /** Your id of the customer. Payments with this card must then send it too. */
  readonly external_customer_id?: string | number | undefined;
  /** Until when the vault keeps the card. A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like 2026-05-06T07:08:09Z. */
  readonly validUntil?: string | undefined;
}

/** What should be true in the end. */
export interface ExpectationsDocument {
  /** Made by requests in the journal: those of fixtures, and of before a restore or an import, are not counted. */
  readonly sales?:
    | {
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly total?: number | string | undefined;
        /** For each purchase as the buyer sees it. */
        readonly perIntent?: number | string | undefined;
        /** By the ref of a given card, or the id of any. */
        readonly byCard?: { readonly [key: string]: number | string } | undefined;
        readonly states?:
          | {
              readonly [key in 'pending' | 'completed' | 'denied' | 'refunded']?:
                number | string | undefined;
            }
          | undefined;
        /** With a given card, or one named by its id, from a time on. */
        readonly onCard?:
          | {
              readonly [key: string]: {
                /** From when on. An RFC 3339 time in quotes, like 2026-05-06T07:08:09Z. */
                readonly after: string;
                /** How many: a number, or a bound in quotes like "<=2". */
                readonly count: number | string;
              };
            }
          | undefined;
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly onDeletedCard?: number | string | undefined;
      }
    | undefined;
  /** Sales of which the client never learnt, by any answer. */
  readonly orphans?: number | string | undefined;
  /** Tries to pay. */
  readonly attempts?:
    | {
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly perIntent?: number | string | undefined;
        /** By the ref of a given card, or the id of any. */
        readonly byCard?: { readonly [key: string]: number | string } | undefined;
      }
    | undefined;
  /** Requests by operation, like token.create: "<=4". */
  readonly requests?: { readonly [key: string]: number | string } | undefined;
  /** Operations whose repeats must carry the request id of the first try. */
  readonly sameRequestId?: readonly string[] | undefined;
  readonly refunds?:
    | {
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly total?: number | string | undefined;
        readonly perSale?:
          | {
              /** How many: a number, or a bound in quotes like "<=2". */
              readonly count?: number | string | undefined;
              readonly total?: '<=sale' | '=sale' | undefined;
            }
          | undefined;
      }
    | undefined;
  /** balanced, or how much may be lost on one sale, like "<=1x". */
  readonly ledger?:
    | 'balanced'
    | {
        readonly lossPerSale: string;
      }
    | undefined;
  /** Cards in the vault. */
  readonly cards?:
    | {
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly perPan?: number | string | undefined;
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly total?: number | string | undefined;
      }
    | undefined;
  /** What nobody may notice about the client. */
  readonly findings?:
    | {
        readonly none: readonly FindingId[];
      }
    | undefined;
  readonly beliefs?:
    | {
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly paidWithoutCompletedSale: number | string;
      }
    | undefined;
  readonly webhooks?:
    | {
        readonly acknowledged?: 'all' | undefined;
        /** How many: a number, or a bound in quotes like "<=2". */
        readonly badSignatureAccepted?: number | string | undefined;
      }
    | undefined;
}

/** A scenario: rules, a timeline, and what should be true in the end. */
export interface ScenarioDocument {
  /** For editors; read by nobody else. */
  readonly $schema?: string | undefined;
  /** The name of this scenario. */
  readonly scenario: string;
  /** The version of this form: 1. */
  readonly version: 1;
  /** What it is for, in a sentence. */
  readonly about: string;
  /** What chance is drawn from. Without it: the seed of the sandbox. */
  readonly seed?: number | string | undefined;
  readonly clock?:
    | {
        /** real: runs with the machine. virtual: stands still until it is advanced. */
        readonly mode?: 'real' | 'virtual' | undefined;
        /** When the scenario begins. An RFC 3339 time in quotes, like 2026-05-06T07:08:09Z. */
        readonly start?: string | undefined;
        /** Whether the clock stands still at first. */
        readonly frozen?: boolean | undefined;
      }
    | undefined;
  /** What the merchant begins with: a set that ships, a file or a folder. */
  readonly fixtures?: string | undefined;
  /** Cards that are in the vault when it begins. */
  readonly given?:
    | {
        readonly cards: readonly GivenCardDocument[];
      }
    | undefined;
  /** States the service can be in. It begins in the first. */
  readonly states?: readonly string[] | undefined;
  /** What happens by the merchant's clock. */
  readonly timeline?:
    | readonly (
        | {
            /** When. A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like 2026-05-06T07:08:09Z. */
            readonly at: string;
            /** The state that the scenario goes to. */
            readonly goto: string;
          }
        | {
            /** When. A span from the scenario's start, like +5s or +P20D, or an RFC 3339 time, like 2026-05-06T07:08:09Z. */
            readonly at: string;
            /** What befalls a sale or a card then: an outcome that comes later. */
            readonly event: string;
            /** Which sale it befalls, those of fixtures among them. Without it: the last. */
            readonly sale?: 'first' | 'last' | 'every' | undefined;
            /** The given card that it befalls; of sales, only those with it. */
            readonly card?: string | undefined;
            /** Parameters of the outcome, each a text or a number. */
            readonly with?: { readonly [key: string]: string | number } | undefined;
            /** Whether it may befall nothing. Without it that is reported. */
            readonly optional?: boolean | undefined;
          }
      )[]
    | undefined;
  /** What happens to requests. The first rule that fires wins. */
  readonly rules?: readonly RuleDocument[] | undefined;
  /** What happens to webhooks. Kept for a sandbox that sends them. */
  readonly events?:
    | readonly {
        readonly name?: string | undefined;
        /** A type of event, like PAYMENT.SALE.COMPLETED, or *. */
        readonly type: string;
        readonly probability?: number | undefined;
        readonly then:
          | string
          | {
              readonly outcome: string;
              /** Parameters of the outcome, each a text or a number. */
              readonly with?: { readonly [key: string]: string | number } | undefined;
            }
          | readonly (
              | string
              | {
                  readonly outcome: string;
                  /** Parameters of the outcome, each a text or a number. */
                  readonly with?: { readonly [key: string]: string | number } | undefined;
                }
            )[];
      }[]
    | undefined;
  /** What should be true in the end. */
  readonly expect?: ExpectationsDocument | undefined;
}
