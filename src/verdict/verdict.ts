/** The verdict about a merchant's money: whether it passed, and why not. */
import type { Verdict } from '../contract/control/types.ts';
import { severities } from '../contract/constants.ts';
import { readDuration } from '../documents/duration.ts';
import { describeRule, explainUnfired } from '../outcomes/rules/rule-report.ts';
import type { IneffectiveEvent } from '../scenarios/timeline.ts';
import { describeMismatch } from '../world/gates/gates.ts';
import type { World } from '../world/world.ts';
import { Beliefs, explainWrongBelief } from './beliefs.ts';
import {
  activeSuppressions,
  collectFindings,
  findingToWire,
  rankOf,
  type Findings,
} from './collect-findings.ts';
import { Evidence } from './evidence/evidence.ts';
import { evaluateExpectations } from './expectations.ts';
import type { CheckedVerdictOptions } from './options.ts';
import { formatCount } from './phrases.ts';
import type { Purchase } from './purchases/purchase.ts';
import { isMoneyRow, totalsOf } from './money-totals.ts';
import { findPending } from './pending.ts';
import { findFollowUps, purchaseToWire, triedOutcomes } from './to-wire.ts';

export type { Verdict } from '../contract/control/types.ts';
type Reason = Verdict['reasons'][number];

const mostPurchases = 100;

/** Enough merchants to recognize the client id that the code under test uses. */
const mostNamed = 5;

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
 * Judges what happened in a world. It reads the world and changes nothing.
 *
 * Events that are due must have happened before, and open exchanges should have ended.
 */
export function judge(
  world: World,
  options: CheckedVerdictOptions,
  context: VerdictContext,
): Verdict {
  const beliefs = new Beliefs(options.beliefs);
  const settled = world.afterSettlement(readDuration(options.settle).ms);
  const evidence = new Evidence(world, options.serviceTimeMs, beliefs, settled);
  const pending = findPending(world, evidence);
  const findings = collectFindings(evidence, activeSuppressions(context.nowMs, options.suppress));
  const checkedBeliefs = beliefs.check(evidence);
  const expectations = [world.expect, options.expect].flatMap((expected) =>
    expected === undefined
      ? []
      : evaluateExpectations(expected, { evidence, findings, checkedBeliefs }),
  );
  const neverFired = world.ruleBook
    .unfired()
    .map((report) => ({ rule: report.rule, why: explainUnfired(report) }));
  const unfilled = world.gates.unfilled().filter(({ gate }) => !gate.optional);
  const missed = missedEvents(world);
  const shownFindings = findings.shown.map(findingToWire);
  const reasons: Reason[] = [
    ...requestReasons(evidence, options, context, world.gates.size),
    ...shownFindings
      .filter(
        ({ severity, suppressed }) =>
          suppressed === undefined && rankOf(severity) <= rankOf(options.failOn),
      )
      .map(({ rule, what }): Reason => ({ kind: 'finding', text: `${rule}: ${what}` })),
    ...checkedBeliefs.flatMap((belief): Reason[] => {
      const text = explainWrongBelief(belief);
      return text === undefined ? [] : [{ kind: 'belief', text }];
    }),
    ...expectations
      .filter(({ ok }) => !ok)
      .map((row): Reason => ({ kind: 'expectation', text: explainExpectation(row) })),
    ...(options.allowUnfired ? [] : neverFired).map(({ rule, why }): Reason => ({
      kind: 'unfired-rule',
      text: `Rule ${rule.id} never fired for merchant ${evidence.merchant} (${describeRule(rule)}): ${why}.`,
    })),
    ...(options.allowUnfired ? [] : unfilled).map((one): Reason => ({
      kind: 'unfilled-gate',
      text: `Gate ${one.gate.id} (${one.gate.operations.join(', ')}, ${one.gate.at}) did not fill for merchant ${evidence.merchant}: ${one.came} of ${one.gate.count} came.${describeMismatch(one)}`,
    })),
    ...(options.allowUnfired ? [] : missed).map(({ place, event, why }): Reason => ({
      kind: 'missed-event',
      text: `The event ${event} (${place}) had no effect: ${why}.`,
    })),
  ];
  const shown = selectPurchases(evidence.purchases, findings);
  const followUps = findFollowUps(evidence, shown);
  return {
    merchant: evidence.merchant,
    at: new Date(evidence.atMs).toISOString(),
    passed: reasons.length === 0,
    failOn: options.failOn,
    reasons,
    findings: shownFindings,
    expectations,
    unfired: neverFired.map(({ rule, why }) => ({ rule: rule.id, why })),
    unfilled: unfilled.map(({ gate, came }) => ({ gate: gate.id, came, count: gate.count })),
    missed,
    ...(pending.length > 0 && { pending: pending.slice(0, mostPending) }),
    totals: totalsOf(evidence, findings),
    purchases: shown.map((purchase) =>
      purchaseToWire(
        purchase,
        beliefs.ofPurchase(evidence, purchase),
        followUps.get(purchase) ?? [],
      ),
    ),
    counts: {
      requests: evidence.entries.length + evidence.dropped,
      dropped: evidence.dropped,
      open: evidence.open,
      purchases: evidence.purchases.length,
      findings: countBySeverity(findings),
      suppressed: findings.suppressedCount,
      ...(findings.leftOutCount > 0 && { findingsLeftOut: findings.leftOutCount }),
      ...(pending.length > mostPending && { pendingLeftOut: pending.length - mostPending }),
    },
    tried: triedOutcomes(world.journal.counters.read()),
  };
}

