/** Verdicts as SARIF: the form of the standard, and what code scanning reads. */
import { beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Verdict } from '../../../src/index.ts';
import { verdictSarif } from '../../../src/report/sarif.ts';
import { sampleVerdicts, withMixedFindings } from './sample-verdicts.ts';

let careful: Verdict;
let careless: Verdict;
let hostile: Verdict;

beforeAll(async () => {
  [careful, careless, hostile] = await sampleVerdicts();
});

const Sentence = z.strictObject({ text: z.string().min(1).max(1024) });

const Sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z.tuple([
    z.strictObject({
      tool: z.strictObject({
        driver: z.strictObject({
          name: z.string(),
          semanticVersion: z.string(),
          rules: z.array(
            z.looseObject({
              id: z.string(),
              shortDescription: Sentence,
              fullDescription: Sentence,
              help: Sentence,
              defaultConfiguration: z.strictObject({ level: z.string() }),
              properties: z.strictObject({
                tags: z.array(z.string()),
                'security-severity': z.string().optional(),
              }),
            }),
          ),
        }),
      }),
      results: z.array(
        z.strictObject({
          ruleId: z.string(),
          level: z.enum(['none', 'note', 'warning', 'error']),
          message: Sentence,
          locations: z
            .array(
              z.strictObject({
                physicalLocation: z.strictObject({
                  artifactLocation: z.strictObject({
                    uri: z.string().regex(/^merchants\/[\w.~%-]+$/),
                  }),
                  region: z.strictObject({ startLine: z.int().positive() }),
                }),
                logicalLocations: z
                  .array(z.strictObject({ name: z.string(), kind: z.string() }))
                  .min(1),
              }),
            )
            .min(1),
          partialFingerprints: z.strictObject({
            primaryLocationLineHash: z.string().regex(/^[\da-f]{32}:1$/),
          }),
          properties: z.record(z.string(), z.string()).optional(),
          suppressions: z
            .array(
              z.strictObject({ kind: z.enum(['inSource', 'external']), justification: z.string() }),
            )
            .optional(),
        }),
      ),
    }),
  ]),
});

type SarifRun = z.infer<typeof Sarif>['runs'][0];

const fingerprintOf = ({ partialFingerprints }: SarifRun['results'][number]): string =>
  partialFingerprints.primaryLocationLineHash;

const options = {
  version: '1.2.3',
  aboutOf: (rule: string) => (rule === 'double-charge' ? 'Charged twice.' : undefined),
};

describe('SARIF', () => {
  const runOf = (verdicts: readonly Verdict[]): SarifRun =>
    Sarif.parse(JSON.parse(verdictSarif(verdicts, options))).runs[0];

  it('follows the standard, has a rule for each result and stable fingerprints', () => {
    const run = runOf([careful, withMixedFindings(careless), hostile]);
    const ids = run.tool.driver.rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(run.results.map(({ ruleId }) => ruleId).filter((id) => !ids.includes(id))).toEqual([]);
    expect(run.results).toHaveLength(7 + 1 + 15);
    expect(run.results.filter(({ suppressions }) => suppressions !== undefined)).toEqual([
      expect.objectContaining({ suppressions: [{ kind: 'external', justification: 'we know' }] }),
    ]);
    expect(run.results.find(({ ruleId }) => ruleId === 'unfired-rule')?.level).toBe('error');
    expect(run.results.filter(({ level }) => level === 'warning')).toHaveLength(1);
    const again = runOf([careful, withMixedFindings(careless), hostile]);
    expect(again.results.map(fingerprintOf)).toEqual(run.results.map(fingerprintOf));
  });

  it('gives equal findings different fingerprints', () => {
    const { findings } = careless;
    const unnamed = findings.map((finding) => ({ ...finding, intent: undefined }));
    const prints = runOf([
      { ...careless, reasons: [], findings: [...findings, ...unnamed, ...unnamed] },
    ]).results.map(fingerprintOf);
    expect(prints).toHaveLength(3 * findings.length);
    expect(new Set(prints).size).toBe(prints.length);
  });

  it('gives a rule the severity of its worst finding', () => {
    const [finding] = careless.findings;
    if (finding === undefined) throw new Error('There are no findings.');
    const severities = ['low', 'critical', 'medium'] as const;
    const findings = severities.map((severity) => ({ ...finding, severity }));
    const { rules } = runOf([{ ...careless, reasons: [], findings }]).tool.driver;
    expect(rules).toEqual([
      expect.objectContaining({
        id: finding.rule,
        defaultConfiguration: { level: 'error' },
        properties: { 'security-severity': '9.5', tags: ['payments', 'security'] },
      }),
    ]);
  });

  it('describes each rule, and an unknown rule by its advice', () => {
    const [finding] = careless.findings;
    if (finding === undefined) throw new Error('There are no findings.');
    const rules = ['double-charge', 'refund-and-chargeback'] as const;
    const findings = rules.map((rule) => ({ ...finding, rule, remedy: 'Send it once.' }));
    const descriptions = runOf([{ ...careless, reasons: [], findings }]).tool.driver.rules.map(
      ({ shortDescription, fullDescription }) => [shortDescription.text, fullDescription.text],
    );
    expect(descriptions).toEqual([
      ['Charged twice.', 'Charged twice.'],
      ['Send it once.', 'Send it once.'],
    ]);
  });

  it('has advice and stable fingerprints for reasons other than findings', () => {
    const reasonsIn = (texts: readonly string[]): SarifRun =>
      runOf([
        {
          ...careful,
          reasons: texts.map((text) => ({ kind: 'dropped-exchanges', text })),
        },
      ]);
    const [first, second] = [reasonsIn(['12 dropped.', '3 dropped.']), reasonsIn(['13 dropped.'])];
    expect(first.tool.driver.rules).toMatchObject([
      { id: 'dropped-exchanges', help: { text: expect.stringContaining('--max-journal-entries') } },
    ]);
    const [one, two] = first.results.map(fingerprintOf);
    expect(second.results.map(fingerprintOf)).toEqual([one]);
    expect(two).not.toBe(one);
  });
});
