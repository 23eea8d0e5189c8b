/** The base of every error that the package throws on purpose. It loads nothing, so that the client can throw it too. */

/** One of several problems in the same input. */
export interface ErrorIssue {
  /** What is wrong, what is allowed and what to do. */
  readonly message: string;
  /** Where in the input the problem is. */
  readonly place?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  /** The allowed value that was probably meant. */
  readonly nearest?: string | undefined;
}

/** The fields of an error besides its code and message. */
export interface ErrorDetail extends Omit<ErrorIssue, 'message'> {
  readonly issues?: readonly ErrorIssue[] | undefined;
  /** HTTP status, for errors that came from a running sandbox. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/**
 * The base class of every error that the sandbox, its client and its command throw on purpose.
 *
 * Catch it with `instanceof SandboxError`, and tell errors apart by `code`.
 */
export class SandboxError extends Error {
  override readonly name: string = 'SandboxError';
  /** Stable identifier of what went wrong, such as `invalid-rule` or `unknown-merchant`. */
  readonly code: string;
  /** Where in the input the problem is. */
  declare readonly place?: string;
  /** The values that are allowed there. */
  declare readonly allowed?: readonly string[];
  /** The allowed value that was probably meant. */
  declare readonly nearest?: string;
  /** Every problem in a rule, a scenario or another document. */
  declare readonly issues?: readonly ErrorIssue[];
  /** HTTP status of the answer, for errors that came from a running sandbox. */
  declare readonly status?: number;

  constructor(code: string, message: string, { cause, ...detail }: ErrorDetail = {}) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
    // Test runners print every field of an error, so fields without a value are left out.
    for (const [name, value] of Object.entries(detail)) {
      // Without the status, an error over HTTP equals the error in process.
      const enumerable = name !== 'status';
      if (value !== undefined) Object.defineProperty(this, name, { value, enumerable });
    }
  }
}
