/** The verdict about a merchant's money: whether it passed, and why not. */
import type { Verdict } from '../contract/control/types.ts';
import { severities } from '../contract/constants.ts';
import { readDurationMs } from '../domain/duration.ts';
import { maskFreeText } from '../redaction/free-text.ts';
import type { World } from '../world/world.ts';
import { Beliefs } from './beliefs.ts';
import {
  activeSuppressions,
  collectFindings,
  expiredSuppressions,
  findingToWire,
  type Findings,
} from './collect-findings.ts';
import { Evidence } from './evidence/evidence.ts';
import { evaluateExpectations } from './expectations.ts';
import { totalsOf } from './money-totals.ts';
import type { CheckedVerdictOptions } from './options.ts';
import { findPending } from './pending.ts';
import type { Purchase } from './purchases/purchase.ts';
import {
  reasonsOfBeliefs,
  reasonsOfExpectations,
  reasonsOfFindings,
  reasonsOfRequests,
  type VerdictContext,
} from './reasons.ts';
import { findFollowUps, purchaseToWire, triedOutcomes, type WirePurchase } from './to-wire.ts';
import { findUnusedSetup, reasonsOfUnused } from './unused-setup.ts';

export type { Verdict } from '../contract/control/types.ts';

const mostPurchases = 100;

/** How many pending sales and refunds a verdict lists. */
const mostPending = 100;

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
  const beliefs = new Beliefs(options.beliefs, world);
  const settled = world.afterSettlement(readDurationMs(options.settle, world.nowMs()) ?? 0);
  const evidence = new Evidence(world, options.serviceTimeMs, beliefs, settled);
  const pending = findPending(world, evidence);
  const findings = collectFindings(evidence, activeSuppressions(context.nowMs, options.suppress));
  const expired = expiredSuppressions(context.nowMs, options.suppress, findings);
  const shownFindings = findings.shown.map(findingToWire);
  const checkedBeliefs = beliefs.check(evidence, new Set(pending.map(({ id }) => id)));
  // Purchases are expected by their names, and the ledger has no name with a card number.
  const expect = maskFreeText(options.expect, world.textMasking).value;
  const expectations = [world.expect, expect].flatMap((expected) =>
    expected === undefined
      ? []
      : evaluateExpectations(expected, { evidence, findings, checkedBeliefs }),
  );
  const unused = findUnusedSetup(world);
  const reasons = [
    ...reasonsOfRequests(evidence, options, context, world.gates.size),
    ...reasonsOfFindings(shownFindings, options.failOn),
    ...reasonsOfBeliefs(checkedBeliefs),
    ...reasonsOfExpectations(expectations),
    ...(options.allowUnfired ? [] : reasonsOfUnused(unused, evidence.merchant)),
  ];
  return {
    merchant: evidence.merchant,
    at: new Date(evidence.atMs).toISOString(),
    passed: reasons.length === 0,
    failOn: options.failOn,
    reasons,
    findings: shownFindings,
    ...(expired.length > 0 && { expiredSuppressions: expired }),
    expectations,
    unfired: unused.rules.map(({ rule, why }) => ({ rule: rule.id, why })),
    unfilled: unused.gates.map(({ gate, came }) => ({ gate: gate.id, came, count: gate.count })),
    missed: [...unused.events],
    ...(pending.length > 0 && { pending: pending.slice(0, mostPending) }),
    totals: totalsOf(evidence, findings),
    purchases: purchasesToWire(evidence, findings),
    counts: countsOf(evidence, findings, pending.length),
    tried: triedOutcomes(world.journal.counters.read()),
  };
}

function purchasesToWire(evidence: Evidence, findings: Findings): WirePurchase[] {
  const shown = selectPurchases(evidence.purchases, findings);
  const followUps = findFollowUps(evidence, shown);
  return shown.map((purchase) =>
    purchaseToWire(
      purchase,
      evidence.beliefs.ofPurchase(evidence, purchase),
      followUps.get(purchase) ?? [],
    ),
  );
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

function countsOf(
  { entries, dropped, open, purchases }: Evidence,
  findings: Findings,
  pendingCount: number,
): Verdict['counts'] {
  return {
    requests: entries.length + dropped,
    dropped,
    open,
    purchases: purchases.length,
    findings: countBySeverity(findings),
    suppressed: findings.suppressedCount,
    ...(findings.leftOutCount > 0 && { findingsLeftOut: findings.leftOutCount }),
    ...(pendingCount > mostPending && { pendingLeftOut: pendingCount - mostPending }),
  };
}

function countBySeverity({ counts }: Findings): Verdict['counts']['findings'] {
  return Object.fromEntries(
    severities.flatMap((severity) => {
      const count = counts.get(severity) ?? 0;
      return count === 0 ? [] : [[severity, count]];
    }),
  );
}
