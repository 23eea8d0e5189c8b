/** Reads that lag behind writes, cursors that die, clocks that differ. */
import { naturalError } from './errors.ts';
import { byRule, type Row } from './row.ts';

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
    operations: ['any'],
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
