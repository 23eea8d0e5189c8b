/** The token endpoint. Its errors have the shape of OAuth, unlike every other error of the service. */
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
