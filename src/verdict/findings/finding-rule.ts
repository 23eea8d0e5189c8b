/** What a finding is, and the rule that makes it. */
import type { Confidence } from '../../contract/control/verdict.ts';
import type { Severity } from '../../contract/severities.ts';
import type { FindingId } from '../../contract/finding-ids.ts';
import type { StoredEntry } from '../../journal/stored-entry.ts';
import type { Evidence } from '../evidence/evidence.ts';
import type { Purchase } from '../purchases/purchase.ts';

/** One time that a rule found something. */
export interface Detection {
  /** What happened, in one sentence that names the purchase, card or request. Never holds card data. */
  readonly what: string;
  /** The exchanges that show it, oldest first; never empty. */
  readonly evidence: readonly StoredEntry[];
  readonly purchase?: Purchase | undefined;
  /** Where this time is worse or better than the rule's own severity. */
  readonly severity?: Severity;
  /** `certain` unless it says otherwise. */
  readonly confidence?: Confidence;
  /** What to do, where that is something else than the rule says. */
  readonly remedy?: string;
}

/** A rule about what a client must not do. Pure: the same evidence, the same notices, in the same order. */
export interface FindingRule {
  readonly id: FindingId;
  readonly severity: Severity;
  /** What it looks for, in one sentence. */
  readonly about: string;
  /** What to do, in one sentence. */
  readonly remedy: string;
  /** It rests on something not having happened: nothing is said where exchanges are gone from the journal. */
  readonly needsWholeJournal?: true;
  readonly find: (evidence: Evidence) => Iterable<Detection>;
}
