/** The form of a finding rule. A rule reports only what a correct client would never send. */
import type { Confidence } from '../../contract/control/verdict.ts';
import type { FindingId } from '../../contract/finding-ids.ts';
import type { Severity } from '../../contract/constants.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Charge } from '../purchases/charge.ts';
import type { Purchase } from '../purchases/purchase.ts';

/**
 * One place where a rule found a mistake.
 *
 * A verdict shows only some of thousands. A rule that may find so many computes the text, the evidence and the remedy on
 * demand.
 */
export interface Detection {
  /** What happened, in sentences that name the purchase, card or request. Never holds card data. */
  readonly what: string | (() => string);
  /** The exchanges that show it, oldest first; never empty. */
  readonly evidence: readonly StoredEntry[];
  readonly purchase?: Purchase | undefined;
  /** Default: the severity of the rule. */
  readonly severity?: Severity | undefined;
  /** Default: `certain`. */
  readonly confidence?: Confidence | undefined;
  /** What to do in this case. Default: the remedy of the rule. */
  readonly remedy?: string | undefined;
  /** For a double charge: the orders that were paid more than once. */
  readonly paidTwice?: readonly PaidTwice[] | undefined;
  /** Ids of the refunds that returned money which was returned already. */
  readonly excessRefunds?: readonly string[] | undefined;
}

/** The payments of one order that hold money, each with its charges. What they hold beyond the first one is too much. */
export type PaidTwice = readonly (readonly Charge[])[];

/** A rule about a mistake of the client. Pure: the same evidence gives the same detections in the same order. */
export interface FindingRule {
  readonly id: FindingId;
  readonly severity: Severity;
  /** What the rule finds, in one sentence. */
  readonly about: string;
  /** What to do, in one sentence. */
  readonly remedy: string;
  /** The rule concludes from a missing exchange, so it is skipped if the journal has dropped exchanges. */
  readonly needsWholeJournal?: true;
  readonly find: (evidence: Evidence) => Iterable<Detection>;
}
