/** The merchant of one test: fresh at its start, judged at its end. */
import type { Remote, RemoteMerchant } from '../client/connect.ts';
import type { Merchant, Sandbox } from '../sandbox/create-sandbox.ts';
import type { SuiteOptions } from './suite-options.ts';
import { VerdictError } from '../report/verdict-error.ts';
import { merchantName } from './merchant-name.ts';
import { printFindings, printStory } from './print-story.ts';
import { checkEndOptions, mergeEndOptions, type EndOptions } from './verdict-at-end.ts';

/** The merchant of one test. */
export type TestMerchant<M> = M & {
  /**
   * Sets options of the verdict at the end. Several calls add up.
   *
   * @throws {ArgumentError} If an option is unknown.
   * @throws {VerdictOptionsError} If an option is invalid.
   */
  readonly atEnd: (options: EndOptions) => void;
};

interface OpenMerchant {
  readonly merchant: TestMerchant<Merchant | RemoteMerchant>;
  /**
   * Judges the merchant, and deletes it unless the test failed.
   *
   * @throws {VerdictError} If the verdict fails.
   */
  readonly end: (hasFailed: boolean) => Promise<void>;
}

/** What names a test: its title for people, its id to tell it from every other test. */
interface TestName {
  readonly title: string;
  readonly id: string;
}

/** Opens the merchant of a test, as new. */
export async function openMerchant(
  sandbox: Sandbox | Remote,
  name: TestName,
  { verdict: suiteOptions = {}, prefix = '', keep = false }: SuiteOptions,
): Promise<OpenMerchant> {
  const given: EndOptions[] = [suiteOptions];
  const id = merchantName(prefix, name.title, name.id);
  const merchant = sandbox.merchant(id);
  // An earlier attempt or run may have used the same merchant.
  await merchant.reset();
  const atEnd = (more: EndOptions): void => {
    try {
      given.push(checkEndOptions('atEnd', more));
    } catch (error) {
      // The stack starts at the line of the test.
      if (error instanceof Error) Error.captureStackTrace(error, atEnd);
      throw error;
    }
  };
  const end = async (hasFailed: boolean): Promise<void> => {
    await judgeAtEnd(merchant, mergeEndOptions(given), hasFailed);
    if (hasFailed || keep) return;
    // A test without requests has created no merchant.
    if ((await sandbox.merchants()).includes(id)) await sandbox.deleteMerchant(id);
  };
  return { merchant: { ...merchant, atEnd }, end };
}

async function judgeAtEnd(
  merchant: Merchant | RemoteMerchant,
  { judge = true, ...options }: EndOptions,
  hasFailed: boolean,
): Promise<void> {
  const verdict = judge ? await merchant.verdict(options) : undefined;
  // A test that failed before its first request says why itself.
  const isOnlyWithoutRequests =
    hasFailed && verdict?.reasons.every(({ kind }) => kind === 'no-requests') === true;
  if (verdict?.passed === false && !isOnlyWithoutRequests) {
    const error = new VerdictError(verdict);
    // The reporter names the test; frames of this file would hide it.
    error.stack = `${error.name}: ${error.message}`;
    throw error;
  }
  if (hasFailed) await printStory(merchant);
  else if (verdict !== undefined) printFindings(verdict);
}
