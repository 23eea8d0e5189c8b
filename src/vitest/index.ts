/** card-vault-sandbox for vitest: a merchant for each test, and the matcher `toPass`, which this import registers. */
import { expect } from 'vitest';
import type { Verdict } from '../report/verdicts.ts';
import { toPass } from './matcher.ts';

export type { Elsewhere, InProcess } from '../test-runner/suite-options.ts';
export type { TestMerchant } from '../test-runner/test-merchant.ts';
export type { EndOptions } from '../test-runner/verdict-at-end.ts';
export { sandboxTest, type SandboxFixtures, type SandboxTest } from './sandbox-test.ts';

declare module 'vitest' {
  // The parameter must have the name that it has there.
  interface Matchers<T> {
    /** Passes where the verdict did: `expect(await merchant.verdict()).toPass()`. */
    toPass: Awaited<T> extends Verdict ? () => void : never;
  }
}

expect.extend({ toPass });
