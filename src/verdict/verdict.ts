/** The verdict about a merchant's money: passed or not, and why. */
import type { z } from '@hono/zod-openapi';
import type { Verdict as VerdictShape } from '../contract/control/verdict.ts';
import { severities } from '../contract/constants.ts';
import type { IneffectiveEvent } from '../scenarios/timeline.ts';
import type { World } from '../world/world.ts';
import { Beliefs, explainWrongBelief } from './beliefs.ts';
import {
  activeSuppressions,
  collectFindings,
  rankOf,
  worstPerRule,
  type Finding,
} from './collect-findings.ts';
import { Evidence } from './evidence/evidence.ts';
import { evaluateExpectations } from './expectations.ts';
import type { CheckedVerdictOptions } from './options.ts';
import { formatCount } from './phrases.ts';
import type { Purchase } from './purchases/purchase.ts';
import { followUps, purchaseToWire, totalsOf, triedOutcomes } from './to-wire.ts';

export type Verdict = z.output<typeof VerdictShape>;
type Reason = Verdict['reasons'][number];

const mostPurchases = 100;

/** Enough to see what the code under test calls itself. */
const mostNamed = 5;

/** What a world does not know of itself. */
export interface VerdictContext {
  /** The machine's time, for what is suppressed until a day. */
  readonly nowMs: number;
  /** How many requests of the merchant came when there was no room for its world. */
  readonly rejected: number;
  /** Merchants of the same sandbox that asked something; looked up where this one did not. */
  readonly activeMerchants: () => readonly string[];
}

/**
 * Judges a world as it stands. What is due must have happened, and what is under way should be over. Pure but for
 * reading the world.
 */
export function judge(world: World, order: CheckedVerdictOptions, aside: VerdictContext): Verdict {
  const evidence = new Evidence(world);
  const findings = collectFindings(evidence, activeSuppressions(aside.nowMs, order.suppress));
  const believed = new Beliefs(order.beliefs);
  const held = believed.check(evidence);
  const facts = { evidence, findings, held };
  const expectations = [world.expect, order.expect].flatMap((expected) =>
    expected === undefined ? [] : evaluateExpectations(expected, facts),
  );
  const unfired = world.ruleBook.unfired().map(({ rule, lastMiss }) => ({
    rule: rule.id,
    why: lastMiss ?? 'no request of its operation came',
  }));
  const missed = missedEvents(world);
  const live = findings.filter(({ suppressed }) => suppressed === undefined);
  const worst = worstPerRule(findings);
  const leftOut = worst.leftOut.filter(({ suppressed }) => suppressed === undefined).length;
  const reasons: Reason[] = [
    ...requestReasons(evidence, order, aside),
    ...worst.shown
      .filter(
        ({ severity, suppressed }) =>
          suppressed === undefined && rankOf(severity) <= rankOf(order.failOn),
      )
      .map(({ rule, what }): Reason => ({ kind: 'finding', text: `${rule}: ${what}` })),
    ...held.flatMap((one): Reason[] => {
      const text = explainWrongBelief(one);
      return text === undefined ? [] : [{ kind: 'belief', text }];
    }),
    ...expectations
      .filter(({ ok }) => !ok)
      .map(({ place, expected, found }): Reason => ({
        kind: 'expectation',
        text: `${place} should be ${expected}, and is ${found}.`,
      })),
    ...(order.allowUnfired ? [] : unfired).map(({ rule, why }): Reason => ({
      kind: 'unfired-rule',
      text: `Rule ${rule} never fired: ${why}.`,
    })),
    ...(order.allowUnfired ? [] : missed).map(({ place, event, why }): Reason => ({
      kind: 'missed-event',
      text: `The event ${event} (${place}) befell nothing: ${why}.`,
    })),
  ];
  const shown = worthShowing(evidence.purchases, live);
  const around = followUps(evidence, shown);
  return {
    merchant: evidence.merchant,
    at: new Date(evidence.atMs).toISOString(),
    passed: reasons.length === 0,
    failOn: order.failOn,
    reasons,
    findings: worst.shown,
    expectations,
    unfired,
    missed,
    totals: totalsOf(evidence.charges),
    purchases: shown.map((purchase) =>
      purchaseToWire(purchase, believed.ofPurchase(evidence, purchase), around.get(purchase) ?? []),
    ),
    counts: {
      requests: evidence.entries.length + evidence.dropped,
      dropped: evidence.dropped,
      open: evidence.open,
      purchases: evidence.purchases.length,
      findings: countsOf(live),
      suppressed: findings.length - live.length,
      ...(leftOut > 0 && { findingsLeftOut: leftOut }),
    },
    tried: triedOutcomes(world.journal.counters.read()),
  };
}

