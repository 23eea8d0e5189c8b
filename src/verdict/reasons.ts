/** Why a verdict did not pass. */
import type { Verdict } from '../contract/control/types.ts';
import type { Severity } from '../contract/constants.ts';
import { adviseOnSilence } from '../journal/explain/silence.ts';
import { explainWrongBelief, type CheckedBelief } from './beliefs.ts';
import { rankOf } from './collect-findings.ts';
import type { Evidence } from './evidence/evidence.ts';
import { isMoneyRow } from './money-expectations.ts';
import type { CheckedVerdictOptions } from './options.ts';
import { formatCount } from './phrases.ts';

/** One reason, with its kind. */
export type Reason = Verdict['reasons'][number];

/** What a verdict needs to know beside the world of its merchant. */
export interface VerdictContext {
  /** The machine's time, which decides whether a suppression is still active. */
  readonly nowMs: number;
  /** How many requests of the merchant were refused because there was no room for its world. */
  readonly rejected: number;
  /** A prefix of ids for which a verdict was asked, if no merchant has it. */
  readonly prefix?: string | undefined;
  /** Lists the merchants of the sandbox that sent requests. Called only if this one sent none. */
  readonly activeMerchants: () => readonly string[];
}

/**
 * Reasons why there was nothing, or not everything, to judge: no requests, dropped exchanges, or open ones.
 *
 * @param held How many requests gates hold.
 */
export function reasonsOfRequests(
  evidence: Evidence,
  options: CheckedVerdictOptions,
  { rejected, prefix, activeMerchants }: VerdictContext,
  held: number,
): Reason[] {
  const { entries, dropped, open, merchant } = evidence;
  const reasons: Reason[] = [];
  if (rejected > 0) {
    reasons.push({
      kind: 'merchants-full',
      text: `${formatCount(rejected, 'request')} of merchant ${merchant} ${rejected === 1 ? 'was' : 'were'} refused because the sandbox already had its maximum number of merchants. Raise limits.maxMerchants (--max-merchants), or delete merchants that are no longer needed.`,
    });
  } else if (entries.length + dropped === 0 && !options.allowNoRequests) {
    reasons.push({
      kind: 'no-requests',
      text: `${prefix === undefined ? `Merchant ${merchant} sent no requests` : `No merchant has an id that starts with ${prefix}`}, so nothing was tested. ${adviseOnSilence(activeMerchants())}`,
    });
  }
  if (dropped > 0 && !options.allowDropped) {
    reasons.push({
      kind: 'dropped-exchanges',
      text: evidence.isJournalOff
        ? `The journal is off, so ${formatCount(dropped, 'exchange')} could not be judged. Set limits.maxJournalEntries (--max-journal-entries) above 0.`
        : `The journal dropped ${formatCount(dropped, 'exchange')} to make room for newer ones, so the verdict is incomplete. Raise limits.maxJournalEntries (--max-journal-entries) or limits.maxJournalBytes (--max-journal-bytes).`,
    });
  }
  if (open > 0) {
    reasons.push({
      kind: 'open-exchanges',
      text: `${formatCount(open, 'request')} ${open === 1 ? 'is' : 'are'} still open. ${held > 0 ? `${describeHeld(open, held)}: call release() before the verdict.` : 'Ask for the verdict when the client is done, or wait longer with waitMs.'}`,
    });
  }
  return reasons;
}

/** How many of the open exchanges gates hold. */
function describeHeld(open: number, held: number): string {
  return open === 1 ? 'A gate holds it' : `Gates hold ${held} of them`;
}

/** One reason for each finding that is severe enough and not suppressed. */
export function reasonsOfFindings(findings: Verdict['findings'], failOn: Severity): Reason[] {
  return findings
    .filter(
      ({ severity, suppressed }) => suppressed === undefined && rankOf(severity) <= rankOf(failOn),
    )
    .map(({ rule, what }) => ({ kind: 'finding', text: `${rule}: ${what}` }));
}

/** One reason for each belief that the ledger contradicts. */
export function reasonsOfBeliefs(beliefs: readonly CheckedBelief[]): Reason[] {
  return beliefs.flatMap((belief): Reason[] => {
    const text = explainWrongBelief(belief);
    return text === undefined ? [] : [{ kind: 'belief', text }];
  });
}

/** One reason for each expectation that was not met. */
export function reasonsOfExpectations(expectations: Verdict['expectations']): Reason[] {
  return expectations
    .filter(({ ok }) => !ok)
    .map((row) => ({ kind: 'expectation', text: explainExpectation(row) }));
}

function explainExpectation(row: Verdict['expectations'][number]): string {
  const { place, expected, found } = row;
  return isMoneyRow(row)
    ? `${place}: expected ${expected}, the ledger has ${found}.`
    : `${place} should be ${expected} but is ${found}.`;
}
