/**
 * Verdicts as JUnit XML: a suite for each merchant, a case for each reason and finding. It has what the schemas of
 * Jenkins and Surefire ask for, the count of errors and the types of failures among it, which others can do without.
 */
import { harmless } from './escape.ts';
import { subjectsOf } from './subjects.ts';
import { storiesText } from './text.ts';
import { fails, otherReasons, type Finding, type Verdict } from './verdicts.ts';

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
  const head = `  <testsuite name="${escaped(merchant)}" timestamp="${at}" tests="${cases.length}" failures="${failures}" errors="0" skipped="${skipped}">`;
  const className = escaped(`card-vault-sandbox.${merchant}`);
  return {
    tests: cases.length,
    failures,
    xml: [head, ...cases.map((one) => caseOf(className, one)), '  </testsuite>'].join('\n'),
  };
}

/** A suite without a case says nothing, so one that passed has one that says so. */
function casesOf(verdict: Verdict): Case[] {
  const reasons = otherReasons(verdict).map(({ kind, text }): Case => ({
    name: kind,
    failure: { type: kind, message: text, text },
  }));
  const subjects = subjectsOf(verdict);
  const findings = verdict.findings.map((finding, at): Case => {
    const { rule, severity, what, suppressed } = finding;
    const text = told(verdict, finding);
    const name = [`${severity} ${rule}`, subjects[at]].filter(Boolean).join(': ');
    if (suppressed !== undefined) return { name, skipped: `Suppressed: ${suppressed}` };
    return fails(verdict, finding)
      ? { name, failure: { type: rule, message: what, text } }
      : { name, output: text };
  });
  return verdict.passed ? [{ name: 'the money is right' }, ...findings] : [...reasons, ...findings];
}

/** What happened, what to do, and the story of the purchase, for whoever has only the report. */
function told({ purchases }: Verdict, { what, remedy, evidence, intent }: Finding): string {
  const about = purchases.filter(({ key }) => key === intent);
  return [what, `Do: ${remedy}`, `Seen in: ${evidence.join(' ')}`, storiesText(about)]
    .filter(Boolean)
    .join('\n');
}

function caseOf(className: string, { name, failure, skipped, output }: Case): string {
  const body = [
    ...(failure === undefined
      ? []
      : [
          `      <failure type="${escaped(failure.type)}" message="${escaped(failure.message)}">${escaped(failure.text)}</failure>`,
        ]),
    ...(skipped === undefined ? [] : [`      <skipped message="${escaped(skipped)}"/>`]),
    ...(output === undefined ? [] : [`      <system-out>${escaped(output)}</system-out>`]),
  ];
  const head = `    <testcase classname="${className}" name="${escaped(name)}" time="0"`;
  return body.length === 0 ? `${head}/>` : [`${head}>`, ...body, '    </testcase>'].join('\n');
}

/** XML has no way to write most control characters, and what is left of them steers whoever shows the report. */
function escaped(text: string): string {
  return text
    .split('\n')
    .map(harmless)
    .join('\n')
    .replaceAll(/[^\n\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll('\n', '&#10;');
}
