/** Runs the finding rules, and sorts, limits and suppresses what they report. */
import { sumOf } from '../shared/counts.ts';
import type { Verdict } from '../contract/control/verdict.ts';
import { severities, type Severity } from '../contract/constants.ts';
import type { z } from '@hono/zod-openapi';
import type { Evidence } from './evidence/evidence.ts';
import { groupBy } from './evidence/group-by.ts';
import { recordIdIn } from './evidence/journal-index.ts';
import type { Detection, FindingRule, PaidTwice } from './findings/finding-rule.ts';
import { findingRules } from './findings/finding-rules.ts';
import type { FindingId } from '../contract/finding-ids.ts';
import type { CheckedVerdictOptions } from './options.ts';
import type { Purchase } from './purchases/purchase.ts';

type WireFinding = z.output<typeof Verdict>['findings'][number];

/** A finding that is shown. */
export interface Finding {
  readonly rule: FindingRule;
  readonly detection: Detection;
  readonly severity: Severity;
  /** Why it is suppressed; `undefined` if it is not. */
  readonly suppressed: string | undefined;
}

/** What the rules reported. Thousands of findings of one rule are counted, and only some are kept. */
export interface Findings {
  /** The most severe ones of each rule. The most severe come first; those of one severity keep the order of the rules. */
  readonly shown: readonly Finding[];
  /** How many are not suppressed, by severity. */
  readonly counts: ReadonlyMap<Severity, number>;
  /** How many are not suppressed, by rule. */
  readonly countsByRule: ReadonlyMap<FindingId, number>;
  readonly suppressedCount: number;
  /** How many are neither suppressed nor shown. */
  readonly leftOutCount: number;
  /** The orders that were certainly or likely paid more than once, unless these findings are suppressed. */
  readonly paidTwice: readonly PaidTwice[];
  /** Ids of the refunds that certainly or likely returned money a second time, unless these findings are suppressed. */
  readonly excessRefunds: ReadonlySet<string>;
  /** The purchases with a finding that is not suppressed. */
  readonly failedPurchases: ReadonlySet<Purchase>;
}

/** Runs all rules. */
export function collectFindings(evidence: Evidence, suppressions: Suppressions): Findings {
  const kept: Finding[] = [];
  const counts = new Map<Severity, number>();
  const countsByRule = new Map<FindingId, number>();
  const failedPurchases = new Set<Purchase>();
  const paidTwice: PaidTwice[] = [];
  const excessRefunds = new Set<string>();
  let suppressedCount = 0;
  for (const rule of findingRules) {
    if (rule.needsWholeJournal === true && !evidence.isComplete) continue;
    const suppressed = suppressions.get(rule.id);
    const ofRule = new Map<Severity, number>();
    for (const detection of rule.find(evidence)) {
      const severity = detection.severity ?? rule.severity;
      const count = addTo(ofRule, severity, 1);
      if (count <= mostOfOneRule) kept.push({ rule, detection, severity, suppressed });
      if (suppressed !== undefined) continue;
      if (detection.purchase !== undefined) failedPurchases.add(detection.purchase);
      // Both payments or refunds may have been wanted if the finding is only possible.
      if (detection.confidence === 'possible') continue;
      for (const payments of detection.paidTwice ?? []) paidTwice.push(payments);
      for (const id of detection.excessRefunds ?? []) excessRefunds.add(id);
    }
    for (const [severity, count] of ofRule) {
      if (suppressed === undefined) addTo(counts, severity, count);
      else suppressedCount += count;
    }
    if (suppressed === undefined) countsByRule.set(rule.id, sumOf(ofRule.values()));
  }
  const shown = worstPerRule(kept);
  return {
    shown,
    counts,
    countsByRule,
    suppressedCount,
    leftOutCount: sumOf(counts.values()) - shown.filter(isActive).length,
    failedPurchases,
    paidTwice,
    excessRefunds,
  };
}

function addTo(counts: Map<Severity, number>, severity: Severity, more: number): number {
  const count = (counts.get(severity) ?? 0) + more;
  counts.set(severity, count);
  return count;
}

/** Whether a finding is not suppressed. */
export function isActive({ suppressed }: Finding): boolean {
  return suppressed === undefined;
}

/** A client that repeats one mistake makes a finding each time. */
const mostOfOneRule = 100;

/** Sorts findings by severity, and keeps the most severe of each rule. */
function worstPerRule(findings: readonly Finding[]): Finding[] {
  const bySeverity = groupBy(findings, ({ severity }) => severity);
  const countByRule = new Map<FindingRule, number>();
  return severities
    .flatMap((severity) => bySeverity.get(severity) ?? [])
    .filter(({ rule }) => {
      const count = (countByRule.get(rule) ?? 0) + 1;
      countByRule.set(rule, count);
      return count <= mostOfOneRule;
    });
}

/** The place of a severity in the order from most to least severe; 0 is the most severe. */
export function rankOf(severity: Severity): number {
  return severities.indexOf(severity);
}

/** The finding as a verdict shows it. */
export function findingToWire(finding: Finding): WireFinding {
  const { rule, detection, severity, suppressed } = finding;
  const [first] = detection.evidence;
  const subject = first && (recordIdIn(first) ?? first.cardId);
  return {
    rule: rule.id,
    severity,
    confidence: detection.confidence ?? 'certain',
    what: describeFinding(finding),
    remedy: detection.remedy ?? rule.remedy,
    evidence: detection.evidence.map(({ debugId }) => debugId),
    ...(detection.purchase !== undefined && { intent: detection.purchase.key }),
    ...(subject !== undefined && { subject }),
    ...(suppressed !== undefined && { suppressed }),
  };
}

/** What happened, in sentences. */
export function describeFinding({ detection: { what } }: Finding): string {
  return typeof what === 'string' ? what : what();
}

/** Why each finding is suppressed. */
export type Suppressions = ReadonlyMap<FindingId, string>;

type Suppression = CheckedVerdictOptions['suppress'][number];

/** The suppressions that have not expired on the machine's calendar. */
export function activeSuppressions(nowMs: number, suppress: readonly Suppression[]): Suppressions {
  return new Map(
    suppress
      .filter((suppression) => !isExpired(suppression, nowMs))
      .map(({ rule, reason }) => [rule, reason]),
  );
}

/** The latest expired suppression of each rule that has findings which are not suppressed any more. */
export function expiredSuppressions(
  nowMs: number,
  suppress: readonly Suppression[],
  { countsByRule }: Findings,
): NonNullable<z.output<typeof Verdict>['expiredSuppressions']> {
  const latest = new Map<FindingId, { readonly reason: string; readonly until: string }>();
  for (const suppression of suppress) {
    const { rule, reason, until = '' } = suppression;
    const { until: known = '' } = latest.get(rule) ?? {};
    if (isExpired(suppression, nowMs) && until > known) latest.set(rule, { reason, until });
  }
  return [...latest].flatMap(([rule, { reason, until }]) => {
    const count = countsByRule.get(rule) ?? 0;
    return count === 0 ? [] : [{ rule, reason, until, findings: count }];
  });
}

function isExpired({ until }: Suppression, nowMs: number): boolean {
  return until !== undefined && until < new Date(nowMs).toISOString().slice(0, 10);
}
