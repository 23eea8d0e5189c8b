/** A vitest `test` that gives each test its own merchant and judges its money at the end. */
import { test, type TestAPI } from 'vitest';
import type { Remote, RemoteMerchant } from '../client/connect.ts';
import type { Merchant, Sandbox } from '../sandbox/create-sandbox.ts';
import type { SandboxOptions } from '../sandbox/options.ts';
import { checkEndOptions, mergeEndOptions, type EndOptions } from './verdict-at-end.ts';
import { merchantName } from './merchant-name.ts';
import { connect } from '../client/connect.ts';
import { VerdictError } from '../report/verdict-error.ts';
import { createSandbox } from '../sandbox/create-sandbox.ts';
import { refuseUnknownOptions } from '../shared/option-error.ts';
import { printFindings, printStory, type ReadableMerchant } from './print-story.ts';

interface CommonOptions {
  /** Options of the verdict of every test. A test adds its own with `merchant.atEnd`. */
  readonly verdict?: EndOptions | undefined;
  /** Prefix of every client id, to separate runs that share one server. */
  readonly prefix?: string | undefined;
  /** Keep the merchants of passed tests for later inspection. Default false. */
  readonly keep?: boolean | undefined;
}

/** Options for a sandbox in this process. */
export interface InProcess extends CommonOptions {
  readonly url?: undefined;
  /** Options of `createSandbox`. */
  readonly sandbox?: SandboxOptions | undefined;
}

/** Options for a running sandbox. */
export interface Elsewhere extends CommonOptions {
  /** Address of the sandbox. */
  readonly url: string;
  /** The control token, if the sandbox was started with one. */
  readonly token?: string | undefined;
}

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

/** The fixtures of a test. */
export interface SandboxFixtures<S, M> {
  /** The sandbox that the tests of a worker share. */
  readonly sandbox: S;
  /** Its address. A sandbox in process opens a socket on first use. */
  readonly baseUrl: string;
  /** A fresh merchant for this test. Its `id` is the client id for the code under test; any secret works. */
  readonly merchant: TestMerchant<M>;
}

export type SandboxTest<S, M> = TestAPI<SandboxFixtures<S, M>>;

/**
 * Makes the `test` of a suite. A test that uses `merchant` has its own world, and fails if its verdict does.
 *
 * A test without `merchant` is not judged.
 *
 * ```ts
 * const test = sandboxTest({ sandbox: { seed: 'checkout' } });
 *
 * test('pays once', async ({ sandbox, merchant }) => {
 *   await checkout({ fetch: sandbox.fetch, clientId: merchant.id });
 * });
 * ```
 */
export function sandboxTest(options?: InProcess): SandboxTest<Sandbox, Merchant>;
export function sandboxTest(options: Elsewhere): SandboxTest<Remote, RemoteMerchant>;
export function sandboxTest(
  options: InProcess | Elsewhere,
): SandboxTest<Sandbox | Remote, Merchant | RemoteMerchant>;
// The overloads give the exact types; the compiler cannot follow that either kind of sandbox fits both.
export function sandboxTest(options: InProcess | Elsewhere = {}): unknown {
  refuseUnknownOptions(options, known);
  if (options.verdict !== undefined) checkEndOptions('verdict', options.verdict);
  return testOn<Sandbox | Remote, Merchant | RemoteMerchant>(options, {
    open: () =>
      options.url === undefined
        ? createSandbox(options.sandbox)
        : connect(options.url, { token: options.token }),
    addressOf: async (sandbox) =>
      'listen' in sandbox ? (await sandbox.listen({ port: 0 })).url : sandbox.url,
  });
}

const known = ['sandbox', 'url', 'token', 'verdict', 'prefix', 'keep'] satisfies (
  keyof InProcess | keyof Elsewhere
)[];

/** A merchant that the fixtures can reset and judge. */
interface JudgedMerchant extends ReadableMerchant {
  reset(): void | Promise<void>;
}

/** The parts of a sandbox that the fixtures use. */
interface SharedSandbox<M> {
  merchant(id: string): M;
  merchants(): string[] | Promise<string[]>;
  deleteMerchant(id: string): void | Promise<void>;
  close(): Promise<void>;
}

interface SandboxSource<S> {
  readonly open: () => S;
  readonly addressOf: (sandbox: S) => Promise<string>;
}

function testOn<S extends SharedSandbox<M>, M extends JudgedMerchant>(
  { verdict: suiteOptions = {}, prefix = '', keep = false }: CommonOptions,
  { open, addressOf }: SandboxSource<S>,
): SandboxTest<S, M> {
  return test.extend<{
    readonly $worker: { readonly sandbox: S; readonly baseUrl: string };
    readonly $test: { readonly merchant: TestMerchant<M> };
  }>({
    sandbox: [
      // Vitest requires a pattern here, even an empty one.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const sandbox = open();
        await use(sandbox);
        await sandbox.close();
      },
      { scope: 'worker' },
    ],
    baseUrl: [
      async ({ sandbox }, use) => {
        await use(await addressOf(sandbox));
      },
      { scope: 'worker' },
    ],
    merchant: async ({ sandbox, task, onTestFinished }, use) => {
      const given: EndOptions[] = [suiteOptions];
      const id = merchantName(prefix, task.name, task.id);
      const merchant = sandbox.merchant(id);
      // An earlier attempt or run may have used the same merchant.
      await merchant.reset();
      // Not after `use`, where vitest reports an error twice.
      onTestFinished(async () => {
        await judgeAtEnd(merchant, mergeEndOptions(given), task.result?.state === 'fail');
        if (task.result?.state === 'fail' || keep) return;
        // A test without requests has created no merchant.
        if ((await sandbox.merchants()).includes(id)) await sandbox.deleteMerchant(id);
      });
      const atEnd = (more: EndOptions): void => {
        try {
          given.push(checkEndOptions('atEnd', more));
        } catch (error) {
          // The stack starts at the line of the test.
          if (error instanceof Error) Error.captureStackTrace(error, atEnd);
          throw error;
        }
      };
      await use({ ...merchant, atEnd });
    },
  });
}

async function judgeAtEnd(
  merchant: JudgedMerchant,
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
