/** The control calls about the journal: each reads its input, calls one verb and says what it answered. */
import type { OpenAPIHono, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { prettyJSON } from 'hono/pretty-json';
import { controlRoutes } from '../../contract/control/routes.ts';
import { WaitTimeoutError } from '../../journal/errors.ts';
import { readExpectation, readWait } from '../../journal/query/read-query.ts';
import { checked } from './merchant-param.ts';
import { shapeMistake, type Found } from '../errors/schema-issues.ts';
import type { TransportEnv } from '../../transport-port/transport-env.ts';
import { ControlRequestError, refusalBody } from '../errors/control-error.ts';
import type { ControlVerbs } from '../verbs.ts';

/** Binds the calls that list, explain, verify and wait. */
export function bindJournal(app: OpenAPIHono<TransportEnv>, verbs: ControlVerbs): void {
  app.openapi(controlRoutes.requests, (c) => {
    const { merchant, ...query } = c.req.valid('query');
    return c.json(verbs.requests(checked(merchant), query), 200);
  });
  // Somebody with curl reads this one.
  app.on('GET', controlRoutes.explain.getRoutingPath(), prettyJSON({ force: true }));
  app.openapi(controlRoutes.explain, (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    const { debugId } = c.req.valid('param');
    const explanation = verbs.explain(merchant, debugId);
    if (explanation === undefined) throw unknownRequest(merchant, debugId);
    return c.json(explanation, 200);
  });
  app.openapi(
    controlRoutes.verify,
    (c) => {
      const merchant = checked(c.req.valid('query').merchant);
      return c.json(verbs.verify(merchant, c.req.valid('json')), 200);
    },
    inJournalWords(readExpectation),
  );
  app.openapi(
    controlRoutes.waitFor,
    async (c) => {
      const merchant = checked(c.req.valid('query').merchant);
      const { match, times, timeoutMs } = c.req.valid('json');
      const { signal } = c.req.raw;
      try {
        const came = await verbs.waitFor(merchant, match, { times, timeoutMs, signal });
        return c.json([...came], 200);
      } catch (error) {
        // Nobody reads this answer, but a bug would be told of.
        if (signal.aborted) throw new ControlRequestError('wait-ended', 'Whoever waited has left.');
        if (!(error instanceof WaitTimeoutError)) throw error;
        const expired = new ControlRequestError('wait-timeout', error.message);
        return c.json({ ...refusalBody(expired), seen: error.seen }, 408);
      }
    },
    inJournalWords(readWait),
  );
}

type Read = (value: unknown) => unknown;

/** A hook that says what is wrong with a body in the words of the verb, which knows what may stand deeper in it. */
function inJournalWords(read: Read): (found: Found, c: Context) => Promise<never> | undefined {
  return ({ target, error }, c) =>
    error === undefined ? undefined : refuseShape(target, error, read, c);
}

async function refuseShape(
  target: string,
  error: z.ZodError,
  read: Read,
  c: Context,
): Promise<never> {
  // Throws a `QueryError`, which is said in the words of the control plane as any that a verb throws.
  if (target === 'json') read(await c.req.json());
  throw await shapeMistake(target, error, c);
}

function unknownRequest(merchant: string, debugId: string): ControlRequestError {
  return new ControlRequestError(
    'unknown-request',
    `The journal of the merchant ${merchant} holds no exchange with the debug id "${debugId.slice(0, 64)}". It may be another merchant's (?merchant=<id>), from before a reset, or have made room for newer ones; GET /_sandbox/requests lists those there are.`,
    { place: 'path.debugId' },
  );
}
