/** The control plane's own OpenAPI 3.1 document. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { controlTokenSchemes } from './declare.ts';
import { defaultMerchant } from '../constants.ts';

const about = `What a test does around the service: force outcomes, reset, move the clock, read the ledger. The same verbs exist in process.

Calls act on the merchant \`${defaultMerchant}\`; \`?merchant=<id>\` picks another. No token is needed, unless the sandbox was given one (\`--control-token\`); then every call but health needs it. Browsers may call from this sandbox's own pages only.`;

const tags = [
  { name: 'Sandbox', description: 'Is it up, and what is it' },
  { name: 'Merchants', description: 'The worlds: list, reset, forget' },
  { name: 'Outcomes and rules', description: 'What can be forced, and what is' },
  { name: 'Gates', description: 'Requests that are held, and released in a chosen order' },
  { name: 'Scenarios', description: 'Runs that are written down, and cards to run them with' },
  { name: 'Journal', description: 'What was asked, answered and delivered' },
  { name: 'Snapshots', description: 'Worlds that are kept, written down and gone on with' },
  { name: 'Clock', description: "A merchant's time" },
  { name: 'Verdict', description: 'What happened to the money, judged' },
  { name: 'Ledger', description: 'Where the money is' },
];

type Document = ReturnType<OpenAPIHono['getOpenAPI31Document']>;
export type DocumentSchemas = NonNullable<NonNullable<Document['components']>['schemas']>;

/** The two ways to send the control token. Once for each app. */
export function declareControlToken<E extends Env>(app: OpenAPIHono<E>): void {
  const { bearer, header } = controlTokenSchemes;
  app.openAPIRegistry.registerComponent('securitySchemes', bearer, {
    type: 'http',
    scheme: 'bearer',
    description: 'The control token, where the sandbox was given one',
  });
  app.openAPIRegistry.registerComponent('securitySchemes', header, {
    type: 'apiKey',
    in: 'header',
    name: 'Sandbox-Token',
    description: 'The same, for clients that use Authorization for something else',
  });
}

/**
 * Writes the document of every control call that was bound in `app`. `written` says in full what a rule and a
 * scenario may say.
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
