/** The matcher `toPass`, whose message says what happened to the money. */
import { describeNonVerdict, isVerdict, verdictText } from './parts.ts';

interface MatcherResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/** The matcher, for `expect.extend`. */
export function toPass(received: unknown): MatcherResult {
  if (!isVerdict(received)) throw new TypeError(describeNonVerdict('toPass', received));
  return {
    pass: received.passed,
    message: () =>
      received.passed
        ? `Expected the verdict about ${received.merchant} to fail, but it passed:\n${verdictText([received], 100)}`
        : verdictText([received], 100),
  };
}
