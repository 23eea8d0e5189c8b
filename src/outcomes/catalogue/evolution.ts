/** Compatible changes of the service: every response is correct, but written in another form. */
import type { DialectName } from '../outcome.ts';
import { bodyOperations, byRule, recordOperations, type Row } from './row.ts';

function inDialect(dialect: DialectName) {
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

/** The body changes, so the response needs one. */
function inBody(dialect: DialectName) {
  return { ...inDialect(dialect), operations: bodyOperations, needs: 'body' } as const;
}

/** The change needs a record with ids, times, states or links. */
function inRecords(dialect: DialectName) {
  return { ...inBody(dialect), operations: recordOperations } as const;
}

export const evolution: readonly Row[] = [
  {
    ...inBody('unknown-field'),
    id: 'unknown-field-added',
    tier: 1,
    response: 'Additional fields at every level',
    cause: 'Providers add fields without a new version.',
    correctClient: 'Ignores unknown fields.',
  },
  {
    ...inRecords('unknown-enum'),
    id: 'unknown-enum-value',
    tier: 1,
    response: 'An enum value that is not documented',
    parameters: {
      path: {
        default: '',
        type: 'text',
        about: 'Path of the field to change; every state and type if it is empty',
      },
      value: { default: 'in_review', type: 'text', about: 'Value to set at the path' },
    },
    concludes: 'UNKNOWN',
    retry: 'same-key',
    cause: 'Providers add states without a new version.',
    correctClient: 'Treats an unknown value as neither final nor successful.',
  },
  {
    id: 'new-error-name',
    tier: 1,
    operations: ['any'],
    triggers: byRule,
    phase: 'before-read',
    commit: 'never',
    response: '400 with an unknown error name',
    effect: {
      kind: 'error',
      status: 400,
      name: 'BRAND_NEW_ERROR',
      message: 'The request was refused for a new reason',
    },
    parameters: {
      name: { default: 'BRAND_NEW_ERROR', type: 'text', about: 'Name of the error' },
    },
    concludes: 'FAIL',
    retry: 'never',
    cause: 'Providers add errors without a new version.',
    correctClient: 'Decides by the class of the HTTP status and logs the name.',
    provenance: 'generic',
  },
  {
    ...inBody('shuffled-keys'),
    id: 'field-order-shuffled',
    tier: 2,
    response: 'Keys in another order',
    cause: 'The service uses another serialiser.',
    correctClient: 'Compares values, not text.',
  },
  {
    ...inRecords('null-for-absent'),
    id: 'null-instead-of-absent',
    tier: 2,
    response: 'null for fields that used to be absent',
    cause: 'The service uses another serialiser.',
    correctClient: 'Treats null and absent alike.',
  },
  {
    ...inRecords('longer-ids'),
    id: 'id-format-longer',
    tier: 2,
    response: 'Ids of up to 64 characters with another prefix',
    cause: 'The provider says that ids are opaque.',
    correctClient: 'Assumes no length and no pattern for ids.',
  },
  {
    ...inRecords('extra-links'),
    id: 'links-reordered-or-extra',
    tier: 2,
    response: 'Links in another order, and one additional link',
    cause: 'The provider says that links are found by their relation.',
    correctClient: 'Finds links by rel, never by position.',
  },
  {
    ...inBody('numbers-as-strings'),
    id: 'number-as-string',
    tier: 2,
    operations: ['card.create', 'card.list', 'card.get', 'card.update'],
    response: 'expire_month "11" instead of 11',
    cause: 'The service sends both forms.',
    correctClient: 'Reads both forms.',
  },
  {
    ...inDialect('deprecation-headers'),
    id: 'deprecation-headers',
    tier: 3,
    response: 'Deprecation and Sunset headers',
    cause: 'A version of the API is retired.',
    correctClient: 'Logs it and alerts the team.',
  },
];
