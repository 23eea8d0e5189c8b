/** The control plane's own OpenAPI 3.1 document. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Env } from 'hono';
import { defaultMerchant } from './control.ts';

const about = `What a test does around the service: reset, move the clock, read the ledger. The same verbs exist in process.

Calls act on the merchant \`${defaultMerchant}\`; \`?merchant=<id>\` picks another. Nothing here asks for a token. Browsers may call from this sandbox's own pages only.`;

const tags = [
  { name: 'Sandbox', description: 'Is it up, and what is it' },
  { name: 'Merchants', description: 'The worlds: list, reset, forget' },
  { name: 'Clock', description: "A merchant's time" },
  { name: 'Ledger', description: 'Where the money is' },
];

/** Writes the document of every control call that was bound in `app`. */
export function controlDocument<E extends Env>(
  app: OpenAPIHono<E>,
  version: string,
): ReturnType<OpenAPIHono<E>['getOpenAPI31Document']> {
  return app.getOpenAPI31Document({
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
}
