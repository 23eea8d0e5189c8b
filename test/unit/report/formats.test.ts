/** Verdicts as text, JUnit XML and GitHub annotations: well-formed whatever merchants write, and within the width. */
import { beforeAll, describe, expect, it } from 'vitest';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Verdict } from '../../../src/index.ts';
import { assertPassed, VerdictError } from '../../../src/report/verdict-error.ts';
import { verdictGithub } from '../../../src/report/github.ts';
import { verdictJunit } from '../../../src/report/junit.ts';
import { storiesText, storyOf, verdictText, type Style } from '../../../src/report/text.ts';
import { allPassed } from '../../../src/report/verdicts.ts';
import { readXml, type XmlElement } from './read-xml.ts';
import { hostile, sampleVerdicts, withMixedFindings } from './sample-verdicts.ts';

let verdicts: readonly Verdict[];
let careful: Verdict;
let careless: Verdict;
let hostileVerdict: Verdict;

beforeAll(async () => {
  verdicts = [careful, careless, hostileVerdict] = await sampleVerdicts();
});

describe('the text', () => {
  it.each([80, 100])('is no wider than %d columns', (columns) => {
    const lines = verdictText(verdicts, columns).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.some((line) => line.length > columns - 15)).toBe(true);
  });

  it('shows the result, the money, the findings and what happened to the purchases', () => {
    const text = verdictText([careless], 100);
    expect(text).toMatch(/^FAILED careless {2}6 requests, 3 purchases, 7 findings\n/);
    expect(text).toContain(
      '\n  USD: 150.55 charged, 0.00 returned, 150.55 kept, 90.33 more than ordered\n',
    );
    expect(text.replaceAll(/\s+/g, ' ')).toContain(
      ' Rule rule-4 never fired for merchant careless (sale.refund → reset-after-commit): no sale.refund request arrived. ',
    );
    expect(text).toContain('\n  CRITICAL new-key-on-retry (likely)\n');
    expect(text).toContain('\n  What happened to two tickets:\n');
    expect(text).not.toContain('What happened to shoes');
    expect(verdictText([careful], 100)).toBe(
      'PASSED careful  7 requests, 3 purchases, 0 findings\n  USD: 90.33 charged, 0.00 returned, 90.33 kept',
    );
  });

  it.each([
    [[true], '1 expectation held'],
    [[true, true], '2 expectations held'],
    [[true, false, false], '1 of 3 expectations held'],
    [[false], '0 of 1 expectation held'],
  ])('says how many expectations held: %j', (oks, words) => {
    const expectations = oks.map((ok) => ({ place: 'orphans', expected: '0', found: '0', ok }));
    const [line] = verdictText([{ ...careful, expectations }], 100).split('\n');
    expect(line).toBe(`PASSED careful  7 requests, 3 purchases, 0 findings, ${words}`);
  });

  it('lists attempts and charges in order of time, with days if there are several', () => {
    const lines = storiesText(careful, careful.purchases, 200).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '  What happened to INV-100:',
      '    07:08:09.000  payment.create  executed, answer lost; the client cannot know the result  [reset-after-commit]',
      expect.stringMatching(
        /^ {4}07:08:09\.000 {2}\w+ {2}completed, 30\.11 of 30\.11 USD kept; the client knew from a replayed answer at 07:08:10\.200$/,
      ),
      '    07:08:10.200  payment.create  replayed, 201; the client knows that it succeeded',
    ]);
    const later = lines.find((line) => line.includes('payment.get'));
    expect(later).toMatch(/^ {4}05-09 07:08:10\.200 {2}payment\.get/);
  });

  it('says how much of an answer arrived, and how the client learned of a charge', () => {
    const [paid] = careful.purchases;
    const [attempt] = paid?.attempts ?? [];
    const [charge] = paid?.charges ?? [];
    if (paid === undefined || attempt === undefined || charge?.disclosedBy === undefined) {
      throw new Error('The sample verdict has no such purchase.');
    }
    const { disclosedBy } = charge;
    const lines = storyOf({
      ...paid,
      attempts: [
        { ...attempt, delivery: 'cut' },
        { ...attempt, delivery: 'open' },
      ],
      charges: [
        { ...charge, disclosedBy: { ...disclosedBy, how: 'answer' } },
        { ...charge, disclosedBy: { ...disclosedBy, how: 'show' } },
        { ...charge, disclosedBy: { ...disclosedBy, how: 'list', at: '2026-05-08T01:02:03.000Z' } },
        { ...charge, disclosedBy: undefined, known: 'unsure' },
      ],
    });
    expect(lines.map((line) => line.replace(/^.*(?:executed|kept)[,;] /, ''))).toEqual([
      'answer cut short: 201; the client cannot know the result  [reset-after-commit]',
      'still open; the client cannot know the result  [reset-after-commit]',
      'the client knew from the answer',
      'the client knew from a read at 05-06 07:08:10.200',
      'the client knew from a list at 05-08 01:02:03.000',
      'unknown whether the client knew',
    ]);
  });

  it('adds nothing but colours', () => {
    const style: Style = {
      strong: (text) => styleText('bold', text, { validateStream: false }),
      bad: (text) => styleText('red', text, { validateStream: false }),
      good: (text) => styleText('green', text, { validateStream: false }),
      faint: (text) => styleText('dim', text, { validateStream: false }),
    };
    const coloured = verdictText(verdicts, 80, style);
    expect(coloured).not.toBe(verdictText(verdicts, 80));
    expect(stripVTControlCharacters(coloured)).toBe(verdictText(verdicts, 80));
  });

  it('replaces control characters in texts of merchants', () => {
    const text = verdictText([hostileVerdict], 100);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(text).toContain('INV\ufffd[31m\ufffd\ufffdtxet');
    // GitHub Actions would run such a line as a command.
    expect(text).not.toMatch(/^::/m);
  });

  it('replaces CI commands in texts of merchants at any line break', () => {
    const [finding] = careless.findings;
    if (finding === undefined) throw new Error('There are no findings.');
    const words = ['::add-mask::paid', '\u00a0::stop-commands::x', '##[error]', '##vso[a]b'];
    const kept = 'a::b ##7 #[c]';
    const what = [...words, kept].join(' ');
    const text = verdictText([{ ...careless, findings: [{ ...finding, what }] }], 20);
    expect(text).toMatch(/^ +\ufffd\ufffdadd-mask::paid$/m);
    expect(text).not.toMatch(/^\s*::|##\w*\[/m);
    expect(text.replaceAll(/\s+/g, ' ')).toContain(kept);
  });

  it('counts the suppressed findings of each rule, with the reason', () => {
    const mixed = withMixedFindings(careless);
    const textOf = (suppressed: number): string =>
      verdictText([{ ...mixed, counts: { ...careless.counts, suppressed } }], 100);
    const text = textOf(1);
    expect(text).toMatch(/^FAILED careless .*6 findings, 1 suppressed\n/);
    expect(text).toMatch(/\n {2}Suppressed [a-z-]+, 1 finding: "we know"\n\n/);
    expect(textOf(3)).toContain('"we know"\n  2 more suppressed findings of the same rules.\n');
    expect(text).toContain('\n  MEDIUM double-charge\n');
  });
});

