/** What is wrong with a control call, and how it is said: one class, one function that writes the body. */
import type { Context } from 'hono';
import { hideCardNumbers } from '../../redaction/redact.ts';
import { controlProblems, type ControlProblemKind } from '../../contract/control/problems.ts';

interface ControlErrorDetail {
  /** `query.<name>`, `body.<key>`, a header or a path. */
  readonly place?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  readonly nearest?: string | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Everything that is wrong with a document, where it is one. */
  readonly mistakes?: readonly ErrorIssue[] | undefined;
}

/** One of several mistakes. */
export interface ErrorIssue {
  readonly message: string;
  readonly place?: string | undefined;
  readonly allowed?: readonly string[] | undefined;
  readonly nearest?: string | undefined;
}

/** A control call that cannot be carried out. Thrown by whoever notices, answered in one place. */
export class ControlRequestError extends Error {
  readonly kind: ControlProblemKind;
  readonly detail: ControlErrorDetail;

  constructor(kind: ControlProblemKind, message: string, detail: ControlErrorDetail = {}) {
    super(message);
    this.name = 'ControlRequestError';
    this.kind = kind;
    this.detail = detail;
  }
}

/** A bug of the sandbox that a call of the control plane met. The answer says so too. */
export interface ControlFailure {
  readonly method: string;
  /** Without card numbers, and without a query. */
  readonly path: string;
  /** What was thrown. */
  readonly failure: unknown;
}

export type ControlFailureListener = (fault: ControlFailure) => void;

/** Answers with a mistake; whatever is none is a bug of ours, which `onFault` is told of. */
export function controlErrorResponse(
  error: unknown,
  c: Context,
  onFault: ControlFailureListener | undefined,
): Response {
  const mistake = error instanceof ControlRequestError ? error : bugOf(error);
  if (mistake !== error) {
    const { method, path } = c.req;
    onFault?.({ method, path: hideCardNumbers(path), failure: error });
  }
  const { status } = controlProblems[mistake.kind];
  return c.json(refusalBody(mistake), status, { ...mistake.detail.headers });
}

/** What a mistake looks like in an answer. It quotes what was sent, and a card number may be where nobody looks for one. */
export function refusalBody({ kind, message, detail }: ControlRequestError) {
  const { headers: _, mistakes, ...named } = detail;
  return {
    error: kind,
    ...quoting({ ...named, message }),
    ...(mistakes === undefined ? {} : { mistakes: mistakes.map(quoting) }),
  };
}

function quoting({ message, place, allowed, nearest }: ErrorIssue): ErrorIssue {
  return {
    message: hideCardNumbers(message),
    place: place && hideCardNumbers(place),
    allowed: allowed?.map(hideCardNumbers),
    nearest: nearest && hideCardNumbers(nearest),
  };
}

function bugOf(error: unknown): ControlRequestError {
  const fault = error instanceof Error ? error.message : String(error);
  return new ControlRequestError('internal-error', `A bug of this sandbox: ${fault}`);
}
