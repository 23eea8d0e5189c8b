/** Stale reads, expired cursors and clocks that differ. */
import { naturalError } from './errors.ts';
import type { ChangeKind } from '../outcome.ts';
import { byRule, recordOperations, type Row } from './row.ts';

/** A replica that lags behind answers. The response was correct some time ago. */
function lagging(of: ChangeKind, lag: string) {
  return {
    tier: 2,
    triggers: [...byRule, 'time'],
    phase: 'answer',
    commit: 'as-normal',
    effect: { kind: 'stale-read', of },
    parameters: {
      lag: { default: lag, type: 'duration', about: 'How long the replica lags behind' },
    },
    concludes: 'READ',
    retry: 'after-wait',
    provenance: 'generic',
  } as const;
}

/** The clocks of two machines always differ. */
const otherClock = {
  tier: 2,
  operations: ['any'],
  triggers: byRule,
  phase: 'answer',
  commit: 'as-normal',
  parameters: {
    skew: { default: 'PT5M', type: 'duration', about: 'Difference between the clocks' },
  },
  concludes: 'OK',
  retry: 'not-needed',
  cause: 'The clocks of two machines always differ.',
  provenance: 'generic',
} as const;

export const consistency: readonly Row[] = [
  {
    id: 'created-not-visible-yet',
    tier: 1,
    operations: ['card.get', 'payment.get', 'sale.get', 'payment.create'],
    triggers: [...byRule, 'time'],
    phase: 'before-commit',
    commit: 'never',
    response: '404 INVALID_RESOURCE_ID although the record was just created',
    effect: { kind: 'not-visible-yet' },
    parameters: {
      lag: { default: '1500ms', type: 'duration', about: 'How long a new record stays hidden' },
    },
    concludes: 'READ',
    retry: 'after-wait',
    cause: 'A replica lags behind.',
    correctClient: 'Reads again for a short time and does not create the record again.',
    provenance: 'generic',
  },
  {
    ...lagging('made', '3s'),
    id: 'list-lags-create',
    operations: ['card.list', 'payment.list'],
    response: 'A list without records that were just created',
    cause: 'An index lags behind.',
    correctClient: 'Does not treat the list as proof that a record does not exist.',
  },
  {
    ...lagging('changed', '3s'),
    id: 'stale-read-after-update',
    operations: ['card.get', 'sale.get'],
    response: 'The record as it was before a recent change',
    cause: 'A replica lags behind.',
    correctClient: 'Compares update_time and keeps the newer version.',
  },
  {
    ...lagging('removed', '3s'),
    id: 'stale-read-after-delete',
    operations: ['card.get', 'card.list'],
    response: '200 for a card that was just deleted; payments with it still fail',
    cause: 'A cache lags behind.',
    correctClient: 'Trusts its own delete.',
  },
  {
    id: 'page-shift',
    tier: 2,
    operations: ['card.list', 'payment.list'],
    triggers: byRule,
    phase: 'answer',
    commit: 'as-normal',
    response: 'A later page repeats or omits records',
    effect: { kind: 'page-shift' },
    parameters: {
      change: {
        default: 'insertion',
        type: 'text',
        oneOf: ['insertion', 'deletion'],
        about: 'Change between two pages: an insertion repeats records, a deletion omits some',
      },
      by: { default: 1, type: 'count', about: 'Number of records' },
    },
    concludes: 'READ',
    retry: 'not-needed',
    cause: 'Another client writes while this one reads pages.',
    correctClient: 'Identifies records by id and counts none twice.',
    provenance: 'generic',
  },
  {
    ...otherClock,
    id: 'clock-skew-ahead',
    response: 'Date, create_time and update_time are in the future',
    effect: { kind: 'dialect', dialect: 'clock-ahead' },
    correctClient: 'Does not compare its own time with times of the service.',
  },
  {
    ...otherClock,
    id: 'clock-skew-behind',
    response: 'Date, create_time and update_time are in the past',
    effect: { kind: 'dialect', dialect: 'clock-behind' },
    correctClient: 'Compares times of the service only with each other.',
  },
  {
    id: 'page-token-expired',
    tier: 3,
    operations: ['payment.list'],
    triggers: byRule,
    phase: 'before-commit',
    commit: 'never',
    response: '400 VALIDATION_ERROR for start_id',
    effect: naturalError('invalid-fields', {
      field: 'start_id',
      issue: 'This place in the list is no longer known',
    }),
    concludes: 'FAIL',
    retry: 'after-fix',
    cause: 'A cursor expires soon.',
    correctClient: 'Reads the list again from the start.',
    provenance: 'generic',
  },
  {
    id: 'timestamp-precision-varies',
    tier: 1,
    operations: recordOperations,
    needs: 'body',
    triggers: ['natural', ...byRule],
    phase: 'answer',
    commit: 'as-normal',
    response: 'Times with and without fractional seconds',
    effect: { kind: 'dialect', dialect: 'other-time-precision' },
    concludes: 'OK',
    retry: 'not-needed',
    cause: 'The service sends both forms.',
    correctClient: 'Accepts every form of ISO 8601.',
    provenance: 'generic',
  },
];
