/** How a control call is declared: whom it acts on, what it answers, every way it can refuse. */
import { createRoute, z } from '@hono/zod-openapi';
import type { RouteConfig } from '@hono/zod-openapi';
import { controlProblems, type ControlProblemKind } from './problems.ts';
import { answer } from '../service/declare.ts';
import { defaultMerchant } from '../default-merchant.ts';

const ControlRequestError = z.object({
  message: z.string(),
  place: z.string().optional(),
  allowed: z.array(z.string()).readonly().optional(),
  nearest: z.string().optional(),
});

export const ControlError = z
  .object({
    error: z.string().openapi({ example: 'unknown-parameter' }),
    message: z.string(),
    place: z.string().optional().openapi({
      description: 'What is wrong: `query.<name>`, `body.<key>`, a header or a path',
      example: 'query.merchnt',
    }),
    allowed: z
      .array(z.string())
      .readonly()
      .optional()
      .openapi({ example: ['merchant', 'all'] }),
    nearest: z.string().optional().openapi({
      description: 'The allowed word that was probably meant',
      example: 'merchant',
    }),
    mistakes: z
      .array(ControlRequestError)
      .readonly()
      .optional()
      .openapi({ description: 'Everything that is wrong with a rule, a scenario or an export' }),
  })
  .openapi('ControlError');

/** The merchant a call acts on. */
const merchant = z.string().default(defaultMerchant).openapi({
  description: 'A client id: 1 to 128 letters, digits and . _ ~ @ + -',
});

export const ofMerchant = z.strictObject({ merchant });
/** A call that reads of all merchants where none is named. */
export const ofOneOrAll = z.strictObject({
  merchant: z.string().optional().openapi({ description: 'A client id' }),
});
export const ofNothing = z.strictObject({});

type ErrorStatus = (typeof controlProblems)[Exclude<
  ControlProblemKind,
  'method-not-allowed' | 'unknown-path'
>]['status'];

function refusal(status: ErrorStatus) {
  const kinds = Object.entries(controlProblems).filter(([, problem]) => problem.status === status);
  const words = kinds.map(([kind, { when }]) => `\`${kind}\`: ${when}`);
  return answer(words.join('; '), ControlError);
}

/** The refusals of a call that needs no token, described by the table of them. Any call can meet these three. */
export function openRefusals<const S extends ErrorStatus = never>(...others: readonly S[]) {
  const statuses = [400, 403, 500, ...others] as const;
  const responses: Partial<Record<ErrorStatus, ReturnType<typeof refusal>>> = {};
  for (const status of statuses) responses[status] = refusal(status);
  // Every status was just given its response.
  return responses as Record<(typeof statuses)[number], ReturnType<typeof refusal>>;
}

/** The refusals of any other call. */
export function refusals<const S extends ErrorStatus = never>(...others: readonly S[]) {
  return openRefusals<S | 401>(401, ...others);
}

/** Names of the two ways to send the control token, as the document calls them. */
export const controlTokenSchemes = { bearer: 'controlToken', header: 'sandboxToken' } as const;

/** Declares a control call. It needs a token where the sandbox was given one. */
export function declare<const R extends RouteConfig>(route: R) {
  const { bearer, header } = controlTokenSchemes;
  return createRoute({ security: [{}, { [bearer]: [] }, { [header]: [] }], ...route });
}

/** An answer without a body. */
export const done = (description: string) => ({ description });