describe('assertPassed', () => {
  it('throws the text of the verdict, and carries the verdict as a private field', () => {
    expect(() => assertPassed(careful)).not.toThrow();
    const error = thrownBy(() => assertPassed(careless));
    expect(error).toBeInstanceOf(VerdictError);
    expect(error).toMatchObject({ name: 'VerdictError', message: verdictText([careless], 100) });
    expect(error instanceof VerdictError && error.verdict).toBe(careless);
    expect(Object.keys(error)).not.toContain('verdict');
    expect(error.stack).toMatch(/\n +at .*formats\.test\.ts/);
    expect(error.stack).not.toContain('verdict-error.ts');
  });

  it.each([
    [Promise.resolve({}), 'a promise: add await'],
    [undefined, 'undefined'],
    [{ passed: true }, 'object'],
  ])('refuses a value that is not a verdict: %o', (value, words) => {
    // A caller without types can pass anything.
    const untyped = assertPassed as (value: unknown) => void;
    expect(() => untyped(value)).toThrow(
      `assertPassed needs a verdict from merchant.verdict(), got ${words}.`,
    );
  });

  it('needs at least one verdict to pass', () => {
    expect([allPassed([]), allPassed([careful]), allPassed([careful, careless])]).toEqual([
      false,
      true,
      false,
    ]);
  });
});

function thrownBy(action: () => void): Error {
  try {
    action();
  } catch (error) {
    if (error instanceof Error) return error;
  }
  throw new Error('The action threw nothing.');
}

