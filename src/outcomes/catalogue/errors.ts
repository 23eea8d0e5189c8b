/** Errors as effects: those the service answers by itself, and those it answers only when asked to. */
import { problems, type ProblemKind } from '../../contract/problems.ts';
import { tokenProblems, type TokenProblemKind } from '../../contract/service/token.ts';
import type { ProcessorResponse } from '../../domain/payment/overrides.ts';
import type { Effect } from '../outcome.ts';
import { referenceErrors } from './reference-errors.ts';

export type ErrorEffect = Extract<Effect, { readonly kind: 'error' }>;

/**
 * Errors that no state of this sandbox leads to; those that no outcome of its own does either stand apart. Names are
 * those of the public v1 reference (contract.md §5.5); messages are ours. `Seed silent:` the reference gives no
 * statuses, so these follow HTTP.
 */
const forcedErrors = {
  ...referenceErrors,
  COMPLIANCE_VIOLATION: [400, 'The payment would break a rule of compliance'],
  CREDIT_CARD_CVV_CHECK_FAILED: [400, 'The card verification code did not match'],
  CREDIT_CARD_REFUSED: [400, 'The credit card was refused'],
  AMOUNT_MISMATCH: [400, 'The parts of the amount do not add up to its total'],
  INSTRUMENT_DECLINED: [400, 'The processor or the bank declined the funding instrument'],
  INVALID_CITY_STATE_ZIP: [400, 'City, state and postal code do not belong together'],
  MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED: [400, 'Too many payments were attempted'],
  NOT_IMPLEMENTED: [501, 'This feature is not available'],
  PAYEE_ACCOUNT_RESTRICTED: [400, "The merchant's account is restricted"],
  PAYER_ACTION_REQUIRED: [400, 'The payer must take part before this payment can be made'],
  PAYMENT_ALREADY_DONE: [400, 'This was paid already'],
  PERMISSION_DENIED: [403, 'There is no permission for this operation'],
  RATE_LIMIT_REACHED: [429, 'Too many requests; slow down'],
  REFUND_FAILED_INSUFFICIENT_FUNDS: [400, 'The merchant has too little money for this refund'],
  REQUIRED_SCOPE_MISSING: [403, 'The access token lacks the scope for this operation'],
  SERVICE_UNAVAILABLE: [503, 'The service is not available at the moment'],
  TRANSACTION_LIMIT_EXCEEDED: [400, 'The amount is above the limit of the card or the account'],
  TRANSACTION_REFUSED: [400, 'The transaction was refused'],
  TRANSACTION_REFUSED_PAYEE_PREFERENCE: [400, "The merchant's settings refuse such payments"],
  UNKNOWN_ERROR: [400, 'An unknown error has occurred'],
} as const satisfies Readonly<Record<string, readonly [status: number, message: string]>>;

export type ForcedErrorName = keyof typeof forcedErrors;

/** An error that comes only when it is asked for; a decline says what the issuer's side reported. */
export function forcedError(name: ForcedErrorName, processor?: ProcessorResponse): ErrorEffect {
  const [status, message] = forcedErrors[name];
  const effect = { kind: 'error', status, name, message } as const;
  return processor === undefined ? effect : { ...effect, processor };
}

/** The error that real state leads to, forced where that state is missing. */
export function naturalError(
  kind: ProblemKind,
  ...details: readonly { readonly field: string; readonly issue: string }[]
): ErrorEffect {
  const { status, name, message } = problems[kind];
  // No state fills the place that a message leaves.
  const effect = { kind: 'error', status, name, message: message.replace('{}', '…') } as const;
  return details.length === 0 ? effect : { ...effect, details };
}

/**
 * An error of a gateway that got no good answer. `Seed silent:` 502 and 504 have no name in the
 * reference; where the service's own shape is asked for, they carry the one of a 500.
 */
export function gatewayError(status: 502 | 504, message: string): ErrorEffect {
  return { kind: 'error', status, name: problems['internal-error'].name, message };
}

/** An error that real credentials lead to, in the shape of the token endpoint. */
export function naturalTokenError(kind: TokenProblemKind): Effect {
  return { kind: 'token-error', ...tokenProblems[kind] };
}

/** What is answered where a token is not known (contract.md §1.4). */
export const unknownToken: Effect = {
  kind: 'unauthenticated',
  description: 'Access Token not found in cache',
};

/** By its wire name. Of several rows with one name the first says how it is written. */
const byName: ReadonlyMap<string, ProblemKind> = new Map(
  (Object.keys(problems) as ProblemKind[]) // The table's own keys.
    .filter((kind) => kind !== 'outcome-unknown')
    .toReversed()
    .map((kind) => [problems[kind].name, kind]),
);

function isForced(name: string): name is ForcedErrorName {
  return Object.hasOwn(forcedErrors, name);
}

/** Every error name of the service. */
export const errorNames: readonly string[] = [
  ...new Set([...byName.keys(), ...Object.keys(forcedErrors)]),
].toSorted();

/** The error of a name, with its own status and form; `undefined` where the service has none of that name. */
export function errorNamed(name: string): Effect | undefined {
  if (isForced(name)) return forcedError(name);
  const kind = byName.get(name);
  switch (kind) {
    case undefined:
      return undefined;
    case 'unauthenticated':
      return unknownToken;
    case 'invalid-fields':
      return naturalError(kind, { field: 'request', issue: 'Value is invalid' });
    default:
      return naturalError(kind);
  }
}
