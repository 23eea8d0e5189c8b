/** Turns an error answer into the error that the verb throws in process. */
import type { ControlProblemCode } from '../contract/problems.ts';
import { QueryError, WaitEndedError, WaitLimitError, WaitTimeoutError } from '../journal/errors.ts';
import type { Entry } from '../journal/entry.ts';
import { ArgumentError } from '../outcomes/argument-error.ts';
import { GateError, RuleError, ScenarioError } from '../scenarios/scenario-error.ts';
import { FixtureError } from '../documents/document-error.ts';
import { SandboxError, type ErrorDetail } from '../shared/sandbox-error.ts';
import { VerdictOptionsError } from '../verdict/options-error.ts';
import { ClockError, ExportError, MerchantError, SnapshotError } from '../world/errors.ts';
import type { Verb } from '../contract/control/verbs.ts';

/** The body of an error answer. */
export interface ErrorAnswer extends ErrorDetail {
  /** Its code. */
  readonly error: string;
  readonly message: string;
  /** The matching exchanges that did arrive, for a wait that timed out. */
  readonly seen?: readonly Entry[] | undefined;
}

type MakeError = (answer: ErrorAnswer, detail: ErrorDetail) => SandboxError;

/** An error that lists what is wrong with a document, one problem a line. */
const document =
  (
    Class: new (lines: readonly string[], code?: string, detail?: ErrorDetail) => SandboxError,
  ): MakeError =>
  ({ error, message }, detail) =>
    new Class(message.split('\n'), error, detail);

/** An error of a class with several codes. */
const coded =
  (Class: new (code: string, message: string, detail?: ErrorDetail) => SandboxError): MakeError =>
  ({ error, message }, detail) =>
    new Class(error, message, detail);

/** An error about a name. It stands in the path or the query of the request, which have no place in code. */
const withoutPlace =
  (make: MakeError): MakeError =>
  (answer, detail) =>
    make(answer, { ...detail, place: undefined });

/** The error of every code that a verb in process throws too. */
const errorsByCode: Readonly<Record<string, MakeError>> = {
  'clock-refused': coded(ClockError),
  'export-refused': document(ExportError),
  'invalid-argument': ({ message }, detail) => new ArgumentError(message, detail),
  'invalid-export': document(ExportError),
  'invalid-fixtures': document(FixtureError),
  'invalid-gate': document(GateError),
  'invalid-name': withoutPlace(coded(SnapshotError)),
  'invalid-query': ({ message }, detail) => new QueryError(message, detail),
  'invalid-rule': document(RuleError),
  'invalid-scenario': document(ScenarioError),
  'invalid-time': coded(ClockError),
  'invalid-verdict': document(VerdictOptionsError),
  'merchants-full': coded(MerchantError),
  'snapshots-full': withoutPlace(coded(SnapshotError)),
  'unknown-merchant': withoutPlace(coded(MerchantError)),
  'unknown-outcome': withoutPlace(
    ({ error, message }, detail) => new ArgumentError(message, detail, error),
  ),
  'unknown-rule': withoutPlace(
    ({ error, message }, detail) => new ArgumentError(message, detail, error),
  ),
  'unknown-snapshot': withoutPlace(coded(SnapshotError)),
  'wait-ended': ({ message }, detail) => new WaitEndedError(message, detail),
  'wait-timeout': ({ message, seen = [] }, detail) => new WaitTimeoutError(message, seen, detail),
  'waits-full': withoutPlace(({ message }, detail) => new WaitLimitError(message, detail)),
} satisfies Partial<Record<ControlProblemCode, MakeError>>;

/** Codes of input that the HTTP route refuses before the verb sees it. */
const inputCodes: ReadonlySet<string> = new Set<ControlProblemCode>([
  'invalid-body',
  'invalid-parameter',
  'unknown-key',
  'unknown-parameter',
]);

/** The code of the error that a verb throws in process for invalid input. */
const codesOfInput: Readonly<Record<NonNullable<Verb['inputError']>, ControlProblemCode>> = {
  argument: 'invalid-argument',
  clock: 'invalid-time',
  export: 'invalid-export',
  gate: 'invalid-gate',
  query: 'invalid-query',
  rule: 'invalid-rule',
  scenario: 'invalid-scenario',
  snapshot: 'invalid-name',
  verdict: 'invalid-verdict',
};

/** The error for an answer. A code that no verb in process throws becomes a `SandboxError` with that code. */
export function remoteError(
  answer: ErrorAnswer,
  status: number | undefined,
  { inputError }: Verb,
): SandboxError {
  const { error, message, seen: _seen, ...rest } = answer;
  const code = inputError !== undefined && inputCodes.has(error) ? codesOfInput[inputError] : error;
  const make = errorsByCode[code];
  if (make === undefined) return new SandboxError(code, message, { ...rest, status });
  const { place, issues } = rest;
  const detail = {
    ...rest,
    place: placeInCode(place),
    issues: issues?.map((issue) => ({ ...issue, place: placeInCode(issue.place) })),
    status,
  };
  return make({ ...answer, error: code }, detail);
}

/** In code there is no query and no body, so a place names the key alone. */
function placeInCode(place: string | undefined): string | undefined {
  const key = place?.replace(/^(?:query|body)(?:\.|$)/, '');
  return key === '' ? undefined : key;
}
