/** `toPass`: holds a verdict to have passed, and tells what happened to the money where it did not. */
import { verdictText } from '../report/text.ts';
import { isVerdict, describeNonVerdict } from '../report/verdict-error.ts';

interface Outcome {
  readonly pass: boolean;
  readonly message: () => string;
}

/** What `expect.extend` is given. */
export function toPass(received: unknown): Outcome {
  if (!isVerdict(received)) throw new TypeError(describeNonVerdict('toPass', received));
  return {
    pass: received.passed,
    message: () =>
      received.passed
        ? `Expected the verdict about ${received.merchant} not to pass, and it did:\n${verdictText([received], 100)}`
        : verdictText([received], 100),
  };
}
