/** Verdicts as SARIF 2.1.0, for code scanning. */
import { createHash } from 'node:crypto';
import type { Severity } from '../contract/constants.ts';
import {
  expiredNote,
  findingSubjects,
  otherReasons,
  worseOf,
  type Finding,
  type OtherReason,
  type Verdict,
} from './verdicts.ts';

type Level = 'error' | 'warning' | 'note';

const levels: Readonly<Record<Severity, Level>> = {
  critical: 'error',
  high: 'error',
  medium: 'warning',
  low: 'note',
  info: 'note',
};

/** Scores by which code scanning sorts alerts. */
const scores: Readonly<Record<Severity, string>> = {
  critical: '9.5',
  high: '8.0',
  medium: '5.0',
  low: '3.0',
  info: '1.0',
};

interface RuleTexts {
  /** What the rule finds, in one sentence. */
  readonly about: string;
  /** What to do, in one sentence. */
  readonly remedy: string;
}

/** Rules for the reasons that are not findings. */
const reasonRules: Readonly<Record<OtherReason['kind'], RuleTexts>> = {
  expectation: {
    about: 'An expectation was not met.',
    remedy:
      'Read what happened to the purchases, then correct the code under test or the expectation.',
  },
  belief: {
    about: 'The code under test reports another state of a payment than the ledger.',
    remedy: 'Report only what an answer confirmed, and read the payment if its state is unknown.',
  },
  'unfired-rule': {
    about: 'A rule was armed and never fired.',
    remedy: 'Send a request that the rule matches, remove the rule, or pass --allow-unfired.',
  },
  'unfilled-gate': {
    about: 'Fewer requests came to a gate than it waits for.',
    remedy:
      'Send as many requests at once as the gate waits for, lower its count, mark it optional, or pass --allow-unfired.',
  },
  'missed-event': {
    about: 'A timeline event had no effect.',
    remedy:
      'Advance the clock past the event, create what it applies to, remove it, or pass --allow-unfired.',
  },
  'no-requests': {
    about: 'The merchant sent no requests.',
    remedy:
      'Point the code under test at this sandbox with this client id, or pass --allow-no-requests.',
  },
  'merchants-full': {
    about: 'Requests were rejected because the sandbox had no room for another merchant.',
    remedy: 'Raise --max-merchants, or delete merchants that are no longer needed.',
  },
  'dropped-exchanges': {
    about: 'The journal has dropped exchanges.',
    remedy:
      'Raise --max-journal-entries or --max-journal-bytes, request the verdict earlier, or pass --allow-dropped.',
  },
  'open-exchanges': {
    about: 'Requests were still open.',
    remedy: 'Request the verdict after the client has finished, or raise --wait.',
  },
};

export interface SarifOptions {
  /** Version of this program. */
  readonly version: string;
  /** What a finding's rule finds, if this version knows the rule: the verdict may come from another version. */
  readonly aboutOf: (rule: Finding['rule']) => string | undefined;
}

/** One JSON document with a result for each finding and each other reason to fail. */
export function verdictSarif(
  verdicts: readonly Verdict[],
  { version, aboutOf }: SarifOptions,
): string {
  const findings = verdicts.flatMap((verdict) => {
    const subjects = findingSubjects(verdict);
    return verdict.findings.map((finding, at) => ({
      verdict,
      finding,
      subject: subjects[at] ?? '',
    }));
  });
  // A rule is as severe as the worst of its findings.
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
              ...[...rules.values()].map(({ rule, severity, remedy }) => ({
                ...ruleOf(rule, { about: aboutOf(rule) ?? remedy, remedy }, levels[severity]),
                properties: {
                  'security-severity': scores[severity],
                  tags: ['payments', 'security'],
                },
              })),
              ...[...new Set(reasons.map(({ kind }) => kind))].map((kind) => ({
                ...ruleOf(kind, reasonRules[kind], 'error'),
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

/** Reasons with their place among their kind. Their texts may hold counts that differ in each run. */
function reasonsOf(verdict: Verdict) {
  const { merchant } = verdict;
  const places = new Map<string, number>();
  return otherReasons(verdict).map(({ kind, text }) => {
    const place = (places.get(kind) ?? 0) + 1;
    places.set(kind, place);
    return { merchant, kind, text, place };
  });
}

/** Code scanning requires both descriptions and shows them above an alert. */
function ruleOf(id: string, { about, remedy }: RuleTexts, level: Level) {
  return {
    id,
    name: id,
    shortDescription: { text: about },
    fullDescription: { text: about },
    help: { text: remedy },
    defaultConfiguration: { level },
  };
}

function resultOf(verdict: Verdict, finding: Finding, subject: string) {
  const { merchant } = verdict;
  const { rule, severity, confidence, what, remedy, evidence, intent, suppressed } = finding;
  return {
    ruleId: rule,
    level: levels[severity],
    message: { text: [what, remedy, ...expiredNote(verdict, finding)].join(' ') },
    locations: [placeOf(merchant, evidence)],
    partialFingerprints: fingerprintOf(merchant, rule, intent ?? '', subject),
    properties: { severity, confidence },
    ...(suppressed !== undefined && {
      suppressions: [{ kind: 'external', justification: suppressed }],
    }),
  };
}

/**
 * Identifies a finding about the same thing in the next run.
 *
 * This is the only fingerprint name that GitHub reads. Without it, GitHub looks for a line of code.
 */
function fingerprintOf(...parts: readonly string[]) {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32);
  return { primaryLocationLineHash: `${hash}:1` };
}

/** The merchant and its exchanges stand for the place, because no line of code is known. */
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
