/** The rows that the catalogue must have, and the rules for its columns. */
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { operationNames } from '../../../src/contract/service/operations.ts';
import { checkedCatalogue } from '../../../src/outcomes/catalogue.ts';
import type {
  Commit,
  Conclusion,
  Effect,
  FaultName,
  Outcome,
  Parameter,
  Phase,
} from '../../../src/outcomes/outcome.ts';
import { readDurationMs } from '../../../src/domain/duration.ts';

/** Outcomes of tier 1, without webhooks. */
export const tier1 = [
  'decline-generic',
  'decline-do-not-honor',
  'decline-insufficient-funds',
  'decline-lost-or-stolen',
  'decline-suspected-fraud',
  'decline-card-expired-at-issuer',
  'decline-processing-error',
  'decline-unknown-error-400',
  'declined-inside-201',
  'store-ok-pay-declines',
  'soft-decline-then-approve',
  'cvv-mismatch-declined',
  'card-input-expired',
  'card-luhn-invalid',
  'real-card-refused',
  'vault-entry-expired',
  'card-expired-since-stored',
  'external-id-missing',
  'external-id-mismatch',
  'card-unknown',
  'card-deleted',
  'card-delete-twice',
  'validation-missing-field',
  'amount-format-invalid',
  'malformed-request',
  'replay-same-request',
  'request-id-conflict',
  'request-in-progress',
  'request-id-ignored',
  'duplicate-invoice',
  'executed-twice-by-proxy',
  'token-missing',
  'token-invalid',
  'token-expired',
  'token-expires-mid-flow',
  'token-endpoint-down',
  'client-credentials-bad',
  'permission-denied',
  'rate-limited-seconds',
  'rate-limited-no-header',
  'maintenance-window',
  'partial-outage-payments',
  'brownout',
  'latency-degraded',
  'error-500-before-commit',
  'error-500-after-commit',
  'error-502-before-commit',
  'error-502-after-commit',
  'error-503-before-commit',
  'error-504-after-commit',
  'error-then-ok',
  'error-forever',
  'connect-refused',
  'reset-before-commit',
  'reset-after-commit',
  'close-after-commit',
  'keepalive-race',
  'hang-before-commit',
  'hang-after-commit',
  'slow-first-byte',
  'slow-dribble',
  'truncated-body',
  'truncated-json',
  'html-instead-of-json-200',
  'html-error-page',
  'empty-body-200',
  'created-not-visible-yet',
  'timestamp-precision-varies',
  'sale-pending-then-completed',
  'sale-pending-then-denied',
  'sale-reversed-later',
  'chargeback-opened-won-lost',
  'refund-pending-then-completed',
  'refund-failed-later',
  'refund-exceeds-sale',
  'refund-already-done',
  'auth-expired',
  'unknown-field-added',
  'unknown-enum-value',
  'new-error-name',
];

