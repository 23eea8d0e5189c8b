/** A verdict as an assertion for any test runner. */
import { SandboxError } from '../shared/sandbox-error.ts';
import { verdictText } from './text.ts';
import type { Verdict } from './verdicts.ts';

/** A verdict failed. The message lists the findings and what happened to each purchase. */
export class VerdictError extends SandboxError {
  override readonly name = 'VerdictError';
  // Private, because runners print the visible fields of an error and would bury the message.
  readonly #verdict: Verdict;

  constructor(verdict: Verdict) {
    super('verdict-failed', verdictText([verdict], 100));
    this.#verdict = verdict;
  }

  /** The failed verdict. */
  get verdict(): Verdict {
    return this.#verdict;
  }
}

/**
 * Throws a `VerdictError` if the verdict failed. Works in Jest, `node:test` and any other runner.
 *
 * ```ts
 * assertPassed(await merchant.verdict());
 * ```
 */
export function assertPassed(verdict: Verdict): void {
  if (!isVerdict(verdict)) throw new TypeError(describeNonVerdict('assertPassed', verdict));
  if (verdict.passed) return;
  const error = new VerdictError(verdict);
  // The stack starts at the line of the test.
  Error.captureStackTrace(error, assertPassed);
  throw error;
}

/** Whether a value is a verdict. Callers without types may pass anything. */
export function isVerdict(value: unknown): value is Verdict {
  return (
    typeof value === 'object' &&
    value !== null &&
    'passed' in value &&
    typeof value.passed === 'boolean' &&
    'purchases' in value &&
    Array.isArray(value.purchases)
  );
}

/** The error message for a value that is not a verdict, which is most often a promise of one. */
export function describeNonVerdict(caller: string, value: unknown): string {
  const got = value instanceof Promise ? 'a promise: add await' : typeof value;
  return `${caller} needs a verdict from merchant.verdict(), got ${got}.`;
}
