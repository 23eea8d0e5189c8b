/** Errors as effects: those that result from real state, and those that are only forced. */
import {
  serviceProblems,
  tokenProblems,
  type ServiceProblemKind,
  type TokenProblemKind,
} from '../../contract/problems.ts';
import type { ProcessorResponse } from '../../domain/payment/overrides.ts';
import type { Effect } from '../outcome.ts';
import { referenceErrors } from './reference-errors.ts';

export type ErrorEffect = Extract<Effect, { readonly kind: 'error' }>;

/**
 * Errors that no real state of this sandbox causes. `referenceErrors` holds those that no outcome of their own causes.
 *
 * The names come from the public v1 reference (contract.md §5.5), the messages are ours. `Seed silent:` the reference
 * gives no statuses, so these follow HTTP.
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

/** Makes an error that is only forced. A decline carries the processor response. */
export function forcedError(name: ForcedErrorName, processor?: ProcessorResponse): ErrorEffect {
  const [status, message] = forcedErrors[name];
  const effect = { kind: 'error', status, name, message } as const;
  return processor === undefined ? effect : { ...effect, processor };
}

/** Makes an error that also results from real state. */
export function naturalError(
  kind: ServiceProblemKind,
  ...details: readonly { readonly field: string; readonly issue: string }[]
): ErrorEffect {
  const { status, name, message } = serviceProblems[kind];
  // A forced error has no value for the placeholder of its message.
  const effect = { kind: 'error', status, name, message: message.replace('{}', '…') } as const;
  return details.length === 0 ? effect : { ...effect, details };
}

/**
 * Makes the error of a gateway that received no valid response. `Seed silent:` the reference has no name for 502 and
 * 504. In the service's own shape they carry the name of a 500.
 */
export function gatewayError(status: 502 | 504, message: string): ErrorEffect {
  return { kind: 'error', status, name: serviceProblems['internal-error'].name, message };
}

/** Makes an error that wrong credentials cause, in the shape of the token endpoint. */
export function naturalTokenError(kind: TokenProblemKind): Effect {
  const { status, name, message } = tokenProblems[kind];
  return { kind: 'token-error', status, error: name, description: message };
}

/** The response to an unknown token (contract.md §1.4). */
export const unknownToken: Effect = {
  kind: 'unauthenticated',
  description: 'Access Token not found in cache',
};

/** Problems by wire name. If several problems share a name, the first one defines its form. */
const byName: ReadonlyMap<string, ServiceProblemKind> = new Map(
  (Object.keys(serviceProblems) as ServiceProblemKind[]) // The table's own keys.
    .filter((kind) => kind !== 'outcome-unknown')
    .toReversed()
    .map((kind) => [serviceProblems[kind].name, kind]),
);

function isForced(name: string): name is ForcedErrorName {
  return Object.hasOwn(forcedErrors, name);
}

/** The error names of the service. */
export const errorNames: readonly string[] = [
  ...new Set([...byName.keys(), ...Object.keys(forcedErrors)]),
].toSorted();

/** Finds an error of the service by name, with its own status and form. */
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
