/** The ids of findings, by family. */
export const findingIdsByGroup = {
  money: [
    'double-charge',
    'orphaned-charge',
    'double-refund',
    'orphaned-refund',
    'refund-and-chargeback',
    'charge-after-hard-decline',
    'excessive-reattempts',
    'sale-not-checked',
    'refund-not-checked',
    'hold-left-open',
    'amount-drift',
  ],
  retry: [
    'retry-without-key',
    'new-key-on-retry',
    'key-reused-for-other-intent',
    'key-low-entropy',
    'retry-of-final-4xx',
    'retry-no-backoff',
    'retry-no-jitter',
    'ignores-retry-after',
    'retry-storm',
    'gives-up-at-once',
    'hidden-transport-retry',
    'no-read-after-unknown',
  ],
  concurrency: ['concurrent-duplicates', 'token-stampede', 'connection-per-request'],
  time: ['no-deadline', 'deadline-too-short', 'idle-timer-only'],
  auth: ['token-per-call', 'refresh-loop', 'token-in-url', 'live-looking-credential'],
  data: [
    'pan-in-wrong-field',
    'pan-in-url-or-header',
    'cvv-in-wrong-place',
    'real-looking-card',
    'raw-card-instead-of-token',
    'missing-external-customer-id',
    'shared-external-customer-id',
    'float-amount',
    'pii-in-description',
    'stored-card-again',
  ],
  protocol: [
    'ignores-next-link',
    'list-as-proof-of-absence',
    'hand-built-url',
    'mishandles-204',
    'content-type-missing',
    'polling-too-fast',
    'unknown-path',
  ],
} as const;

export type FindingGroup = keyof typeof findingIdsByGroup;
export type FindingId = (typeof findingIdsByGroup)[FindingGroup][number];

/** All of them, in the order of the lists. */
export const findingIds: readonly FindingId[] = Object.values(findingIdsByGroup).flat();
