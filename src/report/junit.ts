/**
 * Verdicts as JUnit XML: a suite for each merchant, a case for each reason and finding.
 *
 * It has all that the schemas of Jenkins and Surefire require, such as error counts and failure types.
 */
import { escapeControls } from './escape.ts';
import { storiesText } from './text.ts';
import {
  expiredNote,
  failsVerdict,
  findingSubjects,
  otherReasons,
  type Finding,
  type Verdict,
} from './verdicts.ts';

/** One XML document. */
export function verdictJunit(verdicts: readonly Verdict[]): string {
  const suites = verdicts.map(suiteOf);
  const sum = (count: (one: Suite) => number): number =>
    suites.reduce((total, one) => total + count(one), 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="card-vault-sandbox" tests="${sum(({ tests }) => tests)}" failures="${sum(({ failures }) => failures)}" errors="0">`,
    ...suites.map(({ xml }) => xml),
    '</testsuites>',
    '',
  ].join('\n');
}

interface Suite {
  readonly tests: number;
  readonly failures: number;
  readonly xml: string;
}

interface Case {
  readonly name: string;
  readonly failure?: { readonly type: string; readonly message: string; readonly text: string };
  readonly skipped?: string;
  readonly output?: string;
}

function suiteOf(verdict: Verdict): Suite {
  const { merchant, at } = verdict;
  const cases = casesOf(verdict);
  const failures = cases.filter(({ failure }) => failure !== undefined).length;
  const skipped = cases.filter((one) => one.skipped !== undefined).length;
  const head = `  <testsuite name="${escapeXml(merchant)}" timestamp="${at}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">`;
  const className = escapeXml(`card-vault-sandbox.${merchant}`);
  return {
    tests: cases.length,
    failures,
    xml: [head, ...cases.map((one) => caseOf(className, one)), '  </testsuite>'].join('\n'),
  };
}

/** A passed verdict has a case of its own, because readers ignore a suite without cases. */
function casesOf(verdict: Verdict): Case[] {
  const reasons = otherReasons(verdict).map(({ kind, text }): Case => ({
    name: kind,
    failure: { type: kind, message: text, text },
  }));
  const subjects = findingSubjects(verdict);
  const findings = verdict.findings.map((finding, at): Case => {
    const { rule, severity, what, suppressed } = finding;
    const text = describeFinding(verdict, finding);
    const name = [`${severity} ${rule}`, subjects[at]].filter(Boolean).join(': ');
    if (suppressed !== undefined) return { name, skipped: `Suppressed: ${suppressed}` };
    return failsVerdict(verdict, finding)
      ? { name, failure: { type: rule, message: what, text } }
      : { name, output: text };
  });
  return verdict.passed ? [{ name: 'the money is right' }, ...findings] : [...reasons, ...findings];
}

/** What happened, what to do and the story of the purchase: a reader may have only this report. */
function describeFinding(verdict: Verdict, finding: Finding): string {
  const { purchases } = verdict;
  const { what, remedy, evidence, intent } = finding;
  const story = storiesText(
    verdict,
    purchases.filter(({ key }) => key === intent),
  );
  return [
    what,
    `Fix: ${remedy}`,
    ...expiredNote(verdict, finding),
    `Requests: ${evidence.join(' ')}`,
    story,
  ]
    .filter(Boolean)
    .join('\n');
}

function caseOf(className: string, { name, failure, skipped, output }: Case): string {
  const body = [
    ...(failure === undefined
      ? []
      : [
          `      <failure type="${escapeXml(failure.type)}" message="${escapeXml(failure.message)}">${escapeXml(failure.text)}</failure>`,
        ]),
    ...(skipped === undefined ? [] : [`      <skipped message="${escapeXml(skipped)}"/>`]),
    ...(output === undefined ? [] : [`      <system-out>${escapeXml(output)}</system-out>`]),
  ];
  const head = `    <testcase classname="${className}" name="${escapeXml(name)}" time="0"`;
  return body.length === 0 ? `${head}/>` : [`${head}>`, ...body, '    </testcase>'].join('\n');
}

/** XML cannot hold most control characters, and the others steer the program that shows the report. */
function escapeXml(text: string): string {
  return text
    .split('\n')
    .map(escapeControls)
    .join('\n')
    .replaceAll(/[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
