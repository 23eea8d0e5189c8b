/** Selects the merchants that a command is about. */
import type { VerdictOptions } from '../../client/connect.ts';
import { ArgumentError } from '../../outcomes/argument-error.ts';
import { mergeCoverage, type Coverage } from '../../report/coverage.ts';
import type { Verdict } from '../../report/verdicts.ts';
import type { MerchantSelection } from '../../sandbox/merchant-selection.ts';
import { merchantId } from '../../world/identity/merchant-id.ts';
import { UsageError } from '../errors/usage-error.ts';

/** The options that select merchants. */
export interface MerchantFlags {
  readonly merchant?: readonly string[];
  readonly prefix?: string | undefined;
}

/** A sandbox to judge, in this process or elsewhere. */
export interface JudgedSandbox {
  merchant(id: string): {
    verdict(input: VerdictOptions): Promise<Verdict>;
    coverage(): Promise<Coverage> | Coverage;
  };
  readonly all: {
    verdict(input: VerdictOptions & MerchantSelection): Promise<Verdict[]>;
    coverage(selection: MerchantSelection): Promise<Coverage> | Coverage;
  };
}

/** Throws a `UsageError` if the options do not select merchants. */
export function checkMerchantFlags({ merchant, prefix }: MerchantFlags): void {
  if (merchant !== undefined && prefix !== undefined) {
    throw new UsageError('Use --merchant or --prefix, not both.');
  }
  // An unset variable in CI would select every merchant.
  if (prefix === '') throw new UsageError('--prefix must not be empty.');
  for (const id of merchant ?? []) checkId('--merchant', id);
  // If no id starts with the prefix, the verdict names the prefix as the merchant.
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

/** Judges the selected merchants. If there is none, the one verdict says that nothing was tested. */
export async function verdictsOf(
  sandbox: JudgedSandbox,
  { merchant, prefix }: MerchantFlags,
  input: VerdictOptions,
): Promise<readonly Verdict[]> {
  return merchant === undefined
    ? sandbox.all.verdict({ ...input, prefix })
    : Promise.all(merchant.map((id) => sandbox.merchant(id).verdict(input)));
}

/** The coverage of the selected merchants. For all merchants it includes deleted ones. */
export async function coverageOf(
  sandbox: JudgedSandbox,
  { merchant, prefix }: MerchantFlags,
): Promise<Coverage> {
  return merchant === undefined
    ? sandbox.all.coverage({ prefix })
    : mergeCoverage(await Promise.all(merchant.map((id) => sandbox.merchant(id).coverage())));
}
