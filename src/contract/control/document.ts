/** The OpenAPI 3.1 document of the control API. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { controlTokenSchemes } from './declare.ts';
import { defaultMerchant } from '../constants.ts';

const about = `What a test does besides calling the service: force outcomes, reset, move the clock, read the ledger. The same verbs exist in process.

Calls act on the merchant \`${defaultMerchant}\`; \`?merchant=<id>\` names another one. No token is needed, unless the sandbox was started with one (\`--control-token\`); then every call except health needs it. Browsers may call only from the pages of this sandbox.`;

const tags = [
  { name: 'Sandbox', description: 'Health, version and settings' },
  { name: 'Merchants', description: 'List, reset and delete merchants' },
  { name: 'Outcomes and rules', description: 'List outcomes, and force them with rules' },
  { name: 'Gates', description: 'Hold requests, and release them in an order of your choice' },
  { name: 'Scenarios', description: 'Play scenarios, and generate card numbers' },
  { name: 'Journal', description: 'Requests, answers and how they were delivered' },
  { name: 'Snapshots', description: 'Keep, restore, export and import worlds' },
  { name: 'Clock', description: 'Read and move the clock of a merchant' },
  { name: 'Verdict', description: 'What happened to the money' },
  { name: 'Ledger', description: 'Transfers, balances and totals' },
];

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
export type DocumentSchemas = NonNullable<NonNullable<Document['components']>['schemas']>;

/** The two ways to send the control token. Once for each app. */
export function declareControlToken<E extends Env>(app: OpenAPIHono<E>): void {
  const { bearer, header } = controlTokenSchemes;
  app.openAPIRegistry.registerComponent('securitySchemes', bearer, {
    type: 'http',
    scheme: 'bearer',
    description: 'The control token, if the sandbox was started with one',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', header, {
    type: 'apiKey',
    in: 'header',
    name: 'Sandbox-Token',
    description: 'The same, for clients that use Authorization for something else',
  });
}

/**
 * Writes the document of every control call that was bound in `app`. `written` holds the full schemas of rules and
 * scenarios.
 */
export function controlDocument<E extends Env>(
  app: OpenAPIHono<E>,
  version: string,
  written: DocumentSchemas,
): Document {
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Sandbox control',
      version,
      description: about,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: [{ url: '/', description: 'This sandbox' }],
    tags,
  });
  const { components = {} } = document;
  return {
    ...document,
    components: { ...components, schemas: { ...components.schemas, ...written } },
  };
}
