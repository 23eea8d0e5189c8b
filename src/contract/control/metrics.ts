/** What Prometheus scrapes. */
import { z } from '@hono/zod-openapi';
import { verbSchemas } from './declare.ts';

/** The text format of Prometheus, as its servers ask for it. */
export const metricsType = 'text/plain; version=0.0.4; charset=utf-8';

export const metricsSchemas = verbSchemas({
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
