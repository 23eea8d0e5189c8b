/** Verdicts as SARIF 2.1.0, for code scanning. */
import { createHash } from 'node:crypto';
import type { Severity } from '../contract/constants.ts';
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

/** Of a rule, what it looks for and what to do, in a sentence each. */
interface RuleWords {
  readonly about: string;
  readonly remedy: string;
}

/** Of reasons that are no findings. */
const reasonRules: Readonly<Record<OtherReason['kind'], RuleWords>> = {
  expectation: {
    about: 'Something that was expected is not so.',
    remedy:
      'Look at the stories of the purchases for what came instead, and mend the code under test, or what was expected.',
  },
  belief: {
    about: 'The code under test believes what the ledger does not say.',
    remedy: 'Let your code believe only what an answer says, and read what it is not sure of.',
  },
  'unfired-rule': {
    about: 'A rule was armed and never fired.',
    remedy:
      'Let the test ask what the rule is armed for, take the rule out, or pass --allow-unfired.',
  },
  'missed-event': {
    about: 'An event of the timeline befell nothing.',
    remedy:
      'Move the clock past the event, let there be what it befalls, take it out, or pass --allow-unfired.',
  },
  'no-requests': {
    about: 'Nobody asked anything.',
    remedy:
      'Point the code under test at this sandbox with this client id, or pass --allow-no-requests.',
  },
  'turned-away': {
    about: 'Requests were turned away for want of room.',
    remedy: 'Raise --max-merchants, or delete merchants that are done.',
  },
  'dropped-exchanges': {
    about: 'The journal has dropped exchanges.',
    remedy:
      'Raise --max-journal-entries or --max-journal-bytes, judge sooner, or pass --allow-dropped.',
  },
  'open-exchanges': {
    about: 'Exchanges were still under way.',
    remedy: 'Ask for the verdict once the client is done, or raise --wait.',
  },
};

/** Who judged. */
export interface Judge {
  readonly version: string;
  /** What a finding's rule looks for, where that is known here: a sandbox elsewhere may have others. */
  readonly aboutOf: (rule: Finding['rule']) => string | undefined;
}

/** One JSON document, with a result for each finding and for each other reason to fail. */
export function verdictSarif(verdicts: readonly Verdict[], { version, aboutOf }: Judge): string {
  const findings = verdicts.flatMap((verdict) => {
    const subjects = subjectsOf(verdict);
    return verdict.findings.map((finding, at) => ({
      verdict,
      finding,
      subject: subjects[at] ?? '',
    }));
  });
  // Each is as bad as the worst of its findings.
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

/** Both descriptions are what code scanning shows at the head of an alert, and it asks for both. */
function ruleOf(id: string, { about, remedy }: RuleWords, level: Level) {
  return {
    id,
    name: id,
    shortDescription: { text: about },
    fullDescription: { text: about },
    help: { text: remedy },
    defaultConfiguration: { level },
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
