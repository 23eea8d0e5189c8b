/** Verdicts for machines and for terminals: well-formed whatever merchants write, and no wider than asked. */
import { beforeAll, describe, expect, it } from 'vitest';
import { stripVTControlCharacters, styleText } from 'node:util';
import type { Verdict } from '../../../src/index.ts';
import { assertPassed, VerdictError } from '../../../src/report/verdict-error.ts';
import { verdictGithub } from '../../../src/report/github.ts';
import { verdictJunit } from '../../../src/report/junit.ts';
import { storiesText, storyOf, verdictText, type Style } from '../../../src/report/text.ts';
import { allPassed } from '../../../src/report/verdicts.ts';
import { hostile, mixed, playThree } from './happenings.ts';
import { readXml, type XmlElement } from './xml.ts';

let verdicts: readonly Verdict[];
let careful: Verdict;
let careless: Verdict;
let hostileOne: Verdict;

beforeAll(async () => {
  verdicts = [careful, careless, hostileOne] = await playThree();
});

describe('text', () => {
  it.each([80, 100])('is no wider than %d columns where words allow it', (columns) => {
    const lines = verdictText(verdicts, columns).split('\n');
    expect(lines.filter((line) => line.length > columns)).toEqual([]);
    expect(lines.some((line) => line.length > columns - 15)).toBe(true);
  });

  it('says how each ended, the money, the findings and the story', () => {
    const text = verdictText([careless], 100);
    expect(text).toMatch(/^FAILED careless {2}6 requests, 3 purchases, 7 findings\n/);
    expect(text).toContain('\n  USD: 150.55 charged, 0.00 given back, 150.55 kept\n');
    expect(text).toContain(
      '\n  Rule rule-4 never fired (sale.refund → reset-after-commit): no sale.refund request arrived.\n',
    );
    expect(text).toContain('\n  CRITICAL new-key-on-retry (likely)\n');
    expect(text).toContain('\n  What happened to two tickets:\n');
    expect(text).not.toContain('What happened to shoes');
    expect(verdictText([careful], 100)).toBe(
      'PASSED careful  7 requests, 3 purchases, 0 findings\n  USD: 90.33 charged, 0.00 given back, 90.33 kept',
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

  it('tells a story in the order in which it came, with days where there are several', () => {
    const lines = storiesText(careful.purchases, 200).split('\n');
    expect(lines.slice(0, 4)).toEqual([
      '  What happened to INV-100:',
      '    07:08:09.000  payment.create  done, no answer: the client knows UNKNOWN  [reset-after-commit]',
      expect.stringMatching(
        /^ {4}07:08:09\.000 {2}\w+ {2}completed, 30\.11 of 30\.11 USD kept; told in a repeat at 07:08:10\.200$/,
      ),
      '    07:08:10.200  payment.create  repeated, 201: the client knows OK',
    ]);
    const later = lines.find((line) => line.includes('payment.get'));
    expect(later).toMatch(/^ {4}05-09 07:08:10\.200 {2}payment\.get/);
  });

  it('says how much of an answer came, and how else the client was told', () => {
    const [paid] = careful.purchases;
    const [attempt] = paid?.attempts ?? [];
    const [charge] = paid?.charges ?? [];
    if (paid === undefined || attempt === undefined || charge?.toldBy === undefined) {
      throw new Error('Nothing was paid.');
    }
    const { toldBy } = charge;
    const told = storyOf({
      ...paid,
      attempts: [
        { ...attempt, delivery: 'cut' },
        { ...attempt, delivery: 'open' },
      ],
      charges: [
        { ...charge, toldBy: { ...toldBy, how: 'answer' } },
        { ...charge, toldBy: { ...toldBy, how: 'show' } },
        { ...charge, toldBy: { ...toldBy, how: 'list', at: '2026-05-08T01:02:03.000Z' } },
        { ...charge, toldBy: undefined, known: 'unsure' },
      ],
    });
    expect(told.map((line) => line.replace(/^.*(?:done|kept)[,;] /, ''))).toEqual([
      'cut short: 201: the client knows UNKNOWN  [reset-after-commit]',
      'under way: the client knows UNKNOWN  [reset-after-commit]',
      'told in the answer',
      'read at 05-06 07:08:10.200',
      'read in a list at 05-08 01:02:03.000',
      'unknown whether it was told',
    ]);
  });

  it('colours words and nothing else', () => {
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

  it('lets no text of a merchant steer a terminal', () => {
    const text = verdictText([hostileOne], 100);
    expect(text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(text).toContain('INV\ufffd[31m\ufffd\ufffdtxet');
    // Nor begin a line that Actions would read as a command.
    expect(text).not.toMatch(/^::/m);
  });

  it('lets no text of a merchant steer a pipeline, wherever it is wrapped', () => {
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

  it('counts what is suppressed, and shows it no more', () => {
    const text = verdictText(
      [{ ...mixed(careless), counts: { ...careless.counts, suppressed: 1 } }],
      100,
    );
    expect(text).toMatch(/^FAILED careless .*6 findings, 1 suppressed\n/);
    expect(text).toContain('\n  MEDIUM double-charge\n');
  });
});

describe('an assertion', () => {
  it('throws what happened to the money, and carries the verdict unseen', () => {
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
    [Promise.resolve({}), 'a promise: write await before it'],
    [undefined, 'undefined'],
    [{ passed: true }, 'object'],
  ])('says what it was given instead of a verdict: %o', (value, words) => {
    // As those call it who have no types.
    const loose = assertPassed as (given: unknown) => void;
    expect(() => loose(value)).toThrow(
      `assertPassed needs a verdict, as merchant.verdict() resolves to, and was given ${words}.`,
    );
  });

  it('is about at least one verdict', () => {
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
  throw new Error('Nothing was thrown.');
}

describe('JUnit XML', () => {
  const suitesOf = (of: readonly Verdict[]): readonly XmlElement[] => {
    const rootElement = readXml(verdictJunit(of));
    expect(rootElement.name).toBe('testsuites');
    return rootElement.children;
  };

  it('is well-formed, with a suite for each merchant and true counts', () => {
    const suites = suitesOf([careful, mixed(careless), hostileOne]);
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

  it('tells in a failure what happened, what to do, what shows it, and the story', () => {
    const [suite] = suitesOf([careless]);
    const texts =
      suite?.children.flatMap(({ children }) =>
        children.filter(({ name }) => name === 'failure').map(({ text }) => text),
      ) ?? [];
    const [finding] = careless.findings;
    const told = texts.find((text) => text.startsWith(finding?.what ?? 'no finding')) ?? '';
    expect(told).toContain(`\nDo: ${finding?.remedy}\nSeen in: ${finding?.evidence.join(' ')}\n`);
    const purchase = careless.purchases.find(({ key }) => key === finding?.intent);
    if (purchase === undefined) throw new Error('The finding is about no purchase.');
    expect(told.endsWith(`\n${storiesText([purchase])}`)).toBe(true);
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
    expect(suitesOf([careful, mixed(careless), hostileOne]).flatMap(missing)).toEqual([]);
  });

  it('gives back what merchants wrote, but for what XML cannot hold and what steers a terminal', () => {
    const [suite] = suitesOf([hostileOne]);
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

describe('findings that are alike', () => {
  it('have each a name of their own in JUnit', () => {
    const { findings } = careless;
    const unnamed = findings.map((finding) => ({ ...finding, intent: undefined }));
    const doubled: Verdict = { ...careless, findings: [...findings, ...unnamed, ...unnamed] };
    const names = readXml(verdictJunit([doubled]))
      .children.flatMap(({ children }) => children)
      .map(({ attributes }) => attributes['name']);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('annotations', () => {
  it('are one command a line, whatever merchants write', () => {
    const lines = verdictGithub([careful, mixed(careless), hostileOne])
      .split('\n')
      .slice(0, -1);
    expect(lines).toHaveLength(6 + 1 + 15);
    for (const line of lines)
      expect(line).toMatch(/^::(?:error|warning|notice) title=[^:,]+::[^\r\n]+$/);
    expect(lines.join('')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(lines.filter((line) => line.startsWith('::warning'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('%250A'))).not.toEqual([]);
    expect(lines.filter((line) => line.includes('we know'))).toEqual([]);
  });
});