/** How many pending sales and refunds a verdict lists. */
const mostPending = 100;

function explainExpectation(row: Verdict['expectations'][number]): string {
  const { place, expected, found } = row;
  return isMoneyRow(row)
    ? `${place}: expected ${expected}, the ledger has ${found}.`
    : `${place} should be ${expected} but is ${found}.`;
}

/** The timeline events that had no effect, and those whose time has not come. */
function missedEvents({ missed, timeline }: World): IneffectiveEvent[] {
  const notDue = timeline.flatMap((entry): IneffectiveEvent[] => {
    if ('goto' in entry || entry.optional) return [];
    const { place, event, atMs } = entry;
    return [{ place, event, why: `its time, ${new Date(atMs).toISOString()}, has not come` }];
  });
  return [...missed, ...notDue];
}

function requestReasons(
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
      text: `${formatCount(open, 'exchange')} ${open === 1 ? 'is' : 'are'} still open. ${held > 0 ? `Gates hold ${held} of them: call release() before the verdict.` : 'Ask for the verdict when the client is done, or wait longer with waitMs.'}`,
    });
  }
  return reasons;
}

/** What to check if a merchant sent no requests. */
function adviseOnSilence(others: readonly string[]): string {
  if (others.length === 0) {
    return 'No other merchant sent any. Check that your code uses the URL of this sandbox.';
  }
  const left = others.length - mostNamed;
  const named = others.slice(0, mostNamed).join(', ');
  return `Check the client id in your code. Requests came from: ${named}${left > 0 ? ` and ${left} more` : ''}.`;
}

/** Selects the purchases to show: those with findings first, then the latest others. */
function selectPurchases(
  purchases: readonly Purchase[],
  { failedPurchases }: Findings,
): Purchase[] {
  const shown = purchases
    .filter((purchase) => failedPurchases.has(purchase))
    .slice(0, mostPurchases);
  const left = mostPurchases - shown.length;
  if (left === 0) return shown;
  const others = purchases.filter((purchase) => !failedPurchases.has(purchase));
  return [...shown, ...others.slice(-left)];
}

function countBySeverity({ counts }: Findings): Verdict['counts']['findings'] {
  return Object.fromEntries(
    severities.flatMap((severity) => {
      const count = counts.get(severity) ?? 0;
      return count === 0 ? [] : [[severity, count]];
    }),
  );
}
