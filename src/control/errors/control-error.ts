/** Errors of the control API: a request that cannot be carried out, and a bug of this sandbox. */
import type { ControlProblemCode } from '../../contract/problems.ts';
import { SandboxError, type ErrorDetail } from '../../shared/sandbox-error.ts';

interface ControlErrorDetail extends ErrorDetail {
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** A control request that cannot be carried out. */
export class ControlRequestError extends SandboxError {
  override readonly name = 'ControlRequestError';
  declare readonly code: ControlProblemCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ControlProblemCode,
    message: string,
    { headers = {}, ...detail }: ControlErrorDetail = {},
  ) {
    super(code, message, detail);
    this.headers = headers;
  }
}

/** An internal error during a control request, which is answered with 500. */
export interface ControlFailure {
  readonly method: string;
  /** The path without card numbers and without the query. */
  readonly path: string;
  /** The thrown value. */
  readonly failure: unknown;
}

/** Called for every internal error during a control request. */
export type ControlFailureListener = (failure: ControlFailure) => void;
