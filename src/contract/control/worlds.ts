/** Schemas of the verbs about whole worlds: snapshots, export and import. */
import { z } from '@hono/zod-openapi';
import { verbSchemas } from './declare.ts';

const name = z.string().openapi({
  description: '1 to 128 letters, digits and . _ ~ @ + -, a letter or a digit first',
  example: 'seeded',
});

export const SnapshotOptions = z
  .strictObject({ name: name.optional() })
  .openapi('SnapshotOptions', { example: { name: 'seeded' } });

export const SnapshotReading = z
  .object({
    name,
    at: z.string().openapi({
      format: 'date-time',
      description: "The time on the merchant's clock",
      example: '2026-05-06T07:08:09.000Z',
    }),
    records: z.int().openapi({ description: 'How many records the world has' }),
  })
  .openapi('Snapshot');

/** The verb checks the document and names every problem. Its content is private to the sandbox. */
export const ExportedWorld = z.record(z.string(), z.unknown()).openapi('ExportedWorld', {
  description:
    'The answer of GET /_sandbox/world, and the body of PUT /_sandbox/world. Its content is private to the sandbox.',
  example: { format: 'card-vault-sandbox/world', version: 1 },
});

export const worldSchemas = verbSchemas({
  snapshot: {
    summary: "Keep a merchant's world as it is now",
    description:
      'Everything but its journal. Without a name the sandbox chooses one. An existing snapshot of the same name is replaced. Snapshots outlive a reset and are deleted with their merchant.',
    tag: 'Snapshots',
    body: SnapshotOptions,
    status: 201,
    output: name,
    answer: 'The name of the snapshot',
  },
  snapshots: {
    summary: 'List the snapshots of a merchant',
    tag: 'Snapshots',
    output: z.array(SnapshotReading),
    answer: 'The newest last',
  },
  restore: {
    summary: 'Return to a snapshot',
    description: 'As often as wanted. A request in progress ends in the world that is left.',
    tag: 'Snapshots',
    path: { name },
    answer: 'The world is that of the snapshot',
  },
  dropSnapshot: {
    summary: 'Delete a snapshot',
    tag: 'Snapshots',
    path: { name },
    answer: 'It is deleted',
  },
  exportWorld: {
    summary: "Export a merchant's world",
    description:
      'One document without card numbers and secrets. Another sandbox can continue from it.',
    tag: 'Snapshots',
    output: ExportedWorld,
    answer: 'The world',
    errors: [409],
  },
  importWorld: {
    summary: 'Continue from an exported world',
    description:
      'With the same seed and options and a frozen clock, later answers are the same as they would have been there. A problem in the document changes nothing.',
    tag: 'Snapshots',
    body: ExportedWorld,
    answer: 'The world is imported',
  },
});
