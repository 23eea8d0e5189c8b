/** The service as it may be next year: nothing is wrong, much is written in another way. */
import type { DialectName } from '../outcome.ts';
import { bodyOperations, byRule, recordOperations, type Row } from './row.ts';

function written(dialect: DialectName) {
  return {
    operations: ['any'],
    triggers: byRule,
    phase: 'answer',
    commit: 'as-normal',
    effect: { kind: 'dialect', dialect },
    concludes: 'OK',
    retry: 'not-needed',
    provenance: 'generic',
  } as const;
}

/** Written into the body, so there must be one. */
function inBody(dialect: DialectName) {
  return { ...written(dialect), operations: bodyOperations, needs: 'body' } as const;
}

/** Written into what only records have. */
function inRecords(dialect: DialectName) {
  return { ...inBody(dialect), operations: recordOperations } as const;
}

export const evolution: readonly Row[] = [
  {
    ...inBody('unknown-field'),
    id: 'unknown-field-added',
    tier: 1,
    wire: 'More fields, at every level',
    cause: 'Providers add fields and do not call it a change.',
    correctClient: 'Ignores them.',
  },
  {
    ...inRecords('unknown-enum'),
    id: 'unknown-enum-value',
    tier: 1,
    wire: 'A value that no list of values holds',
    parameters: {
      path: {
        default: '',
        type: 'text',
        about: 'Path of the field to change; every state and type where it is empty',
      },
      value: { default: 'in_review', type: 'text', about: 'What stands at the path' },
    },
    concludes: 'UNKNOWN',
    retry: 'same-key',
    cause: 'Providers add states and do not call it a change.',
    correctClient: 'Takes what it does not know for neither final nor success.',
  },
  {
    id: 'new-error-name',
    tier: 1,
    operations: ['any'],
    triggers: byRule,
    phase: 'before-read',
    commit: 'never',
    wire: '400 with a name nobody knows',
    effect: {
      kind: 'error',
      status: 400,
      name: 'BRAND_NEW_ERROR',
      message: 'The request was refused for a new reason',
    },
    parameters: {
      name: { default: 'BRAND_NEW_ERROR', type: 'text', about: 'The name of the error' },
    },
    concludes: 'FAIL',
    retry: 'never',
    cause: 'Providers add errors and do not call it a change.',
    correctClient: 'Decides by the class of the status and logs the name.',
    provenance: 'generic',
  },
  {
    ...inBody('shuffled-keys'),
    id: 'field-order-shuffled',
    tier: 2,
    wire: 'Keys in another order',
    cause: 'Another serialiser.',
    correctClient: 'Compares values, not texts.',
  },
  {
    ...inRecords('null-for-absent'),
    id: 'null-instead-of-absent',
    tier: 2,
    wire: 'null where a field used to be absent',
    cause: 'Another serialiser.',
    correctClient: 'Takes both for nothing.',
  },
  {
    ...inRecords('longer-ids'),
    id: 'id-format-longer',
    tier: 2,
    wire: 'Ids of up to 64 characters with another prefix',
    cause: 'Ids are opaque, says the provider.',
    correctClient: 'Has no fixed width for them and no pattern.',
  },
  {
    ...inRecords('extra-links'),
    id: 'links-reordered-or-extra',
    tier: 2,
    wire: 'Links in another order, and one more',
    cause: 'Links are found by relation.',
    correctClient: 'Finds them by rel, never by place.',
  },
  {
    ...inBody('numbers-as-strings'),
    id: 'number-as-string',
    tier: 2,
    operations: ['card.create', 'card.list', 'card.get', 'card.update'],
    wire: 'expire_month "11" instead of 11',
    cause: 'The service itself is shown with both.',
    correctClient: 'Reads both.',
  },
  {
    ...written('deprecation-headers'),
    id: 'deprecation-headers',
    tier: 3,
    wire: 'Deprecation and Sunset headers',
    cause: 'A version is retired.',
    correctClient: 'Logs it and alerts.',
  },
];
