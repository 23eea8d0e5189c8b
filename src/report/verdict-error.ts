/** A verdict as an assertion of any test runner: one error, whose message is what happened to the money. */
import { SandboxError } from '../shared/sandbox-error.ts';
import { verdictText } from './text.ts';
import type { Verdict } from './verdicts.ts';

/** Thrown for a verdict that did not pass. Its message tells the findings and the story of each purchase. */
export class VerdictError extends SandboxError {
  override readonly name = 'VerdictError';
  // Runners print the fields of an error that they can see, and this one would bury the message.
  readonly #verdict: Verdict;

  constructor(verdict: Verdict) {
    super('verdict-failed', verdictText([verdict], 100));
    this.#verdict = verdict;
  }

  /** All of it. */
  get verdict(): Verdict {
    return this.#verdict;
  }
}

/**
 * Throws a `VerdictError` unless the verdict passed: the last line of a test in Jest, `node:test` or any other runner.
 *
 * ```ts
 * assertPassed(await merchant.verdict());
 * ```
 */
export function assertPassed(verdict: Verdict): void {
  if (!isVerdict(verdict)) throw new TypeError(noVerdict('assertPassed', verdict));
  if (verdict.passed) return;
  const error = new VerdictError(verdict);
  // The line of the test is what a reader looks for, not this one.
  Error.captureStackTrace(error, assertPassed);
  throw error;
}

/** Whether a value is a verdict, for those who call without types. */
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

/** What to say to whoever judges something else; most often it is the promise of a verdict. */
export function noVerdict(asked: string, value: unknown): string {
  const given = value instanceof Promise ? 'a promise: write await before it' : typeof value;
  return `${asked} needs a verdict, as merchant.verdict() resolves to, and was given ${given}.`;
}
