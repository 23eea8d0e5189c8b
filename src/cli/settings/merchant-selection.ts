/** Selects the merchants that a command is about. */
import type { VerdictOptions } from '../../client/connect.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';
import { mergeCoverage, type Coverage } from '../../report/coverage.ts';
import type { Verdict } from '../../report/verdicts.ts';
import { merchantId } from '../../world/identity/merchant-id.ts';
import { UsageError } from '../errors/usage-error.ts';

/** The options that select merchants. */
export interface MerchantFlags {
  readonly merchant?: readonly string[];
  readonly prefix?: string | undefined;
}

/** A sandbox to judge, in this process or elsewhere. */
export interface JudgedSandbox {
  readonly id: string;
  merchants(): Promise<string[]> | string[];
  merchant(id: string): {
    verdict(input: VerdictOptions): Promise<Verdict>;
    coverage(): Promise<Coverage> | Coverage;
  };
  readonly all: { coverage(): Promise<Coverage> | Coverage };
}

/** Throws a `UsageError` if the options do not select merchants. */
export function checkMerchantFlags({ merchant, prefix }: MerchantFlags): void {
  if (merchant !== undefined && prefix !== undefined) {
    throw new UsageError('Use --merchant or --prefix, not both.');
  }
  // An unset variable in CI would select every merchant.
  if (prefix === '') throw new UsageError('--prefix must not be empty.');
  for (const id of merchant ?? []) checkId('--merchant', id);
  // If no id starts with the prefix, the prefix itself is judged as an id.
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

/** The selected merchants; `undefined` for all. */
export async function selectMerchants(
  sandbox: JudgedSandbox,
  flags: MerchantFlags,
): Promise<readonly string[] | undefined> {
  checkMerchantFlags(flags);
  const { merchant, prefix } = flags;
  if (prefix === undefined) return merchant;
  const known = (await sandbox.merchants()).filter((name) => name.startsWith(prefix));
  // The verdict about the prefix reports that no such merchant sent a request.
  return known.length === 0 ? [prefix] : known;
}

/** The coverage of the selected merchants. For all merchants it includes deleted ones. */
export async function coverageOf(
  sandbox: JudgedSandbox,
  selected: readonly string[] | undefined,
): Promise<Coverage> {
  return selected === undefined
    ? sandbox.all.coverage()
    : mergeCoverage(
        await Promise.all(selected.map((merchant) => sandbox.merchant(merchant).coverage())),
      );
}
