/** Runs the finding rules over the evidence. */
import type { Verdict } from '../contract/control/verdict.ts';
import { severities, type Severity } from '../contract/constants.ts';
import type { z } from '@hono/zod-openapi';
import type { Evidence } from './evidence/evidence.ts';
import { recordIdIn } from './evidence/journal-index.ts';
import type { FindingRule, Detection } from './findings/finding-rule.ts';
import { findingRules } from './findings/finding-rules.ts';
import type { FindingId } from '../contract/finding-ids.ts';
import type { CheckedVerdictOptions } from './options.ts';

export type Finding = z.output<typeof Verdict>['findings'][number];

/** What the rules find, the worst first; those of one severity in the order of the rules. */
export function collectFindings(evidence: Evidence, suppressions: Suppressions): Finding[] {
  const found: Finding[] = [];
  for (const rule of findingRules) {
    if (rule.needsWholeJournal === true && !evidence.isComplete) continue;
    for (const notice of rule.find(evidence)) {
      found.push(findingOf(rule, notice, suppressions.get(rule.id)));
    }
  }
  return found.sort((a, b) => rankOf(a.severity) - rankOf(b.severity));
}

/** A client that does the same again and again makes a finding each time. */
const mostOfOneRule = 100;

/** The worst of each rule, and how many others there are. */
export function worstPerRule(findings: readonly Finding[]): {
  readonly shown: readonly Finding[];
  readonly leftOut: readonly Finding[];
} {
  const perRule = new Map<string, number>();
  const shown: Finding[] = [];
  const leftOut: Finding[] = [];
  for (const finding of findings) {
    const before = perRule.get(finding.rule) ?? 0;
    perRule.set(finding.rule, before + 1);
    (before < mostOfOneRule ? shown : leftOut).push(finding);
  }
  return { shown, leftOut };
}

/** 0 for the worst. */
export function rankOf(severity: Severity): number {
  return severities.indexOf(severity);
}

function findingOf(rule: FindingRule, notice: Detection, suppressed: string | undefined): Finding {
  const [first] = notice.evidence;
  const subject = first && (recordIdIn(first) ?? first.cardId);
  return {
    rule: rule.id,
    severity: notice.severity ?? rule.severity,
    confidence: notice.confidence ?? 'certain',
    what: notice.what,
    remedy: notice.remedy ?? rule.remedy,
    evidence: notice.evidence.map(({ debugId }) => debugId),
    ...(notice.purchase !== undefined && { intent: notice.purchase.key }),
    ...(subject !== undefined && { subject }),
    ...(suppressed !== undefined && { suppressed }),
  };
}

/** The reason by the finding. */
export type Suppressions = ReadonlyMap<FindingId, string>;

/** Those still in force on a day of the machine's calendar. */
export function activeSuppressions(
  nowMs: number,
  given: CheckedVerdictOptions['suppress'],
): Suppressions {
  const today = new Date(nowMs).toISOString().slice(0, 10);
  return new Map(
    given
      .filter(({ until }) => until === undefined || today <= until)
      .map(({ rule, reason }) => [rule, reason]),
  );
}