/** Names of contract.md §4.2 and §5.5 that do not result from real state of this sandbox. */
export const documentedNames = new Set([
  'AGREEMENT_ALREADY_CANCELLED',
  'AMOUNT_MISMATCH',
  'AUTHORIZATION_AMOUNT_LIMIT_EXCEEDED',
  'AUTHORIZATION_ID_DOES_NOT_EXIST',
  'AUTH_SETTLE_NOT_ALLOWED',
  'BUYER_NOT_SET',
  'CANNOT_PAY_SELF',
  'CANNOT_REAUTH_CHILD_AUTHORIZATION',
  'CANNOT_REAUTH_INSIDE_HONOR_PERIOD',
  'COMPLIANCE_VIOLATION',
  'CREDIT_CARD_CVV_CHECK_FAILED',
  'CREDIT_CARD_REFUSED',
  'CREDIT_PAYMENT_NOT_ALLOWED',
  'DATA_RETRIEVAL',
  'DCC_CC_TYPE_NOT_SUPPORTED',
  'DCC_UNSUPPORTED_CURRENCY_CC_TYPE',
  'DOMESTIC_TRANSACTION_REQUIRED',
  'ERROR_AUTH',
  'EXPIRED_CREDIT_CARD',
  'FEATURE_UNSUPPORTED_FOR_PAYEE',
  'IMMEDIATE_PAY_NOT_SUPPORTED',
  'INSTRUMENT_DECLINED',
  'INSUFFICIENT_FUNDS',
  'INTERNAL_SERVER_ERROR',
  'INVALID_ACCOUNT_NUMBER',
  'INVALID_ARGUMENT',
  'INVALID_BILLING_ADDRESS',
  'INVALID_CITY_STATE_ZIP',
  'INVALID_EXPERIENCE_PROFILE_ID',
  'INVALID_FACILITATOR_CONFIGURATION',
  'INVALID_PAYER_ID',
  'INVALID_PAYPAL_PAYMENT_TOKEN',
  'INVALID_PICKUP_ADDRESS',
  'MAXIMUM_ALLOWED_AUTHORIZATION_REACHED_FOR_ORDER',
  'MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED',
  'NEED_CREDIT_CARD',
  'NEED_CREDIT_CARD_OR_BANK_ACCOUNT',
  'NOT_AUTHORIZED',
  'NOT_IMPLEMENTED',
  'ORDER_ALREADY_COMPLETED',
  'ORDER_CANNOT_BE_VOIDED',
  'ORDER_IS_EXPIRED',
  'ORDER_VOIDED',
  'PAYEE_ACCOUNT_INVALID',
  'PAYEE_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYEE_ACCOUNT_NO_CONFIRMED_EMAIL',
  'PAYEE_ACCOUNT_RESTRICTED',
  'PAYEE_BLOCKED_TRANSACTION',
  'PAYEE_COUNTRY_NOT_ENABLED',
  'PAYER_ACCOUNT_LOCKED_OR_CLOSED',
  'PAYER_ACCOUNT_RESTRICTED',
  'PAYER_ACTION_REQUIRED',
  'PAYER_CANNOT_PAY',
  'PAYER_COUNTRY_NOT_ENABLED',
  'PAYER_EMPTY_BILLING_ADDRESS',
  'PAYMENT_ALREADY_DONE',
  'PAYMENT_APPROVAL_EXPIRED',
  'PAYMENT_CANNOT_BE_INITIATED',
  'PAYMENT_DENIED',
  'PAYMENT_EXPIRED',
  'PAYMENT_METHOD_UNUSABLE',
  'PAYMENT_NOT_APPROVED_FOR_EXECUTION',
  'PERMISSION_DENIED',
  'PHONE_NUMBER_REQUIRED',
  'RATE_LIMIT_REACHED',
  'REAUTH_NOT_SUPPORTED_FOR_ORDER',
  'REDIRECT_PAYER_FOR_ALTERNATE_FUNDING',
  'REFUND_FAILED_INSUFFICIENT_FUNDS',
  'REQUESTED_OPERATION_REFUSED_DUE_TO_SELLER_OPT_OUT',
  'REQUIRED_SCOPE_MISSING',
  'RESOURCE_CONFLICT',
  'SENDING_LIMIT_EXCEEDED',
  'SERVICE_UNAVAILABLE',
  'SHIPPING_ADDRESS_INVALID',
  'TOO_MANY_REAUTHORIZATIONS',
  'TOO_MANY_SETTLEMENTS',
  'TRANSACTION_LIMIT_EXCEEDED',
  'TRANSACTION_RECEIVING_LIMIT_EXCEEDED',
  'TRANSACTION_REFUSED',
  'TRANSACTION_REFUSED_BY_PAYPAL_RISK',
  'TRANSACTION_REFUSED_PAYEE_PREFERENCE',
  'UNAUTHORIZED_PAYMENT',
  'UNKNOWN_ERROR',
  'UNPROCESSABLE_ENTITY',
  'UNSUPPORTED_PAYEE_COUNTRY',
  'UNSUPPORTED_PAYEE_CURRENCY',
]);

