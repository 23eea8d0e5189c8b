/** `verdict`: judges what happened to the money in a running sandbox, for people and for CI. */
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { z } from 'zod';
import type { VerdictOptions } from '../../client/connect.ts';
import { Suppression } from '../../contract/control/verdict.ts';
import { findingIds, type FindingId } from '../../contract/finding-ids.ts';
import { DocumentError } from '../../documents/document-error.ts';
import { explainIssues } from '../../documents/schema-issues.ts';
import { readSource } from '../../documents/source.ts';
import { durationForms, readDurationMs } from '../../domain/duration.ts';
import { packageVersion } from '../../shared/package-root.ts';
import { verdictGithub } from '../../report/github.ts';
import { verdictHtml } from '../../report/html/page.ts';
import { verdictJunit } from '../../report/junit.ts';
import { verdictSarif } from '../../report/sarif.ts';
import { plainStyle, verdictText, type Style } from '../../report/text.ts';
import { allPassed, failedFirst, type Verdict } from '../../report/verdicts.ts';
import { findingRules } from '../../verdict/findings/finding-rules.ts';
import { sandboxAt, toUsageError } from '../settings/address.ts';
import { wantsColour } from '../output/colour.ts';
import { writeReports, type Report } from '../output/report-files.ts';
import { UsageError } from '../errors/usage-error.ts';
import { oneOf } from '../settings/one-of.ts';
import {
  checkMerchantFlags,
  coverageOf,
  verdictsOf,
  type JudgedSandbox,
  type MerchantFlags,
} from '../settings/merchant-selection.ts';

/** The options of every command that judges, as they were given. */
export interface VerdictFlags extends MerchantFlags {
  readonly failOn: string;
  readonly suppress?: readonly string[];
  readonly suppressions?: string;
  readonly allowUnfired?: boolean;
  readonly allowDropped?: boolean;
  readonly allowNoRequests?: boolean;
  readonly wait: string;
  readonly serviceTime: string;
  readonly settle: string;
  readonly json?: string;
  readonly junit?: string;
  readonly sarif?: string;
  readonly coverage?: string;
  readonly html?: string;
}

/** The options of `verdict`. */
export interface VerdictCommandFlags extends VerdictFlags {
  readonly format: string;
}

const failOns = ['critical', 'high', 'medium'] as const;
const formats = ['text', 'json', 'junit', 'sarif', 'github'] as const;

type Format = (typeof formats)[number];

/**
 * Prints the verdicts. The exit code is 0 if all passed, 1 if one failed, 2 if the sandbox did not answer or a report could
 * not be written.
 */
export async function showVerdict(
  url: string | undefined,
  flags: VerdictCommandFlags,
  program: NodeJS.Process,
): Promise<void> {
  const { env, stdout } = program;
  const input = verdictInput(flags);
  const format = oneOf('--format', flags.format, formats);
  const sandbox = sandboxAt(url, program);
  const judgement = await withUsageErrors(() => judge(sandbox, flags, input));
  printVerdicts(judgement.verdicts, format, { stream: stdout, env });
  if (!allPassed(judgement.verdicts)) program.exitCode = 1;
  await writeReports(reportsOf(judgement, flags));
}

/** The verdicts about the selected merchants. */
export interface Judgement {
  readonly sandbox: JudgedSandbox;
  readonly selected: MerchantFlags;
  readonly verdicts: readonly Verdict[];
}

/** Judges the merchants that the options select. */
export async function judge(
  sandbox: JudgedSandbox,
  flags: VerdictFlags,
  input: VerdictOptions,
): Promise<Judgement> {
  checkMerchantFlags(flags);
  const verdicts = await verdictsOf(sandbox, flags, input);
  return { sandbox, selected: flags, verdicts: failedFirst(verdicts) };
}

