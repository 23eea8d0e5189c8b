/** Reads that lag behind writes, cursors that die, clocks that differ. */
import { naturalError } from './errors.ts';
import type { ChangeKind } from '../outcome.ts';
import { byRule, recordOperations, type Row } from './row.ts';

/** A replica answers that has not heard of it yet. The answer is right, but for its time. */
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

/** Two machines never agree on the time. */
const otherClock = {
  tier: 2,
  operations: ['any'],
  triggers: byRule,
  phase: 'answer',
  commit: 'as-normal',
  parameters: {
    skew: { default: 'PT5M', type: 'duration', about: 'By how much the clocks differ' },
  },
  concludes: 'OK',
  retry: 'not-needed',
  cause: 'Two machines never agree on the time.',
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
    wire: '404 INVALID_RESOURCE_ID although the record was made a moment ago',
    effect: { kind: 'not-visible-yet' },
    parameters: {
      lag: { default: '1500ms', type: 'duration', about: 'How long a new record stays hidden' },
    },
    concludes: 'READ',
    retry: 'after-wait',
    cause: 'A replica lags behind.',
    correctClient: 'Reads again for a short while; does not make the record anew.',
    provenance: 'generic',
  },
  {
    ...lagging('made', '3s'),
    id: 'list-lags-create',
    operations: ['card.list', 'payment.list'],
    wire: 'A list without what was made a moment ago',
    cause: 'An index lags behind.',
    correctClient: 'Does not take the list for proof that something is not there.',
  },
  {
    ...lagging('changed', '3s'),
    id: 'stale-read-after-update',
    operations: ['card.get', 'sale.get'],
    wire: 'The record as it was before it changed a moment ago',
    cause: 'A replica lags behind.',
    correctClient: 'Compares update_time; what is newer stands.',
  },
  {
    ...lagging('removed', '3s'),
    id: 'stale-read-after-delete',
    operations: ['card.get', 'card.list'],
    wire: '200 for a card that was deleted a moment ago; it never pays',
    cause: 'A cache.',
    correctClient: 'Trusts its own delete.',
  },
  {
    id: 'page-shift',
    tier: 2,
    operations: ['card.list', 'payment.list'],
    triggers: byRule,
    phase: 'answer',
    commit: 'as-normal',
    wire: 'A later page repeats the end of the one before, or leaves something out',
    effect: { kind: 'page-shift' },
    parameters: {
      change: {
        default: 'insertion',
        type: 'text',
        oneOf: ['insertion', 'deletion'],
        about: 'What happened between two pages: insertion repeats, deletion leaves out',
      },
      by: { default: 1, type: 'count', about: 'How many' },
    },
    concludes: 'READ',
    retry: 'not-needed',
    cause: 'Somebody else writes while pages are read.',
    correctClient: 'Knows records by their id; counts none twice.',
    provenance: 'generic',
  },
  {
    ...otherClock,
    id: 'clock-skew-ahead',
    wire: 'Date, create_time and update_time lie ahead',
    effect: { kind: 'dialect', dialect: 'clock-ahead' },
    correctClient: 'Compares no time of its own with one of the service.',
  },
  {
    ...otherClock,
    id: 'clock-skew-behind',
    wire: 'Date, create_time and update_time lie behind',
    effect: { kind: 'dialect', dialect: 'clock-behind' },
    correctClient: "Orders by the service's times, and only among those.",
  },
  {
    id: 'page-token-expired',
    tier: 3,
    operations: ['payment.list'],
    triggers: byRule,
    phase: 'before-commit',
    commit: 'never',
    wire: '400 VALIDATION_ERROR for start_id',
    effect: naturalError('invalid-fields', {
      field: 'start_id',
      issue: 'This place in the list is no longer known',
    }),
    concludes: 'FAIL',
    retry: 'after-fix',
    cause: 'A cursor does not live long.',
    correctClient: 'Starts the list again.',
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
    wire: 'Times with and without fractional seconds',
    effect: { kind: 'dialect', dialect: 'other-time-precision' },
    concludes: 'OK',
    retry: 'not-needed',
    cause: 'The service shows both forms.',
    correctClient: 'Reads all of ISO 8601.',
    provenance: 'generic',
  },
];
