/** Which merchants of a sandbox a command is about. */
import type { VerdictInput } from '../../client/connect.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';
import { mergeCoverage, type Coverage } from '../../report/coverage.ts';
import type { Verdict } from '../../report/verdicts.ts';
import { merchantId } from '../../world/identity/merchant-id.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Flags as they were given. */
export interface WhomFlags {
  readonly merchant?: readonly string[];
  readonly prefix?: string | undefined;
}

/** What is judged: a sandbox of this process, or one that runs somewhere else. */
export interface Judged {
  readonly id: string;
  merchants(): Promise<string[]> | string[];
  merchant(id: string): {
    verdict(order: VerdictInput): Promise<Verdict>;
    coverage(): Promise<Coverage> | Coverage;
  };
  coverageOfAll(): Promise<Coverage> | Coverage;
}

/** Throws a `UsageError` where the flags do not say whom. */
export function checkWhom({ merchant, prefix }: WhomFlags): void {
  if (merchant !== undefined && prefix !== undefined) {
    throw new UsageError('Name merchants by --merchant or by --prefix, not by both.');
  }
  // A variable of a pipeline that is not set would mean everybody.
  if (prefix === '') throw new UsageError('--prefix needs a text that names begin with.');
  for (const id of merchant ?? []) checkId('--merchant', id);
  // Where no name begins with it, it is asked for as one.
  if (prefix !== undefined) checkId('--prefix', prefix);
}

function checkId(flag: string, id: string): void {
  try {
    merchantId(id);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new UsageError(`${flag}: ${error.message}`);
  }
}

/** The merchants that are meant; `undefined` for all. */
export async function merchantsMeant(
  sandbox: Judged,
  flags: WhomFlags,
): Promise<readonly string[] | undefined> {
  checkWhom(flags);
  const { merchant, prefix } = flags;
  if (prefix === undefined) return merchant;
  const known = (await sandbox.merchants()).filter((name) => name.startsWith(prefix));
  // Nobody has such a name, and what is said of the prefix itself says so.
  return known.length === 0 ? [prefix] : known;
}

/** What they have tried; of all, also what those did who are gone. */
export async function coverageOf(
  sandbox: Judged,
  meant: readonly string[] | undefined,
): Promise<Coverage> {
  return meant === undefined
    ? sandbox.coverageOfAll()
    : mergeCoverage(
        await Promise.all(meant.map((merchant) => sandbox.merchant(merchant).coverage())),
      );
}
