/** A vitest `test` that gives each test its own merchant and judges its money at the end. */
import { test, type TestAPI } from 'vitest';
import type { Remote, RemoteMerchant } from '../client/connect.ts';
import type { Merchant, Sandbox } from '../sandbox/create-sandbox.ts';
import type { Elsewhere, InProcess, SuiteOptions } from '../test-runner/suite-options.ts';
import type { TestMerchant } from '../test-runner/test-merchant.ts';
import { addressOf, checkSuiteOptions, openMerchant, openSandbox } from './parts.ts';

/** The fixtures of a test. */
export interface SandboxFixtures<S, M> {
  /** The sandbox that the tests of a worker share. */
  readonly sandbox: S;
  /** Its address. A sandbox in process opens a socket on first use. */
  readonly sandboxUrl: string;
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
  options: SuiteOptions,
): SandboxTest<Sandbox | Remote, Merchant | RemoteMerchant>;
// The overloads give the exact types; the compiler cannot follow that either kind of sandbox fits both.
export function sandboxTest(options: SuiteOptions = {}): unknown {
  checkSuiteOptions(options);
  return test.extend<{
    readonly $worker: { readonly sandbox: Sandbox | Remote; readonly sandboxUrl: string };
    readonly $test: { readonly merchant: TestMerchant<Merchant | RemoteMerchant> };
  }>({
    sandbox: [
      // Vitest requires a pattern here, even an empty one.
      // oxlint-disable-next-line no-empty-pattern
      async ({}, use) => {
        const sandbox = openSandbox(options);
        await use(sandbox);
        await sandbox.close();
      },
      { scope: 'worker' },
    ],
    sandboxUrl: [
      async ({ sandbox }, use) => {
        await use(await addressOf(sandbox));
      },
      { scope: 'worker' },
    ],
    merchant: async ({ sandbox, task, onTestFinished }, use) => {
      const name = { title: task.name, id: task.id };
      const { merchant, end } = await openMerchant(sandbox, name, options);
      // Not after `use`, where vitest reports an error twice.
      onTestFinished(() => end(task.result?.state === 'fail'));
      await use(merchant);
    },
  });
}
