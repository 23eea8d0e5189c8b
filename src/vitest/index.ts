/** card-vault-sandbox for vitest: a merchant for each test, and the matcher `toPass`, which this import registers. */
import { expect } from 'vitest';
import type { Verdict } from '../report/verdicts.ts';
import { toPass } from './matcher.ts';

export type { EndOptions } from './verdict-at-end.ts';
export {
  sandboxTest,
  type Elsewhere,
  type InProcess,
  type SandboxFixtures,
  type SandboxTest,
  type TestMerchant,
} from './sandbox-test.ts';

declare module 'vitest' {
  // The parameter must have the name that it has there.
  interface Matchers<T> {
    /** Passes where the verdict did: `expect(await merchant.verdict()).toPass()`. */
    toPass: Awaited<T> extends Verdict ? () => void : never;
  }
}

expect.extend({ toPass });
