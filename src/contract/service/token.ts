/** The token endpoint. Its errors have the shape of OAuth, unlike every other error of the service. */
import { createRoute, z } from '@hono/zod-openapi';
import { answerPart } from './answer-part.ts';
import { exampleBodies } from './examples.ts';
import { maybeText } from './fields.ts';

export const TokenOut = answerPart('Token', () =>
  z.object({
    scope: z.string(),
    access_token: z.string().openapi({ example: 'A21.my-shop.…' }),
    token_type: z.literal('Bearer'),
    app_id: z.string().openapi({ example: 'APP-1AB23456CD789012E' }),
    expires_in: z.int().openapi({ example: 32400 }),
    nonce: z.string(),
  }),
);

export const TokenError = answerPart('TokenError', () =>
  z.object({
    error: z.string().openapi({ example: 'invalid_client' }),
    error_description: z.string(),
  }),
);

export const TokenIn = z
  .object({
    grant_type: z.string().openapi({ example: 'client_credentials' }),
    refresh_token: maybeText,
    code: maybeText,
  })
  .openapi('TokenInput', { example: exampleBodies.token });

function tokenError(description: string) {
  return { description, content: { 'application/json': { schema: TokenError } } };
}

/** Every way the token endpoint refuses (contract.md §1.3): status, `error` and what the client reads. */
export const tokenProblems = {
  'credentials-missing': {
    status: 400,
    error: 'invalid_client',
    description: 'Client credentials are missing',
  },
  'client-invalid': {
    status: 401,
    error: 'invalid_client',
    description:
      'The client credentials are invalid: a client id here has 1 to 128 letters, digits and . _ ~ @ + -',
  },
  'secret-wrong': {
    status: 401,
    error: 'invalid_client',
    description: 'Client secret does not match for this client',
  },
  'credentials-live': {
    status: 401,
    error: 'invalid_client',
    description:
      'The client credentials look like live ones, which this sandbox refuses (--real-cards refuse); use any others',
  },
  'grant-missing': {
    status: 400,
    error: 'unsupported_grant_type',
    description: 'Grant Type is NULL',
  },
  'grant-unknown': {
    status: 400,
    error: 'unsupported_grant_type',
    description: 'unsupported grant_type',
  },
  'refresh-token-unknown': {
    status: 400,
    error: 'invalid_request',
    description: 'Invalid refresh token',
  },
  'code-unknown': { status: 400, error: 'invalid_request', description: 'Invalid auth code' },
  'merchants-full': {
    status: 403,
    error: 'access_denied',
    description:
      'This sandbox holds as many merchants as it may; delete one or raise --max-merchants',
  },
  'media-type': {
    status: 415,
    error: 'invalid_request',
    description: 'Send the body as application/x-www-form-urlencoded',
  },
  'body-encoded': {
    status: 415,
    error: 'invalid_request',
    description: 'Send the body as it is, without Content-Encoding',
  },
  'body-too-large': {
    status: 413,
    error: 'invalid_request',
    description: 'The request body is larger than this sandbox accepts',
  },
  'outcome-unknown': {
    status: 400,
    error: 'invalid_request',
    description:
      'The header Sandbox-Outcome cannot be followed; GET /_sandbox/outcomes lists what it may say',
  },
  'internal-error': {
    status: 500,
    error: 'server_error',
    description: 'An internal service error has occurred',
  },
} as const satisfies Record<
  string,
  { status: 400 | 401 | 403 | 413 | 415 | 500; error: string; description: string }
>;

export type TokenProblemKind = keyof typeof tokenProblems;

export const tokenRoutes = {
  'token.create': createRoute({
    operationId: 'token.create',
    method: 'post',
    path: '/v1/oauth2/token',
    summary: 'Get an access token',
    description:
      'The client id names the merchant; any secret is accepted unless a fixture pins it. Each merchant is a world of its own.',
    tags: ['Token'],
    security: [{ client: [] }],
    request: {
      body: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: TokenIn } },
      },
    },
    responses: {
      200: {
        description: 'A bearer token for this merchant',
        content: { 'application/json': { schema: TokenOut } },
      },
      400: tokenError('No credentials, or a grant that is not served'),
      401: tokenError('The client id or its secret is not accepted'),
      403: tokenError('No room for another merchant'),
      413: tokenError('The body is too large'),
      415: tokenError('The body is not a form, or is compressed'),
      500: tokenError('A bug of this sandbox'),
    },
  }),
};
