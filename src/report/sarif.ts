/** Verdicts as SARIF 2.1.0, for code scanning. */
import type { Severity } from '../contract/severities.ts';
import { subjectsOf } from './subjects.ts';
import { otherReasons, type Finding, type Verdict } from './verdicts.ts';

type Level = 'error' | 'warning' | 'note';

const levels: Readonly<Record<Severity, Level>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** What code scanning sorts by. */
const scores: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.0',
  low: '3.0',
  info: '1.0',
};

/** One JSON document, with a result for each finding and for each other reason to fail. */
export function verdictSarif(verdicts: readonly Verdict[], version: string): string {
  const findings = verdicts.flatMap((verdict) => {
    const subjects = subjectsOf(verdict);
    return verdict.findings.map((finding, at) => ({
      verdict,
      finding,
      subject: subjects[at] ?? '',
    }));
  });
  const rules = new Map(findings.map(({ finding }) => [finding.rule, finding]));
  const document = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'card-vault-sandbox',
            semanticVersion: version,
            rules: [
              ...[...rules.values()].map(ruleOf),
              ...[...new Set(verdicts.flatMap(otherReasons).map(({ kind }) => kind))].map((id) => ({
                id,
              })),
            ],
          },
        },
        results: [
          ...findings.map(({ verdict, finding, subject }) => resultOf(verdict, finding, subject)),
          ...verdicts.flatMap((verdict) =>
            otherReasons(verdict).map(({ kind, text }) => ({
              ruleId: kind,
              level: 'error',
              message: { text },
              locations: [placeOf(verdict.merchant, [])],
            })),
          ),
        ],
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

function ruleOf({ rule, severity, remedy }: Finding) {
  return {
    id: rule,
    name: rule,
    help: { text: remedy },
    defaultConfiguration: { level: levels[severity] },
    properties: { 'security-severity': scores[severity], tags: ['payments'] },
  };
}

function resultOf({ merchant }: Verdict, finding: Finding, subject: string) {
  const { rule, severity, confidence, what, remedy, evidence, intent, suppressed } = finding;
  return {
    ruleId: rule,
    level: levels[severity],
    message: { text: `${what} ${remedy}` },
    locations: [placeOf(merchant, evidence)],
    // The same finding about the same thing is the same result in the next run.
    partialFingerprints: { 'finding/v1': [merchant, rule, intent ?? '', subject].join(' ') },
    properties: { severity, confidence },
    ...(suppressed !== undefined && {
      suppressions: [{ kind: 'external', justification: suppressed }],
    }),
  };
}

/** No line of code is known, so the place is the merchant and its exchanges. */
function placeOf(merchant: string, evidence: readonly string[]) {
  return {
    physicalLocation: {
      artifactLocation: { uri: `merchants/${encodeURIComponent(merchant)}` },
      region: { startLine: 1 },
    },
    logicalLocations: [
      { name: merchant, kind: 'merchant' },
      ...evidence.map((name) => ({ name, kind: 'exchange' })),
    ],
  };
}
