/**
 * The ids of outcomes, made from the catalogue.
 * Written by UPDATE_TYPES=1 npm run test:run -- test/contract/public-types.test.ts
 */
/** Every outcome by its id. Each comment says what the client receives. */
export interface OutcomeIds {
  /** 400 CREDIT_CARD_REFUSED */
  'decline-generic': true;
  /** 400 CREDIT_CARD_REFUSED */
  'decline-do-not-honor': true;
  /** 400 INSTRUMENT_DECLINED */
  'decline-insufficient-funds': true;
  /** 400 CREDIT_CARD_REFUSED */
  'decline-lost-or-stolen': true;
  /** 400 TRANSACTION_REFUSED */
  'decline-suspected-fraud': true;
  /** 400 CREDIT_CARD_REFUSED */
  'decline-card-expired-at-issuer': true;
  /** 400 CREDIT_CARD_REFUSED */
  'decline-invalid-account': true;
  /** 400 CREDIT_CARD_REFUSED */
  'decline-restricted-card': true;
  /** 400 INSTRUMENT_DECLINED */
  'decline-processing-error': true;
  /** 400 INSTRUMENT_DECLINED */
  'decline-issuer-unavailable': true;
  /** 400 TRANSACTION_LIMIT_EXCEEDED */
  'decline-limit-exceeded': true;
  /** 400 MAX_NUMBER_OF_PAYMENT_ATTEMPTS_EXCEEDED */
  'decline-velocity': true;
  /** 400 CREDIT_CARD_REFUSED */
  'decline-recurring-cancelled': true;
  /** 400 CREDIT_CARD_REFUSED */
  'decline-stop-payment': true;
  /** 400 COMPLIANCE_VIOLATION */
  'decline-compliance': true;
  /** 400 TRANSACTION_REFUSED_PAYEE_PREFERENCE */
  'decline-payee-preference': true;
  /** 400 PAYEE_ACCOUNT_RESTRICTED */
  'decline-payee-restricted': true;
  /** 400 UNKNOWN_ERROR */
  'decline-unknown-error-400': true;
  /** 201 with a denied sale: a record without money */
  'declined-inside-201': true;
  /** 201 with a failed payment that has no sale: a record without money */
  'payment-state-failed': true;
  /** 400 PAYER_ACTION_REQUIRED */
  'sca-required': true;
  /** 400 CREDIT_CARD_REFUSED */
  'store-ok-pay-declines': true;
  /** 400 INSTRUMENT_DECLINED a few times, then 201 */
  'soft-decline-then-approve': true;
  /** 400 CREDIT_CARD_CVV_CHECK_FAILED */
  'cvv-mismatch-declined': true;
  /** 201 with cvv_code N */
  'cvv-mismatch-accepted': true;
  /** 201 with cvv_code P */
  'cvv-not-checked': true;
  /** 400 CREDIT_CARD_REFUSED with avs_code N */
  'avs-mismatch-declined': true;
  /** 201 with avs_code A */
  'avs-postcode-mismatch-accepted': true;
  /** 201 with avs_code Z */
  'avs-street-mismatch-accepted': true;
  /** 201 with avs_code U, or G for a card from outside the US */
  'avs-unavailable': true;
  /** 400 INVALID_CITY_STATE_ZIP */
  'address-combination-invalid': true;
  /** 400 VALIDATION_ERROR for expire_month, expire_year */
  'card-input-expired': true;
  /** 400 VALIDATION_ERROR for expire_year */
  'card-two-digit-year': true;
  /** 400 VALIDATION_ERROR for number, as with 4242424242424241 */
  'card-luhn-invalid': true;
  /** 400 VALIDATION_ERROR for type */
  'card-type-mismatch': true;
  /** 400 VALIDATION_ERROR with the issue REAL_CARD_REFUSED */
  'real-card-refused': true;
  /** 400 EXPIRED_CREDIT_CARD_TOKEN */
  'vault-entry-expired': true;
  /** 400 CREDIT_CARD_REFUSED */
  'card-expired-since-stored': true;
  /** 400 PAYER_ID_MISSING_FOR_CARD_TOKEN */
  'external-id-missing': true;
  /** 400 CARD_TOKEN_PAYER_MISMATCH */
  'external-id-mismatch': true;
  /** 201; the id is ignored */
  'external-id-not-expected': true;
  /** 404 INVALID_RESOURCE_ID */
  'card-unknown': true;
  /** 404 INVALID_RESOURCE_ID */
  'card-deleted': true;
  /** 404 INVALID_RESOURCE_ID, or 201 if the payment came first; the card is deleted */
  'card-deleted-during-payment': true;
  /** 404 INVALID_RESOURCE_ID */
  'card-delete-twice': true;
  /** 404 INVALID_RESOURCE_ID, as for an unknown card */
  'card-of-other-merchant': true;
  /** 201 with a new id */
  'card-stored-twice': true;
  /** 201; later the expiry of the card moves by three years */
  'card-auto-updated': true;
  /** 201; later the card has other last digits and a later expiry, under the same id */
  'card-auto-replaced': true;
  /** 201; later payments are declined although the card can still be read */
  'card-closed-by-issuer': true;
  /** 400 VALIDATION_ERROR for the path */
  'card-patch-unsupported': true;
  /** 400 VALIDATION_ERROR with one detail */
  'validation-missing-field': true;
  /** 400 VALIDATION_ERROR with three details */
  'validation-many-details': true;
  /** 400 VALIDATION_ERROR for transactions[0].amount.total */
  'amount-format-invalid': true;
  /** 400 AMOUNT_MISMATCH */
  'amount-details-mismatch': true;
  /** 400 CURRENCY_NOT_ALLOWED */
  'currency-not-allowed': true;
  /** 400 MALFORMED_REQUEST */
  'malformed-request': true;
  /** 415 UNSUPPORTED_MEDIA_TYPE */
  'unsupported-media-type': true;
  /** 413, as an error or as a page of a proxy */
  'payload-too-large': true;
  /** 501 NOT_IMPLEMENTED */
  'not-implemented': true;
  /** 405 METHOD_NOT_SUPPORTED with an Allow header */
  'method-not-allowed': true;
  /** The named error of the service, with its status */
  'error-by-name': true;
  /** The id of the first response; nothing is executed again */
  'replay-same-request': true;
  /** The same id in its current state */
  'replay-shows-newer-state': true;
  /** 400 DUPLICATE_REQUEST_ID */
  'request-id-conflict': true;
  /** 409 PREVIOUS_REQUEST_IN_PROGRESS; the first request may still succeed */
  'request-in-progress': true;
  /** 201, executed again */
  'request-id-forgotten': true;
  /** 201, executed again although the request id repeats */
  'request-id-ignored': true;
  /** 400 PAYMENT_REQUEST_ID_INVALID */
  'request-id-invalid': true;
  /** 400 DUPLICATE_TRANSACTION; often the order is already paid */
  'duplicate-invoice': true;
  /** 400 PAYMENT_ALREADY_DONE; an earlier request paid */
  'payment-already-done': true;
  /** 400 DUPLICATE_TRANSACTION */
  'suspected-duplicate': true;
  /** 201 once, and two records in the ledger */
  'executed-twice-by-proxy': true;
  /** 401 with a WWW-Authenticate header */
  'token-missing': true;
  /** 401 invalid_token */
  'token-invalid': true;
  /** 401 invalid_token */
  'token-expired': true;
  /** 401 invalid_token, then 201 */
  'token-expires-mid-flow': true;
  /** 401 invalid_token */
  'token-revoked': true;
  /** 401 invalid_token for a valid token, a few times */
  'token-401-burst': true;
  /** 503, as a page or as an error */
  'token-endpoint-down': true;
  /** 200 after ten seconds or more */
  'token-endpoint-slow': true;
  /** 200 with a small expires_in */
  'token-short-lived': true;
  /** 401 invalid_client */
  'client-credentials-bad': true;
  /** 403 REQUIRED_SCOPE_MISSING */
  'scope-missing': true;
  /** 403 PERMISSION_DENIED */
  'permission-denied': true;
  /** 429 RATE_LIMIT_REACHED with Retry-After in seconds */
  'rate-limited-seconds': true;
  /** 429 RATE_LIMIT_REACHED with Retry-After as a date */
  'rate-limited-http-date': true;
  /** 429 RATE_LIMIT_REACHED without Retry-After */
  'rate-limited-no-header': true;
  /** 429 of the token endpoint only */
  'rate-limited-token': true;
  /** 503 as a page with Retry-After, as long as the window lasts */
  'maintenance-window': true;
  /** 503 SERVICE_UNAVAILABLE; the vault works */
  'partial-outage-payments': true;
  /** 503 SERVICE_UNAVAILABLE; payments work */
  'partial-outage-vault': true;
  /** Some requests, by the rule's probability, fail with 5xx before or after the commit */
  brownout: true;
  /** The full response after a random delay */
  'latency-degraded': true;
  /** 500 INTERNAL_SERVICE_ERROR */
  'error-500-before-commit': true;
  /** 500 INTERNAL_SERVICE_ERROR */
  'error-500-after-commit': true;
  /** 502 as an HTML page */
  'error-502-before-commit': true;
  /** 502 as an HTML page */
  'error-502-after-commit': true;
  /** 503 SERVICE_UNAVAILABLE with Retry-After */
  'error-503-before-commit': true;
  /** 504 as an HTML page, after a delay */
  'error-504-before-commit': true;
  /** 504 as an HTML page, after a delay */
  'error-504-after-commit': true;
  /** 500 INTERNAL_SERVICE_ERROR a few times, then 201 */
  'error-then-ok': true;
  /** 500 INTERNAL_SERVICE_ERROR; the payment exists, and its sale follows a little later */
  'partial-commit': true;
  /** 500 INTERNAL_SERVICE_ERROR every time */
  'error-forever': true;
  /** ECONNREFUSED: over a socket for every merchant, in process for this merchant; by rule only */
  'connect-refused': true;
  /** RST instead of a response */
  'reset-before-commit': true;
  /** RST instead of a response */
  'reset-after-commit': true;
  /** FIN instead of a response */
  'close-after-commit': true;
  /** RST on a connection that served a request before */
  'keepalive-race': true;
  /** Nothing until the client leaves */
  'hang-before-commit': true;
  /** Nothing until the client leaves */
  'hang-after-commit': true;
  /** The full response after a delay */
  'slow-first-byte': true;
  /** The usual response after a delay. Meanwhile nothing is written, and a request with the same request id gets 409 */
  'slow-before-commit': true;
  /** The full response, a few bytes at a time */
  'slow-dribble': true;
  /** Fewer bytes than Content-Length promises, then the end */
  'truncated-body': true;
  /** A complete message with truncated JSON */
  'truncated-json': true;
  /** A complete message with invalid JSON */
  'malformed-json': true;
  /** A chunk with an invalid size, then the end */
  'malformed-chunk': true;
  /** Bytes that are not HTTP */
  'garbage-then-close': true;
  /** 200 with an HTML page */
  'html-instead-of-json-200': true;
  /** 502, 503 or 504 with an HTML page */
  'html-error-page': true;
  /** The correct body with a wrong Content-Type */
  'json-wrong-content-type': true;
  /** 2xx with an empty body */
  'empty-body-200': true;
  /** 302 to an HTML page */
  'redirect-302': true;
  /** Content-Encoding gzip with plain bytes */
  'wrong-content-encoding': true;
  /** The full response with Connection: close, and a connection that stays open */
  'slow-close': true;
  /** The full response at a few kilobytes per second */
  'bandwidth-limit': true;
  /** 404 INVALID_RESOURCE_ID although the record was just created */
  'created-not-visible-yet': true;
  /** A list without records that were just created */
  'list-lags-create': true;
  /** The record as it was before a recent change */
  'stale-read-after-update': true;
  /** 200 for a card that was just deleted; payments with it still fail */
  'stale-read-after-delete': true;
  /** A later page repeats or omits records */
  'page-shift': true;
  /** Date, create_time and update_time are in the future */
  'clock-skew-ahead': true;
  /** Date, create_time and update_time are in the past */
  'clock-skew-behind': true;
  /** 400 VALIDATION_ERROR for start_id */
  'page-token-expired': true;
  /** Times with and without fractional seconds */
  'timestamp-precision-varies': true;
  /** 201 with a pending sale that is completed later */
  'sale-pending-then-completed': true;
  /** 201 with a pending sale that is denied later */
  'sale-pending-then-denied': true;
  /** 201 with a sale that stays pending */
  'sale-pending-forever': true;
  /** 201 with a completed sale whose money is HELD and released later */
  'sale-held': true;
  /** 201; the sale is reversed later */
  'sale-reversed-later': true;
  /** 201; later a dispute takes the money, and is won or lost */
  'chargeback-opened-won-lost': true;
  /** 201 with a pending refund that is completed later */
  'refund-pending-then-completed': true;
  /** 201 with a pending refund that fails later; the money returns to the merchant */
  'refund-failed-later': true;
  /** 400 REFUND_FAILED_INSUFFICIENT_FUNDS */
  'refund-insufficient-merchant-funds': true;
  /** 400 REFUND_EXCEEDED_TRANSACTION_AMOUNT */
  'refund-exceeds-sale': true;
  /** 400 TRANSACTION_ALREADY_REFUNDED */
  'refund-already-done': true;
  /** 400 FULL_REFUND_NOT_ALLOWED_AFTER_PARTIAL_REFUND */
  'full-refund-after-partial': true;
  /** 400 REFUND_TIME_LIMIT_EXCEEDED */
  'refund-window-closed': true;
  /** 400 TRANSACTION_REFUSED */
  'refund-while-pending': true;
  /** 200; the authorization is partially_captured */
  'capture-partial': true;
  /** 400 CAPTURE_AMOUNT_LIMIT_EXCEEDED */
  'capture-over-limit': true;
  /** 400 AUTHORIZATION_EXPIRED */
  'auth-expired': true;
  /** 400 INSTRUMENT_DECLINED */
  'auth-honor-lapsed': true;
  /** 400 AUTHORIZATION_VOIDED */
  'auth-voided': true;
  /** 400 CURRENCY_MISMATCH */
  'capture-currency-mismatch': true;
  /** Additional fields at every level */
  'unknown-field-added': true;
  /** An enum value that is not documented */
  'unknown-enum-value': true;
  /** 400 with an unknown error name */
  'new-error-name': true;
  /** Keys in another order */
  'field-order-shuffled': true;
  /** null for fields that used to be absent */
  'null-instead-of-absent': true;
  /** Ids of up to 64 characters with another prefix */
  'id-format-longer': true;
  /** Links in another order, and one additional link */
  'links-reordered-or-extra': true;
  /** expire_month "11" instead of 11 */
  'number-as-string': true;
  /** Deprecation and Sunset headers */
  'deprecation-headers': true;
}
