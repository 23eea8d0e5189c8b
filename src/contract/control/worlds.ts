/** The control calls about whole worlds: snapshots that stay here, exports that go elsewhere. */
import { z } from '@hono/zod-openapi';
import { declare, done, ofMerchant, refusals } from './declare.ts';
import { answer, jsonBody } from '../service/declare.ts';

const name = z.string().openapi({
  description: '1 to 128 letters, digits and . _ ~ @ + -, a letter or a digit first',
  example: 'seeded',
});

export const SnapshotOrder = z
  .strictObject({ name: name.optional() })
  .openapi('SnapshotOrder', { example: { name: 'seeded' } });

export const SnapshotTaken = z.object({ name }).openapi('SnapshotTaken');

export const SnapshotReading = z
  .object({
    name,
    at: z.string().openapi({
      format: 'date-time',
      description: "Where the merchant's clock stood",
      example: '2026-05-06T07:08:09.000Z',
    }),
    records: z.int().openapi({ description: 'How many records the world held' }),
  })
  .openapi('Snapshot');

/** Held to its form by the verb, which names every mistake. To everybody else it is one thing. */
export const ExportedWorld = z.record(z.string(), z.unknown()).openapi('ExportedWorld', {
  description:
    'What GET /_sandbox/world gives, PUT /_sandbox/world takes; nothing in it is for reading.',
  example: { format: 'card-vault-sandbox/world', version: 1 },
});

const ofSnapshot = z.object({ name });

export const worldRoutes = {
  snapshot: declare({
    operationId: 'snapshot',
    method: 'post',
    path: '/_sandbox/snapshots',
    summary: "Keep a merchant's world as it is now",
    description:
      'All but its journal. Without a name one is drawn up; one of the same name is replaced. Snapshots outlive a reset and go with their merchant.',
    tags: ['Snapshots'],
    request: { query: ofMerchant, body: jsonBody(SnapshotOrder) },
    responses: { 201: answer('Its name', SnapshotTaken), ...refusals(413, 415) },
  }),
  snapshots: declare({
    operationId: 'snapshots',
    method: 'get',
    path: '/_sandbox/snapshots',
    summary: 'List the snapshots that a merchant keeps',
    tags: ['Snapshots'],
    request: { query: ofMerchant },
    responses: { 200: answer('The newest last', z.array(SnapshotReading)), ...refusals() },
  }),
  restore: declare({
    operationId: 'snapshot.restore',
    method: 'post',
    path: '/_sandbox/snapshots/{name}',
    summary: 'Go on where a snapshot was taken',
    description: 'As often as wanted. A request under way ends in the world that is left.',
    tags: ['Snapshots'],
    request: { params: ofSnapshot, query: ofMerchant },
    responses: { 204: done('The world is as it was'), ...refusals(404, 413) },
  }),
  dropSnapshot: declare({
    operationId: 'snapshot.drop',
    method: 'delete',
    path: '/_sandbox/snapshots/{name}',
    summary: 'Drop a snapshot',
    tags: ['Snapshots'],
    request: { params: ofSnapshot, query: ofMerchant },
    responses: { 204: done('It is dropped'), ...refusals(404, 413) },
  }),
  exportWorld: declare({
    operationId: 'export',
    method: 'get',
    path: '/_sandbox/world',
    summary: "Write a merchant's world down",
    description:
      'One document without card numbers and secrets, from which a sandbox elsewhere goes on.',
    tags: ['Snapshots'],
    request: { query: ofMerchant },
    responses: { 200: answer('The world', ExportedWorld), ...refusals(409) },
  }),
  importWorld: declare({
    operationId: 'import',
    method: 'put',
    path: '/_sandbox/world',
    summary: 'Go on where a world was written down',
    description:
      'With the same seed and options, and a clock that stands still, what follows is answered as it would have been there. A mistake changes nothing.',
    tags: ['Snapshots'],
    request: { query: ofMerchant, body: jsonBody(ExportedWorld) },
    responses: { 204: done('The world is there'), ...refusals(413, 415) },
  }),
};
