/** `verdict`: asks a running sandbox what happened to the money, and ends with a code that a pipeline can go by. */
import { readFileSync } from 'node:fs';
import { styleText } from 'node:util';
import { z } from 'zod';
import type { VerdictInput } from '../../client/connect.ts';
import { Suppression } from '../../contract/control/verdict.ts';
import { findingIds, type FindingId } from '../../contract/finding-ids.ts';
import { DocumentError } from '../../documents/document-error.ts';
import { explainIssues } from '../../documents/schema-issues.ts';
import { readSource } from '../../documents/source.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { readDurationMs } from '../../outcomes/duration.ts';
import { packageVersion } from '../../shared/package-root.ts';
import { verdictGithub } from '../../report/github.ts';
import { verdictHtml } from '../../report/html/page.ts';
import { verdictJunit } from '../../report/junit.ts';
import { verdictSarif } from '../../report/sarif.ts';
import { plainStyle, verdictText, type Style } from '../../report/text.ts';
import { allPassed, type Verdict } from '../../report/verdicts.ts';
import { findingRules } from '../../verdict/findings/finding-rules.ts';
import { refusedMistake, sandboxAt } from '../settings/address.ts';
import { wantsColour } from '../output/colour.ts';
import { writeReports, type Report } from '../output/report-files.ts';
import { UsageError } from '../errors/usage-error.ts';
import {
  coverageOf,
  merchantsMeant,
  type Judged,
  type WhomFlags,
} from '../settings/merchant-selection.ts';

/** Flags of every command that judges, as they were given. */
export interface VerdictFlags extends WhomFlags {
  readonly failOn: string;
  readonly suppress?: readonly string[];
  readonly suppressions?: string;
  readonly allowUnfired?: boolean;
  readonly allowDropped?: boolean;
  readonly allowNoRequests?: boolean;
  readonly wait: string;
  readonly json?: string;
  readonly junit?: string;
  readonly sarif?: string;
  readonly html?: string;
}

/** Those of `verdict`. */
export interface ShownFlags extends VerdictFlags {
  readonly format: string;
}

const failOns = ['critical', 'high', 'medium'] as const;
const formats = ['text', 'json', 'junit', 'sarif', 'github'] as const;

type Format = (typeof formats)[number];

/**
 * Prints the verdicts; exit code 0 where all passed, 1 where one did not, 2 where none could be had or a report
 * could not be written.
 */
export async function showVerdict(
  url: string | undefined,
  flags: ShownFlags,
  program: NodeJS.Process,
): Promise<void> {
  const { env, stdout } = program;
  const order = orderOf(flags);
  const format = oneOf('--format', flags.format, formats);
  const sandbox = sandboxAt(url, program);
  const judgement = await asked(() => judge(sandbox, flags, order));
  printVerdicts(judgement.verdicts, format, { stream: stdout, env });
  if (!allPassed(judgement.verdicts)) program.exitCode = 1;
  await writeReports(reportsOf(judgement, flags));
}

/** The verdicts that were asked for. */
export interface Judgement {
  readonly sandbox: Judged;
  /** Of whom; `undefined` for all. */
  readonly meant: readonly string[] | undefined;
  readonly verdicts: readonly Verdict[];
}

/** Judges those whom the flags name, or else all. */
export async function judge(
  sandbox: Judged,
  flags: VerdictFlags,
  order: VerdictInput,
): Promise<Judgement> {
  const meant = await merchantsMeant(sandbox, flags);
  const known = meant ?? (await sandbox.merchants());
  // A sandbox that nobody asked anything has no merchant, and the verdict must say so.
  const merchants = known.length === 0 ? [sandbox.id] : known;
  const verdicts = await Promise.all(
    merchants.map((merchant) => sandbox.merchant(merchant).verdict(order)),
  );
  return { sandbox, meant, verdicts };
}

/** Where something is printed. */
export interface Printed {
  readonly stream: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
}

export function printVerdicts(
  verdicts: readonly Verdict[],
  format: Format,
  { stream, env }: Printed,
): void {
  const style = wantsColour(stream, env) ? colours : plainStyle;
  const write = writers(verdicts, stream.columns ?? 100, style);
  stream.write(write[format]());
  // Actions reads commands from any line of the output, so they can follow what people read.
  if (format === 'text' && env['GITHUB_ACTIONS'] === 'true') stream.write(write.github());
}

/** The files that the flags name. */
export function reportsOf(
  { sandbox, meant, verdicts }: Judgement,
  { json, junit, sarif, html }: VerdictFlags,
): Report[] {
  const write = writers(verdicts, 100, plainStyle);
  const page = async (): Promise<string> => {
    const coverage = await asked(() => coverageOf(sandbox, meant));
    const madeAt = new Date().toISOString();
    return verdictHtml({ verdicts, coverage, madeAt, version: packageVersion() });
  };
  const texts: readonly (readonly [string | undefined, Report['text']])[] = [
    [json, write.json],
    [junit, write.junit],
    [sarif, write.sarif],
    [html, page],
  ];
  return texts.flatMap(([path, text]) => (path === undefined ? [] : [{ path, text }]));
}

async function asked<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    throw refusedMistake(error);
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

/** What the flags ask for. Throws a `UsageError` that says what is wrong with them. */
export function orderOf(flags: VerdictFlags): VerdictInput {
  const waitMs = readDurationMs(flags.wait);
  if (waitMs === undefined || waitMs > 60_000) {
    throw new UsageError(
      `--wait must be a span of time up to 60s, such as 500ms or 2s, not ${JSON.stringify(flags.wait)}.`,
    );
  }
  return {
    failOn: oneOf('--fail-on', flags.failOn, failOns),
    suppress: [...(flags.suppress ?? []).map(suppressionOf), ...fileOf(flags.suppressions)],
    allowUnfired: flags.allowUnfired === true,
    allowDropped: flags.allowDropped === true,
    allowNoRequests: flags.allowNoRequests === true,
    waitMs,
  };
}

type Suppressed = z.output<typeof Suppression>;

/** `token-per-call=one process a test`, as it is written on a command line. */
function suppressionOf(written: string): Suppressed {
  const [, id = '', reason = ''] = /^([^=]*)=?(.*)$/s.exec(written) ?? [];
  const rule = oneOf('--suppress', id, findingIds);
  if (reason.trim() !== '') return { rule, reason };
  throw new UsageError(
    `--suppress needs a reason: --suppress "${rule}=why it is no problem here".`,
  );
}

const SuppressionsFile = z.strictObject({ suppress: z.array(Suppression) });

/** A file of them, which can also say until when. */
function fileOf(path: string | undefined): readonly Suppressed[] {
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
      error instanceof DocumentError ? why : `--suppressions ${path} cannot be read: ${why}`,
    );
  }
}

function oneOf<const T extends string>(flag: string, given: string, choices: readonly T[]): T {
  const chosen = choices.find((choice) => choice === given);
  if (chosen !== undefined) return chosen;
  throw new UsageError(
    `${flag} must be one of ${choices.join(', ')}, not ${JSON.stringify(given)}.${didYouMean(given, choices)}`,
  );
}
