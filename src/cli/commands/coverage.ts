/** `coverage`: merges what runs have tried, and says what to try next. */
import { readFileSync } from 'node:fs';
import {
  coverageReading,
  CoverageError,
  mergeCoverage,
  readCoverage,
  type Coverage,
} from '../../report/coverage.ts';
import { coverageText } from '../../report/coverage-text.ts';
import { refusedMistake, sandboxAt } from '../settings/address.ts';
import { writeReports } from '../output/report-files.ts';
import { UsageError } from '../errors/usage-error.ts';
import { coverageOf, merchantsMeant } from '../settings/merchant-selection.ts';

/** Flags as they were given. */
export interface CoverageFlags {
  readonly url?: string;
  readonly prefix?: string;
  readonly min?: string;
  readonly out?: string;
}

/**
 * Prints coverage over the files and, where one is named or there are no files, a running sandbox. Exit code 1 where
 * less was tried than the gate asks for.
 */
export async function showCoverage(
  files: readonly string[],
  { url, prefix, min, out }: CoverageFlags,
  program: NodeJS.Process,
): Promise<void> {
  const least = gateOf(min);
  const urls = [...files.filter(isUrl), ...(url === undefined ? [] : [url])];
  const runs = files.filter((file) => !isUrl(file)).map(readFile);
  const asked = files.length === 0 && url === undefined ? [undefined] : urls;
  if (prefix !== undefined && asked.length === 0) {
    throw new UsageError('--prefix picks merchants of a sandbox, and only files are named.');
  }
  runs.push(...(await Promise.all(asked.map((address) => ofSandbox(address, prefix, program)))));
  const merged = mergeCoverage(runs);
  program.stdout.write(`${coverageText(merged)}\n`);
  if (out !== undefined) {
    await writeReports([{ path: out, text: () => `${JSON.stringify(merged, undefined, 2)}\n` }]);
  }
  const { percent } = coverageReading(merged);
  if (percent >= least) return;
  program.stderr.write(
    `card-vault-sandbox: ${percent} % were tried, and --min asks for ${least} %.\n`,
  );
  program.exitCode = 1;
}

/** As the other commands take it, without a flag. */
const isUrl = (word: string): boolean => /^https?:\/\//.test(word);

async function ofSandbox(
  url: string | undefined,
  prefix: string | undefined,
  program: NodeJS.Process,
): Promise<Coverage> {
  try {
    const sandbox = sandboxAt(url, program);
    return await coverageOf(sandbox, await merchantsMeant(sandbox, { prefix }));
  } catch (error) {
    throw refusedMistake(error);
  }
}

function readFile(path: string): Coverage {
  try {
    return readCoverage(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof CoverageError) throw new UsageError(error.message);
    throw new UsageError(
      `The coverage file ${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}

function gateOf(min: string | undefined): number {
  if (min === undefined) return 0;
  if (/^\d{1,3}$/.test(min) && Number(min) <= 100) return Number(min);
  throw new UsageError(`--min must be a whole number from 0 to 100, not ${JSON.stringify(min)}.`);
}
