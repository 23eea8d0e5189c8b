/** Runs the finding rules, and sorts, limits and suppresses what they report. */
import type { Verdict } from '../contract/control/verdict.ts';
import { severities, type Severity } from '../contract/constants.ts';
import type { z } from '@hono/zod-openapi';
import type { Evidence } from './evidence/evidence.ts';
import { groupBy } from './evidence/group-by.ts';
import { recordIdIn } from './evidence/journal-index.ts';
import type { FindingRule, Detection } from './findings/finding-rule.ts';
import { findingRules } from './findings/finding-rules.ts';
import type { FindingId } from '../contract/finding-ids.ts';
import type { CheckedVerdictOptions } from './options.ts';
import type { Purchase } from './purchases/purchase.ts';

type WireFinding = z.output<typeof Verdict>['findings'][number];

/** A finding as long as it is only counted. Its texts and ids are written when it is shown. */
export interface Finding {
  readonly rule: FindingRule;
  readonly detection: Detection;
  readonly severity: Severity;
  /** Why it is suppressed; `undefined` if it is not. */
  readonly suppressed: string | undefined;
}

/** Runs all rules. The most severe findings come first; those of one severity keep the order of the rules. */
export function collectFindings(evidence: Evidence, suppressions: Suppressions): Finding[] {
  const findings: Finding[] = [];
  for (const rule of findingRules) {
    if (rule.needsWholeJournal === true && !evidence.isComplete) continue;
    const suppressed = suppressions.get(rule.id);
    for (const detection of rule.find(evidence)) {
      findings.push({ rule, detection, severity: detection.severity ?? rule.severity, suppressed });
    }
  }
  const bySeverity = groupBy(findings, ({ severity }) => severity);
  return severities.flatMap((severity) => bySeverity.get(severity) ?? []);
}

/** A client that repeats one mistake makes a finding each time. */
const mostOfOneRule = 100;

/** Keeps the most severe findings of each rule, and returns the others apart. */
export function worstPerRule(findings: readonly Finding[]): {
  readonly shown: readonly Finding[];
  readonly leftOut: readonly Finding[];
} {
  const countByRule = new Map<FindingRule, number>();
  const shown: Finding[] = [];
  const leftOut: Finding[] = [];
  for (const finding of findings) {
    const count = countByRule.get(finding.rule) ?? 0;
    countByRule.set(finding.rule, count + 1);
    (count < mostOfOneRule ? shown : leftOut).push(finding);
  }
  return { shown, leftOut };
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

/** The purchases that findings are about. */
export function reportedPurchases(findings: readonly Finding[]): ReadonlySet<Purchase> {
  const purchases = new Set<Purchase>();
  for (const { detection } of findings) {
    if (detection.purchase !== undefined) purchases.add(detection.purchase);
  }
  return purchases;
}

/** Why each finding is suppressed. */
export type Suppressions = ReadonlyMap<FindingId, string>;

/** The suppressions that have not expired on the machine's calendar. */
export function activeSuppressions(
  nowMs: number,
  suppress: CheckedVerdictOptions['suppress'],
): Suppressions {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return new Map(
    suppress
      .filter(({ until }) => until === undefined || today <= until)
      .map(({ rule, reason }) => [rule, reason]),
  );
}
