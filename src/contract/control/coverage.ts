/** Which outcomes were tried on which operations: what is kept in files, and merged over parallel runs. */
import { z } from '@hono/zod-openapi';
import { verbSchemas } from './declare.ts';
import { coverageFormat } from '../constants.ts';
import { operationNames } from '../service/operations.ts';

const count = z.int('must be a whole number').positive('must be 1 or more');
const operation = z.enum(operationNames);

export const Coverage = z
  .strictObject({
    format: z.literal(coverageFormat),
    version: z.literal(1),
    operations: z
      .partialRecord(operation, count)
      .openapi({ description: 'How often each operation was called' }),
    tried: z
      .partialRecord(operation, z.record(z.string(), count))
      .openapi({ description: 'How often each outcome happened, by operation' }),
  })
  .openapi('Coverage', {
    example: {
      format: coverageFormat,
      version: 1,
      operations: { 'payment.create': 7 },
      tried: { 'payment.create': { 'reset-after-commit': 2 } },
    },
  });

export const coverageSchemas = verbSchemas({
  coverage: {
    summary: 'Count which outcomes were tried on which operations',
    description:
      'Of one merchant since it began; without one, of all merchants since the sandbox started, including those that were reset or deleted. With `prefix`, of the merchants that exist and whose id starts with it.',
    tag: 'Verdict',
    output: Coverage,
    answer: 'A document to keep in a file or to merge with others',
  },
});