/** What a timeline should have brought and did not: it found nothing to befall, or its time is still to come. */
function missedEvents({ missed, timeline }: World): IneffectiveEvent[] {
  const toCome = timeline.flatMap((entry): IneffectiveEvent[] => {
    if ('goto' in entry || entry.optional) return [];
    const { place, event, atMs } = entry;
    return [{ place, event, why: `its time, ${new Date(atMs).toISOString()}, has not come` }];
  });
  return [...missed, ...toCome];
}

function requestReasons(
  evidence: Evidence,
  order: CheckedVerdictOptions,
  { rejected, activeMerchants }: VerdictContext,
): Reason[] {
  const { entries, dropped, open, merchant } = evidence;
  const reasons: Reason[] = [];
  if (rejected > 0) {
    reasons.push({
      kind: 'turned-away',
      text: `${formatCount(rejected, 'request')} of merchant ${merchant} came when this sandbox held the most merchants it may, and ${rejected === 1 ? 'was' : 'were'} turned away. Raise limits.maxMerchants (--max-merchants), or delete merchants that are done.`,
    });
  } else if (entries.length + dropped === 0 && !order.allowNoRequests) {
    reasons.push({
      kind: 'no-requests',
      text: `Merchant ${merchant} asked nothing, so nothing was tested. ${askedInstead(activeMerchants())}`,
    });
  }
  if (dropped > 0 && !order.allowDropped) {
    reasons.push({
      kind: 'dropped-exchanges',
      text: evidence.isJournalOff
        ? `${formatCount(dropped, 'exchange')} came while the journal was off, so nothing can be judged. Give it room by limits.maxJournalEntries (--max-journal-entries).`
        : `${formatCount(dropped, 'exchange')} made room for newer ones in the journal, so what they showed is not judged. Raise limits.maxJournalEntries (--max-journal-entries) or limits.maxJournalBytes (--max-journal-bytes).`,
    });
  }
  if (open > 0) {
    reasons.push({
      kind: 'open-exchanges',
      text: `${formatCount(open, 'exchange')} ${open === 1 ? 'is' : 'are'} still under way. Ask once the client is done, or wait longer (waitMs).`,
    });
  }
  return reasons;
}

/** What to look at where a merchant asked nothing. */
function askedInstead(others: readonly string[]): string {
  if (others.length === 0) {
    return 'Nobody else asked this sandbox anything: is the code under test pointed at it?';
  }
  const left = others.length - mostNamed;
  const named = others.slice(0, mostNamed).join(', ');
  return `Is the code under test given this client id? Those that asked: ${named}${left > 0 ? ` and ${left} more` : ''}.`;
}

/** Purchases with findings, and then the latest others. */
function worthShowing(purchases: readonly Purchase[], live: readonly Finding[]): Purchase[] {
  const found = new Set(live.map(({ intent }) => intent));
  const [odd, plain] = [true, false].map((isFound) =>
    purchases.filter(({ key }) => found.has(key) === isFound),
  );
  const left = Math.max(0, mostPurchases - (odd?.length ?? 0));
  return [
    ...(odd ?? []).slice(0, mostPurchases),
    ...(left === 0 ? [] : (plain ?? []).slice(-left)),
  ];
}

function countsOf(findings: readonly Finding[]): Verdict['counts']['findings'] {
  return Object.fromEntries(
    severities.flatMap((severity) => {
      const count = findings.filter((finding) => finding.severity === severity).length;
      return count === 0 ? [] : [[severity, count]];
    }),
  );
}
