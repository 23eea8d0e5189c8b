/** The service's OpenAPI 3.1 document, made from the declared operations. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from 'hono';

const about = `A sandbox of a card vault and a payment service. It speaks the PayPal REST API v1, so official SDKs work with it unchanged. Only the base URL differs.

**Merchants.** The OAuth client id is the merchant. Each merchant has its own cards, payments, clock and ids. Any client id and secret are accepted; \`Bearer sandbox.<merchant>\` needs no token call.

**Paths.** The vault has two spellings, \`credit-cards\` and \`credit-card\`. All paths work with and without a trailing slash. Unknown query parameters are ignored, empty ones count as absent, and the body of a GET or DELETE is not read.

**Repeats.** A POST with the \`PayPal-Request-Id\` and body of an earlier one changes nothing and returns the resource of the first. The header \`Sandbox-Replayed: true\` marks such an answer.

**Values.** An integer in a text field counts as its digits, and \`null\` counts as absent. Amounts are strings.

**Errors.** Each status lists the error names that an operation can return. A forced outcome can return any error name of the service.`;

const tags = [
  { name: 'Token', description: 'Exchange credentials for a bearer token' },
  { name: 'Vault', description: 'Store, read, change and delete cards' },
  { name: 'Payments', description: 'Charge a card, or hold money on it' },
  { name: 'Sales and refunds', description: 'Read and refund sales' },
  { name: 'Authorizations and captures', description: 'Capture held money, or release it' },
];

/** Writes the document of all operations that are bound in `app`. */
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

/** Declares the two ways to authenticate. Call it once for each app. */
export function declareSecurity<E extends Env>(app: OpenAPIHono<E>): void {
  app.openAPIRegistry.registerComponent('securitySchemes', 'bearer', {
    type: 'http',
    scheme: 'bearer',
    description: 'A token of `POST /v1/oauth2/token`, or `sandbox.<merchant>`',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', 'client', {
    type: 'http',
    scheme: 'basic',
    description: 'Client id and secret. Any are accepted, unless the fixtures require a secret.',
  });
}
