/** Turns an error answer into the error that the verb throws in process. */
import { controlProblems, type ControlProblem } from '../contract/control-problems.ts';
import { QueryError, WaitEndedError, WaitLimitError, WaitTimeoutError } from '../journal/errors.ts';
import type { Entry } from '../journal/entry.ts';
import { ArgumentError } from '../outcomes/argument-error.ts';
import { GateError, RuleError, ScenarioError } from '../scenarios/scenario-error.ts';
import { FixtureError } from '../documents/document-error.ts';
import { SandboxError, type ErrorDetail, type ErrorIssue } from '../shared/sandbox-error.ts';
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

const document =
  (
    Class: new (lines: readonly string[], code?: string, detail?: ErrorDetail) => SandboxError,
    code: string,
  ): MakeError =>
  ({ message }, detail) =>
    new Class(message.split('\n'), code, detail);

/** The error of every code that a verb in process throws too. */
const errorsByCode: Readonly<Record<string, MakeError>> = {
  'clock-refused': ({ error, message }, detail) => new ClockError(error, message, detail),
  'export-refused': document(ExportError, 'export-refused'),
  'invalid-argument': ({ message }, detail) => new ArgumentError(message, detail),
  'invalid-export': document(ExportError, 'invalid-export'),
  'invalid-fixtures': document(FixtureError, 'invalid-fixtures'),
  'invalid-gate': document(GateError, 'invalid-gate'),
  'invalid-name': ({ error, message }, detail) => new SnapshotError(error, message, detail),
  'invalid-query': ({ message }, detail) => new QueryError(message, detail),
  'invalid-rule': document(RuleError, 'invalid-rule'),
  'invalid-scenario': document(ScenarioError, 'invalid-scenario'),
  'invalid-time': ({ error, message }, detail) => new ClockError(error, message, detail),
  'invalid-verdict': document(VerdictOptionsError, 'invalid-verdict'),
  'merchants-full': ({ error, message }, detail) => new MerchantError(error, message, detail),
  'snapshots-full': ({ error, message }, detail) => new SnapshotError(error, message, detail),
  'unknown-merchant': ({ error, message }, detail) => new MerchantError(error, message, detail),
  'unknown-outcome': ({ error, message }, detail) => new ArgumentError(message, detail, error),
  'unknown-snapshot': ({ error, message }, detail) => new SnapshotError(error, message, detail),
  'wait-ended': ({ message }, detail) => new WaitEndedError(message, detail),
  'wait-timeout': ({ message, seen = [] }, detail) => new WaitTimeoutError(message, seen, detail),
  'waits-full': ({ message }, detail) => new WaitLimitError(message, detail),
};

/** Codes of input that the HTTP route refuses before the verb sees it. */
const inputCodes: ReadonlySet<string> = new Set([
  'invalid-body',
  'invalid-parameter',
  'unknown-key',
  'unknown-parameter',
]);

/** The code of the error that a verb throws in process for invalid input. */
const codesOfInput: Readonly<Record<NonNullable<Verb['inputError']>, string>> = {
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
    place: placeInCode(code, place),
    issues: issues?.map(issueInCode),
    status,
  };
  return make({ ...answer, error: code }, detail);
}

function placeInCode(code: string, place: string | undefined): string | undefined {
  const problem: ControlProblem | undefined = Object.entries(controlProblems).find(
    ([known]) => known === code,
  )?.[1];
  return problem?.place === undefined ? inCode(place) : undefined;
}

/** In code there is no query and no body, so a place names the key alone. */
function inCode(place: string | undefined): string | undefined {
  const own = place?.replace(/^(?:query|body)(?:\.|$)/, '');
  return own === '' ? undefined : own;
}

function issueInCode(issue: ErrorIssue): ErrorIssue {
  return { ...issue, place: inCode(issue.place) };
}
