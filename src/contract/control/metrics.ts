/** What Prometheus scrapes. */
import { z } from '@hono/zod-openapi';
import { declare, ofNothing, refusals } from './declare.ts';

/** The text format of Prometheus, as its servers ask for it. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export const metricsRoutes = {
  metrics: declare({
    operationId: 'metrics',
    method: 'get',
    path: '/_sandbox/metrics',
    summary: 'Write what was counted, for Prometheus',
    description:
      'Requests, outcomes, latency, worlds, journals and memory of the whole sandbox. No label holds anything that a client sent.',
    tags: ['Sandbox'],
    request: { query: ofNothing },
    responses: {
      200: {
        description: 'In the text format of Prometheus',
        content: {
          [metricsType]: {
            schema: z.string().openapi({ example: 'card_vault_sandbox_merchants 1' }),
          },
        },
      },
      ...refusals(),
    },
  }),
};
