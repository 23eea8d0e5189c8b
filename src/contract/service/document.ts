/** The service's OpenAPI 3.1 document, made from the declared operations. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from 'hono';

const about = `A sandbox of a card vault and vaulted-card payment service. The wire is that of the PayPal REST API v1, so its official SDKs work against it unchanged but for the base URL.

**Merchants.** The OAuth client id is the merchant, and each merchant is a world of its own: cards, payments, clock, ids. Any client id and secret will do; \`Bearer sandbox.<merchant>\` needs no token call.

**Paths** answer in both spellings of the vault (\`credit-cards\` and \`credit-card\`), with and without a trailing slash. Unknown query parameters are ignored, empty ones count as absent, and a body on GET or DELETE is not read.

**Repeats.** A POST repeated with the same \`PayPal-Request-Id\` and body answers with the first one's resource and does nothing; \`Sandbox-Replayed: true\` says so.

**Errors.** Under each status stand the names that an operation answers by itself; what a test forces can have any name that the service knows.`;

const tags = [
  { name: 'Token', description: 'Credentials in, bearer token out' },
  { name: 'Vault', description: 'Cards, stored and redacted' },
  { name: 'Payments', description: 'Money taken or held' },
  { name: 'Sales and refunds', description: 'Money taken at once, and given back' },
  { name: 'Authorizations and captures', description: 'Money held, taken later, or let go' },
];

/** Writes the document of everything that was bound in `app`. */
export function serviceDocument<E extends Env>(
  app: OpenAPIHono<E>,
  version: string,
): ReturnType<OpenAPIHono<E>['getOpenAPI31Document']> {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Card vault and vaulted-card payments',
      version,
      description: about,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This sandbox' }],
    tags,
  });
}

/** The two ways to say who is asking. Once for each app. */
export function declareSecurity<E extends Env>(app: OpenAPIHono<E>): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of `POST /v1/oauth2/token`, or `sandbox.<merchant>`',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'client', {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and secret; any will do unless a fixture pins the secret',
  });
}
