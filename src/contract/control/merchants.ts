/** Schemas of the verbs about merchants and their clocks. */
import { z } from '@hono/zod-openapi';
import { durationForms } from '../../domain/duration.ts';
import { verbSchemas } from './declare.ts';

export const ClockReading = z
  .object({
    now: z.string().openapi({ format: 'date-time', example: '2026-05-06T07:08:09.000Z' }),
    frozen: z.boolean(),
  })
  .openapi('ClockReading');

/** Exactly one of the four. */
export const ClockChange = z
  .strictObject({
    freeze: z.literal(true).optional().openapi({ description: 'Stop the clock' }),
    resume: z
      .literal(true)
      .optional()
      .openapi({ description: 'Let the clock run from where it stands' }),
    // The clock reads the time, so that its message is the same in code and over HTTP.
    set: z.unknown().optional().openapi({
      type: 'string',
      format: 'date-time',
      description: 'Move the clock to a later time',
      example: '2030-01-01T00:00:00Z',
    }),
    // The clock reads the duration, for the same reason.
    advance: z
      .union([z.string(), z.number().openapi({ type: 'integer' })], {
        error: `must be a duration (${durationForms}), or a whole number of milliseconds`,
      })
      .optional()
      .openapi({
        description:
          'Move the clock ahead by a duration, such as `90s` or `P1D`, or by milliseconds',
        example: 'P1D',
      }),
  })
  .openapi('ClockChange', {
    description: 'Exactly one of the four.',
    minProperties: 1,
    maxProperties: 1,
    example: { advance: 'P1D' },
  });

export const merchantSchemas = verbSchemas({
  merchants: {
    summary: 'List the merchants that have a world, and those that were refused one',
    tag: 'Merchants',
    output: z.array(z.string()).openapi({ example: ['default'] }),
    answer: 'Their client ids',
  },
  deleteMerchant: {
    summary: 'Delete a merchant and free its place',
    tag: 'Merchants',
    path: { id: z.string().openapi({ example: 'worker-3' }) },
    answer: 'It is deleted',
  },
  reset: {
    summary: 'Return a merchant, or all of them, to the initial state',
    description: 'Snapshots stay. After `all=true`, only merchants with snapshots are listed.',
    tag: 'Merchants',
    answer: 'It is in its initial state',
  },
  readClock: {
    summary: "Read a merchant's clock",
    tag: 'Clock',
    output: ClockReading,
    answer: 'The time it shows',
  },
  changeClock: {
    summary: "Freeze, resume, set or advance a merchant's clock",
    description:
      'On return, every event that is due by then has happened. A clock never runs backwards.',
    tag: 'Clock',
    body: ClockChange,
    output: ClockReading,
    answer: 'The time it shows now',
    errors: [409],
  },
});
