/** Imports a library and answers a first request, in a fresh process: the sandbox, or one of its alternatives. */
import { importLibrary } from './library.ts';
import { bearer, cardBody } from '../load/traffic.ts';
import { serveTasks } from './worker-link.ts';

const url = 'http://sandbox.local/v1/vault/credit-cards';

type Fetch = typeof globalThis.fetch;

const sides: Readonly<Record<string, () => Promise<Fetch>>> = {
  ours: async () => {
    const { createSandbox } = await importLibrary();
    return createSandbox().fetch;
  },
  /** One route that validates its body. */
  hono: async () => {
    const { createRoute, OpenAPIHono, z } = await import('@hono/zod-openapi');
    const card = z.object({
      number: z.string(),
      type: z.string(),
      expire_month: z.number(),
      expire_year: z.number(),
    });
    const json = (schema: typeof card) => ({ content: { 'application/json': { schema } } });
    const route = createRoute({
      method: 'post',
      path: '/v1/vault/credit-cards',
      request: { body: json(card) },
      responses: { 201: { description: 'The card', ...json(card) } },
    });
    const app = new OpenAPIHono();
    app.openapi(route, (c) => c.json(c.req.valid('json'), 201));
    return async (input, init) => app.request(String(input), init);
  },
  /** One handler that answers with the body. */
  msw: async () => {
    const { http, HttpResponse } = await import('msw');
    const { setupServer } = await import('msw/node');
    const answer = http.post(url, async ({ request }) =>
      HttpResponse.json(await request.json(), { status: 201 }),
    );
    setupServer(answer).listen();
    return globalThis.fetch;
  },
};

serveTasks({
  /** Milliseconds of CPU from the import to the answer. */
  run: async () => {
    const [, , side = ''] = process.argv;
    const before = process.cpuUsage();
    const fetch = await sides[side]?.();
    const answer = await fetch?.(url, {
      method: 'POST',
      headers: { ...bearer(), 'Content-Type': 'application/json' },
      body: cardBody('customer'),
    });
    await answer?.json();
    const { user, system } = process.cpuUsage(before);
    if (answer?.status !== 201) throw new Error(`${side} answered ${answer?.status}`);
    return (user + system) / 1000;
  },
});
