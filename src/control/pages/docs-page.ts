/** The docs page: Swagger UI over one of the two documents, above a plain list of its endpoints. */
import { html } from 'hono/html';
import { exampleMerchant } from '../../contract/constants.ts';
import type { ServerBases } from '../guards/port-routing.ts';
import { missingAssets } from './assets.ts';
import { endpointTable, type Document, type Html } from './endpoints.ts';

export const documents = {
  service: {
    label: 'Service (/v1)',
    plane: 'service',
    page: '/docs',
    document: '/openapi.json',
  },
  control: {
    label: 'Control (/_sandbox)',
    plane: 'control',
    page: '/docs/control',
    document: '/_sandbox/openapi.json',
  },
} as const;

export type DocumentName = keyof typeof documents;

export interface DocsPage {
  readonly name: DocumentName;
  readonly document: Document;
  /** Whether the files of Swagger UI exist. */
  readonly interactive: boolean;
  /** Whether `Bearer sandbox.<merchant>` is accepted, so that calls from the page need no token. */
  readonly openAuth: boolean;
  /** The origins of links to both servers. */
  readonly bases: ServerBases;
}

/** Writes the page. */
export function docsPage({ name, document, interactive, openAuth, bases }: DocsPage): Html {
  const { title } = document.info;
  const token = name === 'service' && openAuth ? `sandbox.${exampleMerchant}` : '';
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} &middot; card-vault-sandbox</title>
        ${
          interactive
            ? html`<link rel="stylesheet" href="/docs/assets/swagger-ui.css" />
                <link rel="stylesheet" href="/docs/assets/docs.css" />
                <script src="/docs/assets/swagger-ui-bundle.js" defer></script>
                <script src="/docs/assets/init.js" defer></script>`
            : ''
        }
        <link rel="stylesheet" href="/docs/assets/page.css" />
      </head>
      <body>
        <header class="own">
          <nav aria-label="Documents">
            <a href="/">card-vault-sandbox</a>
            ${Object.entries(documents).map(
              ([key, { label, page, plane }]) =>
                html`<a
                  href="${bases[plane]}${page}"
                  ${key === name ? html`aria-current="page"` : ''}
                  >${label}</a
                >`,
            )}
            <a href="${bases.control}/_sandbox/verdict">Verdict</a>
          </nav>
        </header>
        ${
          interactive
            ? html`<div
                id="swagger-ui"
                data-document="${documents[name].document}"
                data-token="${token}"
              ></div>`
            : html`<div class="own">
                <h1>${title}</h1>
                <p class="notice">${missingAssets}</p>
              </div>`
        }
        <details id="plain" class="own" open>
          <summary>All endpoints as a plain list</summary>
          ${endpointTable(document)}
          <p><a href="${documents[name].document}">OpenAPI document</a></p>
        </details>
      </body>
    </html>`;
}