/** A stream to print to, and the environment that decides about colours. */
export interface PrintTarget {
  readonly stream: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

export function printVerdicts(
  verdicts: readonly Verdict[],
  format: Format,
  { stream, env }: PrintTarget,
): void {
  const style = wantsColour(stream, env) ? colours : plainStyle;
  // A terminal of unknown width reports 0 columns.
  const write = writers(verdicts, stream.columns || 100, style);
  stream.write(write[format]());
  // GitHub Actions reads annotations from any line, so they can follow the text.
  if (format === 'text' && env['GITHUB_ACTIONS'] === 'true') stream.write(write.github());
}

/** The report files that the options name. */
export function reportsOf(
  { sandbox, selected, verdicts }: Judgement,
  { json, junit, sarif, html, coverage: coverageFile }: VerdictFlags,
): Report[] {
  const write = writers(verdicts, 100, plainStyle);
  const readCoverage = () => withUsageErrors(() => coverageOf(sandbox, selected));
  const page = async (): Promise<string> => {
    const coverage = await readCoverage();
    const madeAt = new Date().toISOString();
    return verdictHtml({ verdicts, coverage, madeAt, version: packageVersion() });
  };
  const texts: readonly (readonly [string | undefined, Report['text']])[] = [
    [json, write.json],
    [junit, write.junit],
    [sarif, write.sarif],
    [html, page],
    [coverageFile, async () => `${JSON.stringify(await readCoverage(), undefined, 2)}\n`],
  ];
  return texts.flatMap(([path, text]) => (path === undefined ? [] : [{ path, text }]));
}

async function withUsageErrors<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw toUsageError(error);
  }
}

function writers(
  verdicts: readonly Verdict[],
  columns: number,
  style: Style,
): Readonly<Record<Format, () => string>> {
  return {
    text: () => `${verdictText(verdicts, columns, style)}\n`,
    json: () => `${JSON.stringify({ passed: allPassed(verdicts), verdicts }, undefined, 2)}\n`,
    junit: () => verdictJunit(verdicts),
    sarif: () => verdictSarif(verdicts, { version: packageVersion(), aboutOf }),
    github: () => verdictGithub(verdicts),
  };
}

function aboutOf(rule: FindingId): string | undefined {
  return findingRules.find(({ id }) => id === rule)?.about;
}

const colours: Style = {
  strong: (text) => styleText('bold', text, { validateStream: false }),
  bad: (text) => styleText(['bold', 'red'], text, { validateStream: false }),
  good: (text) => styleText(['bold', 'green'], text, { validateStream: false }),
  faint: (text) => styleText('dim', text, { validateStream: false }),
};

/** The verdict options that the flags describe. Throws a `UsageError` if a flag is wrong. */
export function verdictInput(flags: VerdictFlags): VerdictOptions {
  return {
    failOn: oneOf('--fail-on', flags.failOn, failOns),
    suppress: [
      ...(flags.suppress ?? []).map(readSuppression),
      ...readSuppressionsFile(flags.suppressions),
    ],
    allowUnfired: flags.allowUnfired === true,
    allowDropped: flags.allowDropped === true,
    allowNoRequests: flags.allowNoRequests === true,
    waitMs: readShortTime('--wait', flags.wait),
    serviceTimeMs: readShortTime('--service-time', flags.serviceTime),
    settle: readSettle(flags.settle),
  };
}

function readShortTime(flag: string, text: string): number {
  const ms = readDurationMs(text);
  if (ms !== undefined && ms <= 60_000) return ms;
  throw new UsageError(
    `${flag} must be a duration of at most 60s, got ${JSON.stringify(text)}. Write ${durationForms}.`,
  );
}

function readSettle(text: string): string {
  if (readDurationMs(text) !== undefined) return text;
  throw new UsageError(
    `--settle must be a duration, or 0s to settle nothing, got ${JSON.stringify(text)}. Write ${durationForms}.`,
  );
}

type SuppressionRow = z.output<typeof Suppression>;

/** Reads the form of the command line: `token-per-call=each test is a process`. */
function readSuppression(text: string): SuppressionRow {
  const [, id = '', reason = ''] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  const rule = oneOf('--suppress', id, findingIds);
  if (reason.trim() !== '') return { rule, reason };
  throw new UsageError(
    `--suppress needs a reason: --suppress "${rule}=why it is acceptable here".`,
  );
}

const SuppressionsFile = z.strictObject({ suppress: z.array(Suppression) });

/** Reads a file of suppressions, which may have end dates. */
function readSuppressionsFile(path: string | undefined): readonly SuppressionRow[] {
  if (path === undefined) return [];
  try {
    const source = readSource(path, readFileSync(path, 'utf8'), DocumentError);
    const read = SuppressionsFile.safeParse(source.value);
    if (read.success) return read.data.suppress;
    const schema = z.toJSONSchema(SuppressionsFile, { io: 'input', target: 'draft-7' });
    throw new DocumentError(explainIssues(source, read.error.issues, schema));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UsageError(
      error instanceof DocumentError ? why : `--suppressions: cannot read ${path}: ${why}`,
    );
  }
}
