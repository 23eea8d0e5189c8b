/** Schemas of what a release and a wait for held requests take. */
import { z } from '@hono/zod-openapi';
import { onFirstUse } from '../../shared/lazy.ts';
import { maxWaitMs } from './journal-queries.ts';

/** The longest list of a release: as many requests as one gate can hold. */
const maxOrder = 10_000;

/** The schemas, made on first use. */
export const gateInputs = onFirstUse(() => {
  const ReleaseRequest = z
    .strictObject({
      order: z
        .union([
          z.enum(['arrival', 'reverse']),
          z.array(z.union([z.string(), z.int()])).max(maxOrder),
        ])
        .default('arrival')
        .openapi({
          description:
            'In which order: `arrival` or `reverse` for all, or a list of debug ids, request ids or numbers in order of arrival',
        }),
    })
    .openapi('ReleaseRequest', { example: { order: 'reverse' } });

  const HeldWaitRequest = z
    .strictObject({
      times: z.int().min(1).optional().openapi({
        description: 'How many must be held. Default: all that the gates can hold',
      }),
      timeoutMs: z
        .int()
        .min(0)
        .max(maxWaitMs)
        .default(5_000)
        .openapi({ description: `Real time after which the wait fails, at most ${maxWaitMs}` }),
    })
    .openapi('HeldWaitRequest', { example: { times: 2 } });

  return { release: ReleaseRequest, wait: HeldWaitRequest };
});
