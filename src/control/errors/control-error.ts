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

/** A bug of this sandbox that a control request ran into. The request is answered with 500. */
export interface ControlFailure {
  readonly method: string;
  /** Without card numbers, and without the query. */
  readonly path: string;
  /** The value that was thrown. */
  readonly failure: unknown;
}

/** Called for every bug of this sandbox that a control request runs into. */
export type ControlFailureListener = (failure: ControlFailure) => void;
