/** All rules about what a client must not do, in the order in which a verdict reports them. */
import type { FindingRule } from './finding-rule.ts';
import { doubleCharge } from './money/double-charge.ts';
import { orphanedCharge } from './money/orphaned-charge.ts';
import { doubleRefund } from './money/double-refund.ts';
import { orphanedRefund } from './money/orphaned-refund.ts';
import { refundAndChargeback } from './money/refund-and-chargeback.ts';
import { amountDrift } from './money/amount-drift.ts';
import { chargeAfterHardDecline } from './money/charge-after-hard-decline.ts';
import { excessiveReattempts } from './money/excessive-reattempts.ts';
import { saleNotChecked } from './money/sale-not-checked.ts';
import { refundNotChecked } from './money/refund-not-checked.ts';
import { holdLeftOpen } from './money/holds/hold-left-open.ts';
import { retryWithoutKey } from './retry/retry-without-key.ts';
import { newKeyOnRetry } from './retry/new-key-on-retry.ts';
import { keyReusedForOtherIntent } from './retry/key-reused-for-other-intent.ts';
import { keyLowEntropy } from './retry/key-low-entropy.ts';
import { retryOfFinal4xx } from './retry/retry-of-final-4xx.ts';
import { ignoresRetryAfter } from './retry/ignores-retry-after.ts';
import { hiddenTransportRetry } from './retry/hidden-transport-retry.ts';
import { retryNoBackoff } from './retry/retry-no-backoff.ts';
import { retryNoJitter } from './retry/retry-no-jitter.ts';
import { retryStorm } from './retry/retry-storm.ts';
import { noReadAfterUnknown } from './retry/no-read-after-unknown.ts';
import { givesUpAtOnce } from './retry/gives-up-at-once.ts';
import { concurrentDuplicates } from './concurrency/concurrent-duplicates.ts';
import { tokenStampede } from './concurrency/token-stampede.ts';
import { connectionPerRequest } from './concurrency/connection-per-request.ts';
import { noDeadline } from './time/no-deadline.ts';
import { deadlineTooShort } from './time/deadline-too-short.ts';
import { idleTimerOnly } from './time/idle-timer-only.ts';
import { tokenPerCall } from './auth/token-per-call.ts';
import { refreshLoop } from './auth/refresh-loop.ts';
import { tokenInUrl } from './auth/token-in-url.ts';
import { liveLookingCredential } from './auth/live-looking-credential.ts';
import { panInWrongField } from './data/pan-in-wrong-field.ts';
import { panInUrlOrHeader } from './data/pan-in-url-or-header.ts';
import { cvvInWrongPlace } from './data/cvv-in-wrong-place.ts';
import { realLookingCard } from './data/real-looking-card.ts';
import { rawCardInsteadOfToken } from './data/raw-card-instead-of-token.ts';
import { storedCardAgain } from './data/stored-card-again.ts';
import { missingExternalCustomerId } from './data/missing-external-customer-id.ts';
import { sharedExternalCustomerId } from './data/shared-external-customer-id.ts';
import { floatAmount } from './data/float-amount.ts';
import { piiInDescription } from './data/pii-in-description.ts';
import { ignoresNextLink } from './protocol/ignores-next-link.ts';
import { listAsProofOfAbsence } from './protocol/list-as-proof-of-absence.ts';
import { handBuiltUrl } from './protocol/hand-built-url.ts';
import { mishandles204 } from './protocol/mishandles-204.ts';
import { contentTypeMissing } from './protocol/content-type-missing.ts';
import { unknownPath } from './protocol/unknown-path.ts';
import { pollingTooFast } from './protocol/polling-too-fast.ts';

export const findingRules: readonly FindingRule[] = [
  // money
  doubleCharge,
  orphanedCharge,
  doubleRefund,
  orphanedRefund,
  refundAndChargeback,
  amountDrift,
  chargeAfterHardDecline,
  excessiveReattempts,
  saleNotChecked,
  refundNotChecked,
  holdLeftOpen,
  // retry
  retryWithoutKey,
  newKeyOnRetry,
  keyReusedForOtherIntent,
  keyLowEntropy,
  retryOfFinal4xx,
  ignoresRetryAfter,
  hiddenTransportRetry,
  retryNoBackoff,
  retryNoJitter,
  retryStorm,
  noReadAfterUnknown,
  givesUpAtOnce,
  // concurrency
  concurrentDuplicates,
  tokenStampede,
  connectionPerRequest,
  // time
  noDeadline,
  deadlineTooShort,
  idleTimerOnly,
  // auth
  tokenPerCall,
  refreshLoop,
  tokenInUrl,
  liveLookingCredential,
  // data
  panInWrongField,
  panInUrlOrHeader,
  cvvInWrongPlace,
  realLookingCard,
  rawCardInsteadOfToken,
  storedCardAgain,
  missingExternalCustomerId,
  sharedExternalCustomerId,
  floatAmount,
  piiInDescription,
  // protocol
  ignoresNextLink,
  listAsProofOfAbsence,
  handBuiltUrl,
  mishandles204,
  contentTypeMissing,
  unknownPath,
  pollingTooFast,
];
