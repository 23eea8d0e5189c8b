/** Verdicts as SARIF 2.1.0, for code scanning. */
import { createHash } from 'node:crypto';
import type { Severity } from '../contract/severities.ts';
import { subjectsOf } from './subjects.ts';
import { otherReasons, worseOf, type Finding, type OtherReason, type Verdict } from './verdicts.ts';

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

/** What to do about a reason that is no finding. */
const reasonHelps: Readonly<Record<OtherReason['kind'], string>> = {
  expectation:
    'Look at the stories of the purchases for what came instead, and mend the code under test, or what was expected.',
  belief: 'Let your code believe only what an answer says, and read what it is not sure of.',
  'unfired-rule':
    'Let the test ask what the rule is armed for, take the rule out, or pass --allow-unfired.',
  'missed-event':
    'Move the clock past the event, let there be what it befalls, take it out, or pass --allow-unfired.',
  'no-requests':
    'Point the code under test at this sandbox with this client id, or pass --allow-no-requests.',
  'turned-away': 'Raise --max-merchants, or delete merchants that are done.',
  'dropped-exchanges':
    'Raise --max-journal-entries or --max-journal-bytes, judge sooner, or pass --allow-dropped.',
  'open-exchanges': 'Ask for the verdict once the client is done, or raise --wait.',
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
  const rules = new Map<string, Finding>();
  for (const { finding } of findings) {
    const { severity = finding.severity } = rules.get(finding.rule) ?? {};
    rules.set(finding.rule, { ...finding, severity: worseOf(severity, finding.severity) });
  }
  const reasons = verdicts.flatMap((verdict) => reasonsOf(verdict));
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
              ...[...new Set(reasons.map(({ kind }) => kind))].map((kind) => ({
                id: kind,
                name: kind,
                help: { text: reasonHelps[kind] },
                defaultConfiguration: { level: 'error' },
                properties: { tags: ['payments'] },
              })),
            ],
          },
        },
        results: [
          ...findings.map(({ verdict, finding, subject }) => resultOf(verdict, finding, subject)),
          ...reasons.map(({ merchant, kind, text, place }) => ({
            ruleId: kind,
            level: 'error',
            message: { text },
            locations: [placeOf(merchant, [])],
            partialFingerprints: fingerprintOf(merchant, kind, String(place)),
          })),
        ],
      },
    ],
  };
  return `${JSON.stringify(document, undefined, 2)}\n`;
}

/** A reason in words may count what is another number in each run, so what tells it is its place among its kind. */
function reasonsOf(verdict: Verdict) {
  const { merchant } = verdict;
  const places = new Map<string, number>();
  return otherReasons(verdict).map(({ kind, text }) => {
    const place = (places.get(kind) ?? 0) + 1;
    places.set(kind, place);
    return { merchant, kind, text, place };
  });
}

/** As bad as the worst of its findings. */
function ruleOf({ rule, severity, remedy }: Finding) {
  return {
    id: rule,
    name: rule,
    help: { text: remedy },
    defaultConfiguration: { level: levels[severity] },
    properties: { 'security-severity': scores[severity], tags: ['payments', 'security'] },
  };
}

function resultOf({ merchant }: Verdict, finding: Finding, subject: string) {
  const { rule, severity, confidence, what, remedy, evidence, intent, suppressed } = finding;
  return {
    ruleId: rule,
    level: levels[severity],
    message: { text: `${what} ${remedy}` },
    locations: [placeOf(merchant, evidence)],
    partialFingerprints: fingerprintOf(merchant, rule, intent ?? '', subject),
    properties: { severity, confidence },
    ...(suppressed !== undefined && {
      suppressions: [{ kind: 'external', justification: suppressed }],
    }),
  };
}

/**
 * The same finding about the same thing is the same result in the next run. The name is the only one that GitHub reads,
 * which would otherwise look for a line of code.
 */
function fingerprintOf(...parts: readonly string[]) {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return { primaryLocationLineHash: `${hash}:1` };
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
