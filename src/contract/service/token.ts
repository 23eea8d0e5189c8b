/** The token endpoint. Its errors have the OAuth shape, unlike all other errors of the service. */
import { createRoute, z } from '@hono/zod-openapi';
import { exampleBodies } from './examples.ts';
import { maybeText } from './fields.ts';

export const TokenOut = z
  .object({
    scope: z.string(),
    access_token: z.string().openapi({ example: 'A21.my-shop.…' }),
    token_type: z.literal('Bearer'),
    app_id: z.string().openapi({ example: 'APP-1AB23456CD789012E' }),
    expires_in: z.int().openapi({ example: 32400 }),
    nonce: z.string(),
  })
  .openapi('Token');

export const TokenError = z
  .object({
    error: z.string().openapi({ example: 'invalid_client' }),
    error_description: z.string(),
  })
  .openapi('TokenError');

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

export const tokenRoutes = {
  'token.create': createRoute({
    operationId: 'token.create',
    method: 'post',
    path: '/v1/oauth2/token',
    summary: 'Get an access token',
    description:
      'The client id names the merchant. Any secret is accepted, unless the fixtures require one. Each merchant has its own cards, payments, clock and ids.',
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
      400: tokenError('The grant type is not supported'),
      401: tokenError('The credentials are missing, or the client id or its secret is invalid'),
      403: tokenError('No room for another merchant'),
      413: tokenError('The body is too large'),
      415: tokenError('The body is not a form, or is compressed'),
      500: tokenError('Internal error in the sandbox'),
    },
  }),
};
