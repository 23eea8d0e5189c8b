/** The control plane under `/_sandbox`: the verbs of a sandbox, as they look over HTTP. */
import { z } from '@hono/zod-openapi';
import { declare, done, ofMerchant, ofNothing, openRefusals, refusals } from './declare.ts';
import { forcingRoutes } from './forcing.ts';
import { journalRoutes } from './journal.ts';
import { ledgerRoutes } from './ledger.ts';
import { worldRoutes } from './worlds.ts';
import { coverageRoutes } from './coverage.ts';
import { metricsRoutes } from './metrics.ts';
import { verdictRoutes } from './verdict.ts';
import { answer, jsonBody } from '../service/declare.ts';
import { defaultMerchant } from '../default-merchant.ts';
import { healthPath } from '../health-path.ts';
import { profileNames } from '../profile.ts';

export const Health = z
  .object({
    status: z.enum(['ready', 'stopping']),
    merchants: z.int().openapi({ description: 'Merchants that have a world', example: 1 }),
    droppedRequestIds: z.int().openapi({
      description: 'Request ids that were forgotten before their time, over all merchants',
      example: 0,
    }),
  })
  .openapi('Health');

const Decision = z
  .object({
    where: z.string().openapi({ example: 'src/domain/card/card.ts' }),
    decision: z.string(),
  })
  .openapi('Decision', { description: 'Behaviour that no document shows, and the reason for it' });

export const About = z
  .object({
    name: z.literal('card-vault-sandbox'),
    version: z.string().openapi({ example: '1.0.0' }),
    profile: z.enum(profileNames),
    seed: z.string().openapi({ example: 'checkout' }),
    auth: z.enum(['open', 'strict']),
    ownerCheck: z.enum(['strict', 'lenient']),
    allowPastExpiry: z.boolean(),
    realCards: z.enum(['refuse', 'warn', 'off']).openapi({
      description: 'What happens to card numbers that are on no list of test numbers',
    }),
    allowedCards: z.int().openapi({ description: 'Test numbers that the team added' }),
    magicAmounts: z.boolean(),
    scenario: z.string().optional().openapi({ description: 'What every merchant plays' }),
    limits: z.object({
      maxMerchants: z.int(),
      maxRecords: z.int(),
      maxRequestIds: z.int(),
      maxJournalEntries: z.int(),
      maxJournalBytes: z.int(),
      maxSnapshots: z.int(),
      maxBodyBytes: z.int(),
    }),
  })
  .openapi('Settings');

export const AboutOut = About.extend({ decisions: z.array(Decision).readonly() }).openapi('About');

export const ClockReading = z
  .object({
    now: z.string().openapi({ format: 'date-time', example: '2026-05-06T07:08:09.000Z' }),
    frozen: z.boolean(),
  })
  .openapi('ClockReading');

/** Exactly one of the four. */
export const ClockChange = z
  .strictObject({
    freeze: z.literal(true).optional().openapi({ description: 'The clock stands still' }),
    resume: z.literal(true).optional().openapi({ description: 'It runs on from where it stands' }),
    // What is no time is told so by the clock, in the words it has for whoever sets it in process.
    set: z.unknown().optional().openapi({
      type: 'string',
      format: 'date-time',
      description: 'It moves to a later time',
      example: '2030-01-01T00:00:00Z',
    }),
    // Every number and every text passes here: the clock says which of them it can be advanced by.
    advance: z
      .union([z.string(), z.number().openapi({ type: 'integer' })], {
        error:
          'must be an ISO 8601 duration such as "P1D" or "PT90M", or a whole number of milliseconds',
      })
      .optional()
      .openapi({
        description: 'It moves ahead: an ISO 8601 duration, or milliseconds',
        example: 'P1D',
      }),
  })
  .openapi('ClockChange', {
    description: 'Exactly one of the four.',
    minProperties: 1,
    maxProperties: 1,
    example: { advance: 'P1D' },
  });

export const controlRoutes = {
  health: declare({
    operationId: 'health',
    method: 'get',
    path: healthPath,
    summary: 'Say whether this sandbox is ready',
    tags: ['Sandbox'],
    security: [],
    request: { query: ofNothing },
    responses: {
      200: answer('It is ready', Health),
      503: answer('It is stopping; requests are still answered', Health),
      ...openRefusals(),
    },
  }),
  about: declare({
    operationId: 'about',
    method: 'get',
    path: '/_sandbox/about',
    summary: 'Show version, settings and what was decided where no document speaks',
    tags: ['Sandbox'],
    request: { query: ofNothing },
    responses: { 200: answer('What this sandbox is', AboutOut), ...refusals() },
  }),
  reset: declare({
    operationId: 'reset',
    method: 'post',
    path: '/_sandbox/reset',
    summary: 'Put a merchant, or all of them, back to how they began',
    description: 'Their snapshots stay. Of all, only those that keep some are listed afterwards.',
    tags: ['Merchants'],
    request: {
      query: z.strictObject({
        merchant: z
          .string()
          .optional()
          .openapi({ description: `A client id; \`${defaultMerchant}\` when left out` }),
        all: z
          .enum(['true', 'false'])
          .optional()
          .openapi({ description: 'Every merchant; not together with `merchant`' }),
      }),
    },
    responses: { 204: done('As it was when it began'), ...refusals(413) },
  }),
  merchants: declare({
    operationId: 'merchants',
    method: 'get',
    path: '/_sandbox/merchants',
    summary: 'List the merchants that have a world, or that there was no room for',
    tags: ['Merchants'],
    request: { query: ofNothing },
    responses: {
      200: answer('Their client ids', z.array(z.string()).openapi({ example: ['default'] })),
      ...refusals(),
    },
  }),
  deleteMerchant: declare({
    operationId: 'deleteMerchant',
    method: 'delete',
    path: '/_sandbox/merchants/{id}',
    summary: 'Forget a merchant and free its place',
    tags: ['Merchants'],
    request: {
      params: z.object({ id: z.string().openapi({ example: 'worker-3' }) }),
      query: ofNothing,
    },
    responses: { 204: done('It is forgotten'), ...refusals(404, 413) },
  }),
  readClock: declare({
    operationId: 'clock.read',
    method: 'get',
    path: '/_sandbox/clock',
    summary: "Read a merchant's clock",
    tags: ['Clock'],
    request: { query: ofMerchant },
    responses: { 200: answer('Where it stands', ClockReading), ...refusals() },
  }),
  changeClock: declare({
    operationId: 'clock.change',
    method: 'post',
    path: '/_sandbox/clock',
    summary: "Freeze, resume, set or advance a merchant's clock",
    description:
      'When the call returns, all that fell due has happened. A clock never runs backwards.',
    tags: ['Clock'],
    request: { query: ofMerchant, body: jsonBody(ClockChange) },
    responses: { 200: answer('Where it stands now', ClockReading), ...refusals(409, 413, 415) },
  }),
  ...ledgerRoutes,
  ...forcingRoutes,
  ...journalRoutes,
  ...worldRoutes,
  ...verdictRoutes,
  ...coverageRoutes,
  ...metricsRoutes,
};
