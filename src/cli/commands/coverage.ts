/** `coverage`: merges what several runs tried, and suggests what to try next. */
import { existsSync, readFileSync } from 'node:fs';
import {
  coverageText,
  CoverageError,
  mergeCoverage,
  readCoverage,
  summarizeCoverage,
  type Coverage,
} from '../../report/coverage.ts';
import { describeReadFailure } from '../../documents/read-failure.ts';
import { isAddress, sandboxAt, toUsageError } from '../settings/address.ts';
import { writeReports } from '../output/report-files.ts';
import { UsageError } from '../errors/usage-error.ts';
import { checkMerchantFlags, coverageOf } from '../settings/merchant-selection.ts';

/** The options as they were given. */
export interface CoverageFlags {
  readonly url?: string;
  readonly prefix?: string;
  readonly min?: string;
  readonly out?: string;
}

/**
 * Prints the merged coverage of files and running sandboxes. Without any, it reads the sandbox on this machine. The exit
 * code is 1 if no merchant has the prefix, or if less was tried than `--min` requires.
 */
export async function showCoverage(
  sources: readonly string[],
  { url, prefix, min, out }: CoverageFlags,
  program: NodeJS.Process,
): Promise<void> {
  const required = readMinimum(min);
  checkMerchantFlags({ prefix });
  const urls = [...sources.filter(isSandbox), ...(url === undefined ? [] : [url])];
  const runs = sources.filter((source) => !isSandbox(source)).map(readFile);
  const addresses = sources.length === 0 && url === undefined ? [undefined] : urls;
  if (prefix !== undefined && addresses.length === 0) {
    throw new UsageError('--prefix selects merchants of a sandbox. Name a sandbox with --url.');
  }
  const read = await Promise.all(addresses.map((address) => readSandbox(address, prefix, program)));
  runs.push(...read.map(({ coverage }) => coverage));
  const merged = mergeCoverage(runs);
  program.stdout.write(`${coverageText(merged)}\n`);
  if (out !== undefined) {
    await writeReports([{ path: out, text: () => `${JSON.stringify(merged, undefined, 2)}\n` }]);
  }
  if (prefix !== undefined && !read.some(({ hasMerchants }) => hasMerchants)) {
    program.stderr.write(
      `card-vault-sandbox: No merchant has an id that starts with ${prefix}, so nothing was tested. Check --prefix, and the client id in your code.\n`,
    );
    program.exitCode = 1;
    return;
  }
  const { percent } = summarizeCoverage(merged);
  if (percent >= required) return;
  program.stderr.write(
    `card-vault-sandbox: ${percent} % was tried; --min requires ${required} %.\n`,
  );
  program.exitCode = 1;
}

/** A file has precedence over an address of the same form, such as "4400". */
const isSandbox = (source: string): boolean => isAddress(source) && !existsSync(source);

interface SandboxCoverage {
  readonly coverage: Coverage;
  /** Whether the sandbox has a merchant with the prefix. */
  readonly hasMerchants: boolean;
}

async function readSandbox(
  url: string | undefined,
  prefix: string | undefined,
  program: NodeJS.Process,
): Promise<SandboxCoverage> {
  try {
    const sandbox = sandboxAt(url, program);
    const coverage = await coverageOf(sandbox, { prefix });
    const merchants = prefix === undefined ? [] : await sandbox.merchants();
    return { coverage, hasMerchants: merchants.some((id) => id.startsWith(prefix ?? '')) };
  } catch (error) {
    throw toUsageError(error);
  }
}

function readFile(path: string): Coverage {
  try {
    return readCoverage(path, readFileSync(path, 'utf8'));
  } catch (error) {
    if (error instanceof CoverageError) throw new UsageError(error.message);
    throw new UsageError(`${path}: ${describeReadFailure(error)}`);
  }
}

function readMinimum(min: string | undefined): number {
  if (min === undefined) return 0;
  if (/^\d{1,3}$/.test(min) && Number(min) <= 100) return Number(min);
  throw new UsageError(`--min must be a whole number from 0 to 100, got ${JSON.stringify(min)}.`);
}
