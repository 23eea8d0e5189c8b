/** Schemas of the verbs about the sandbox itself. */
import { z } from '@hono/zod-openapi';
import { verbSchemas } from './declare.ts';
import { answer } from '../service/declare.ts';
import { profileNames } from '../profile.ts';

export const Health = z
  .object({
    status: z.enum(['ready', 'stopping']),
    merchants: z.int().openapi({ description: 'Merchants that have a world', example: 1 }),
    droppedRequestIds: z.int().openapi({
      description: 'Request ids that were forgotten early for lack of room, over all merchants',
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
    allowedCards: z.int().openapi({ description: 'How many test card numbers the team added' }),
    magicAmounts: z.boolean(),
    scenario: z
      .string()
      .optional()
      .openapi({ description: 'Name of the scenario that every merchant plays' }),
    limits: z.object({
      maxMerchants: z.int(),
      maxRecords: z.int(),
      maxRequestIds: z.int(),
      maxJournalEntries: z.int(),
      maxJournalBytes: z.int(),
      maxSnapshots: z.int(),
      maxBodyBytes: z.int(),
    }),
    decisions: z.array(Decision).readonly(),
  })
  .openapi('About');

/** The text format of Prometheus, as its servers ask for it. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export const sandboxSchemas = verbSchemas({
  health: {
    summary: 'Say whether this sandbox is ready',
    tag: 'Sandbox',
    output: Health,
    answer: 'It is ready',
    answers: { 503: answer('It is stopping; requests are still answered', Health) },
    open: true,
  },
  about: {
    summary: 'Show version, settings and decisions where the documents are silent',
    tag: 'Sandbox',
    output: About,
    answer: 'Facts about this sandbox',
  },
  metrics: {
    summary: 'Write the counters for Prometheus',
    description:
      'Requests, outcomes, latency, worlds, journals and memory of the whole sandbox. No label holds anything that a client sent.',
    tag: 'Sandbox',
    output: z.string().openapi({ example: 'card_vault_sandbox_merchants 1' }),
    answer: 'In the text format of Prometheus',
    contentType: metricsType,
  },
});
