/** card-vault-sandbox for Playwright: a merchant for each test, and its money judged at the end. */
import {
  test,
  type PlaywrightTestArgs,
  type PlaywrightTestOptions,
  type PlaywrightWorkerArgs,
  type PlaywrightWorkerOptions,
  type TestType,
} from '@playwright/test';
import type { Remote, RemoteMerchant } from '../client/connect.ts';
import type { Merchant, Sandbox } from '../sandbox/create-sandbox.ts';
import {
  addressOf,
  checkSuiteOptions,
  openSandbox,
  type Elsewhere,
  type InProcess,
  type SuiteOptions,
} from '../test-runner/suite-options.ts';
import { openMerchant, type TestMerchant } from '../test-runner/test-merchant.ts';

export type { Elsewhere, InProcess } from '../test-runner/suite-options.ts';
export type { TestMerchant } from '../test-runner/test-merchant.ts';
export type { EndOptions } from '../test-runner/verdict-at-end.ts';

/** The fixtures of a worker. */
export interface WorkerFixtures<S> {
  /** The sandbox that the tests of a worker share. */
  readonly sandbox: S;
  /** Its address, for the server of your shop. A sandbox in process opens a socket on first use. */
  readonly sandboxUrl: string;
}

/** The fixtures of a test. */
export interface TestFixtures<M> {
  /** A fresh merchant for this test. Its `id` is the client id for your shop; any secret works. */
  readonly merchant: TestMerchant<M>;
}

/** Playwright's `test` with a sandbox and a merchant. */
export type SandboxTest<S, M> = TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & TestFixtures<M>,
  PlaywrightWorkerArgs & PlaywrightWorkerOptions & WorkerFixtures<S>
>;

/**
 * Makes the `test` of a suite. A test that uses `merchant` has its own world, and fails if its verdict does.
 *
 * A test without `merchant` is not judged. Extend it with the fixtures of your shop, as any `test` of Playwright.
 *
 * ```ts
 * const test = sandboxTest({ sandbox: { seed: 'checkout' } });
 *
 * test('the buyer pays once', async ({ page, sandboxUrl, merchant }) => {
 *   const shop = await startShop({ baseUrl: sandboxUrl, clientId: merchant.id });
 *   await page.goto(shop.url);
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
  return test.extend<TestFixtures<Merchant | RemoteMerchant>, WorkerFixtures<Sandbox | Remote>>({
    sandbox: [
      // Playwright requires a pattern here, even an empty one.
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
    merchant: async ({ sandbox }, use, testInfo) => {
      const name = { title: testInfo.title, id: testInfo.testId };
      const { merchant, end } = await openMerchant(sandbox, name, options);
      await use(merchant);
      await end(testInfo.status !== testInfo.expectedStatus);
    },
  });
}