/** What the ledger may contain after an outcome of each phase. Members of a series or choice have their own entry. */
export const commitsOf: Readonly<Record<Phase, readonly Commit[]>> = {
  natural: ['never', 'committed', 'replay', 'as-normal'],
  'before-read': ['never'],
  'before-commit': ['never'],
  'after-commit': ['committed', 'twice', 'deferred'],
  answer: ['as-normal'],
  later: ['deferred'],
};

/** Refused because it is already done: the card is deleted, or the money is paid or refunded. */
const doneAlready = new Set(['card-delete-twice', 'payment-already-done', 'refund-already-done']);

/** The operations that support a kind of effect. Other kinds are supported everywhere. */
export const placesOf: Partial<Record<Effect['kind'], readonly OperationName[]>> = {
  'token-error': ['token.create'],
  'token-lifetime': ['token.create'],
  unauthenticated: operationNames.filter((name) => name !== 'token.create'),
  payment: ['payment.create'],
  later: ['payment.create'],
  refund: ['sale.refund', 'capture.refund'],
  twice: ['payment.create', 'sale.refund', 'capture.refund'],
  'ignore-request-id': ['payment.create', 'card.create'],
  card: ['card.create'],
  'card-deleted': ['payment.create'],
  'stale-read': ['card.get', 'card.list', 'payment.list', 'sale.get'],
  'page-shift': ['card.list', 'payment.list'],
  'not-visible-yet': ['card.get', 'payment.get', 'sale.get', 'payment.create'],
};

/** Faults that do not change the response. */
const arrives: readonly FaultName[] = [
  'slow-first-byte',
  'varying-delay',
  'slow-dribble',
  'slow-close',
  'wrong-content-type',
];

/** What a client can conclude from the response alone. */
export function expectedConclusion(outcome: Outcome): Conclusion {
  const { effect, phase, commit, id } = outcome;
  switch (effect.kind) {
    case 'none':
      return commit === 'never' && !doneAlready.has(id) ? 'FAIL' : 'OK';
    case 'error':
      if (doneAlready.has(id)) return 'OK';
      if (phase === 'after-commit' || effect.status === 409) return 'UNKNOWN';
      // A server error hides whether the request was executed, unless the service says that it was not.
      if (effect.status === 501 || (effect.status === 503 && phase === 'before-read'))
        return 'FAIL';
      return effect.status >= 500 ? 'UNKNOWN' : 'FAIL';
    case 'card-deleted':
    case 'unauthenticated':
    case 'token-error':
    case 'refuse-connections':
      return 'FAIL';
    case 'page':
      return 'UNKNOWN';
    case 'fault':
      if (effect.fault === 'redirect') return 'FAIL';
      return arrives.includes(effect.fault) ? 'OK' : 'UNKNOWN';
    case 'payment':
      if (effect.answer !== undefined || effect.overrides.sale === 'pending') return 'UNKNOWN';
      return effect.overrides.sale === 'denied' || effect.overrides.sale === 'none' ? 'FAIL' : 'OK';
    case 'refund':
      return 'UNKNOWN';
    case 'dialect':
      return effect.dialect === 'unknown-enum' ? 'UNKNOWN' : 'OK';
    case 'later':
    case 'card':
    case 'stale-read':
    case 'page-shift':
    case 'not-visible-yet':
      return 'READ';
    case 'twice':
    case 'ignore-request-id':
    case 'token-lifetime':
    case 'wait-before-commit':
      return 'OK';
    case 'series':
    case 'choice':
      return checkedCatalogue.get(effect.of[0] ?? '').concludes;
  }
}

export function fits({ type, oneOf }: Parameter, value: string | number): boolean {
  if (oneOf !== undefined && !oneOf.includes(value)) return false;
  switch (type) {
    case 'ms':
    case 'duration':
      return readDurationMs(value) !== undefined;
    case 'count':
    case 'bytes':
    case 'seconds':
      return Number.isSafeInteger(value) && Number(value) >= 0;
    case 'text':
      return typeof value === 'string';
  }
}