describe('JUnit XML', () => {
  const suitesOf = (of: readonly Verdict[]): readonly XmlElement[] => {
    const rootElement = readXml(verdictJunit(of));
    expect(rootElement.name).toBe('testsuites');
    return rootElement.children;
  };

  it('is well-formed, with one suite per merchant and correct counts', () => {
    const suites = suitesOf([careful, withMixedFindings(careless), hostileVerdict]);
    const cases = (suite: XmlElement | undefined, child: string): number =>
      suite?.children.filter(({ children }) => children.some(({ name }) => name === child))
        .length ?? -1;
    expect(suites.map(({ attributes }) => attributes['name'])).toEqual([
      'careful',
      'careless',
      'hostile',
    ]);
    for (const suite of suites) {
      expect(suite.attributes).toMatchObject({
        tests: String(suite.children.length),
        failures: String(cases(suite, 'failure')),
        skipped: String(cases(suite, 'skipped')),
      });
    }
    expect([cases(suites[1], 'skipped'), cases(suites[1], 'system-out')]).toEqual([1, 1]);
    expect(suites[0]?.children.map(({ attributes }) => attributes['name'])).toEqual([
      'the money is right',
    ]);
  });

  it('has in each failure what happened, what to do, the requests and the story', () => {
    const [suite] = suitesOf([careless]);
    const texts =
      suite?.children.flatMap(({ children }) =>
        children.filter(({ name }) => name === 'failure').map(({ text }) => text),
      ) ?? [];
    const [finding] = careless.findings;
    const failure = texts.find((text) => text.startsWith(finding?.what ?? 'no finding')) ?? '';
    expect(failure).toContain(
      `\nFix: ${finding?.remedy}\nRequests: ${finding?.evidence.join(' ')}\n`,
    );
    const purchase = careless.purchases.find(({ key }) => key === finding?.intent);
    if (purchase === undefined) throw new Error('The finding has no purchase.');
    expect(failure.endsWith(`\n${storiesText(careless, [purchase])}`)).toBe(true);
  });

  it('has what the schemas of Jenkins and Surefire require', () => {
    const required: Readonly<Record<string, readonly string[]>> = {
      testsuite: ['name', 'tests', 'failures', 'errors', 'skipped'],
      testcase: ['name', 'time'],
      failure: ['type'],
    };
    const missing = (element: XmlElement): string[] => [
      ...(required[element.name] ?? []).filter((name) => !element.attributes[name]),
      ...element.children.flatMap(missing),
    ];
    expect(
      suitesOf([careful, withMixedFindings(careless), hostileVerdict]).flatMap(missing),
    ).toEqual([]);
  });

  it('keeps texts of merchants, except for control characters', () => {
    const [suite] = suitesOf([hostileVerdict]);
    const messages =
      suite?.children.flatMap(({ children }) =>
        children.map(({ attributes }) => attributes['message'] ?? ''),
      ) ?? [];
    expect(messages.some((message) => message.includes(hostile.markup))).toBe(true);
    expect(messages.some((message) => message.includes(hostile.entity))).toBe(true);
    expect(messages.some((message) => message.includes(`INV\ufffd[31m\ufffd\ufffdtxet`))).toBe(
      true,
    );
  });
});

describe('equal findings', () => {
  it('have different names in JUnit XML', () => {
    const { findings } = careless;
    const unnamed = findings.map((finding) => ({ ...finding, intent: undefined }));
    const doubled: Verdict = { ...careless, findings: [...findings, ...unnamed, ...unnamed] };
    const names = readXml(verdictJunit([doubled]))
      .children.flatMap(({ children }) => children)
      .map(({ attributes }) => attributes['name']);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('GitHub annotations', () => {
  it('are one command per line, whatever merchants write', () => {
    const lines = verdictGithub([careful, withMixedFindings(careless), hostileVerdict])
      .split('\n')
      .slice(0, -1);
    expect(lines).toHaveLength(10 + 1);
    for (const line of lines)
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]+::[^\r\n]+$/);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('we know'))).toEqual([]);
  });

  it('are one command per line for each finding and reason with hostile texts', () => {
    const parts: Verdict[] = [
      ...hostileVerdict.findings.map((one) => ({
        ...hostileVerdict,
        findings: [one],
        reasons: [],
      })),
      ...hostileVerdict.reasons.map((one) => ({ ...hostileVerdict, findings: [], reasons: [one] })),
    ];
    const lines = parts.flatMap((one) => verdictGithub([one]).split('\n').slice(0, -1));
    for (const line of lines) expect(line).toMatch(/^::error title=[^:,]+::[^\r\n]+$/);
    expect(lines.filter((line) => line.includes('%250A'))).not.toEqual([]);
  });

  it('are ten of a level at most, as GitHub shows no more, with every rule among them', () => {
    const many: Verdict[] = Array.from({ length: 300 }, (_, at) => ({
      ...careless,
      merchant: `shop-${at}`,
    }));
    const lines = verdictGithub(many).split('\n').slice(0, -1);
    const kinds = new Set(lines.map((line) => /%3A ([a-z-]+)::/.exec(line)?.[1]));
    for (const { rule } of careless.findings) expect(kinds).toContain(rule);
    const errors = lines.filter((line) => line.startsWith('::error'));
    expect(errors).toHaveLength(10);
    expect(errors.at(-1)).toMatch(/^::error title=card-vault-sandbox::\d+ more of this level\. /);
  });
});
