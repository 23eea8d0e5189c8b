/** The first page somebody sees: what runs here, and where to go next. */
import { html } from 'hono/html';
import { exampleBodies } from '../../contract/examples.ts';
import type { ControlVerbs } from '../verbs.ts';
import type { Html } from './endpoints.ts';

type About = ReturnType<ControlVerbs['about']>;

const links = {
  docs: '/docs',
  openapi: '/openapi.json',
  controlDocs: '/docs/control',
  controlOpenapi: '/_sandbox/openapi.json',
  health: '/_sandbox/health',
  about: '/_sandbox/about',
} as const;

const what =
  'A sandbox of a card vault and vaulted-card payments on the PayPal REST API v1 wire. No money moves, no real card is needed, and every client id is a merchant with a world of its own.';

/** The landing page for programs. */
export function landingLinks(about: About, baseUrl: string): object {
  const absolute = Object.entries(links).map(([name, path]) => [name, baseUrl + path]);
  return {
    name: about.name,
    version: about.version,
    description: what,
    baseUrl,
    links: Object.fromEntries(absolute),
  };
}

/** The landing page for people. */
export function landingPage(about: About, baseUrl: string): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>card-vault-sandbox</title>
        <link rel="icon" href="data:," />
        <link rel="stylesheet" href="/docs/assets/page.css" />
      </head>
      <body>
        <main class="own">
          <h1>card-vault-sandbox</h1>
          <p>${what}</p>
          <p>Base URL: <code>${baseUrl}</code> (version ${about.version})</p>
          <nav aria-label="Where to go">
            <a href="${links.docs}">Service docs</a>
            <a href="${links.controlDocs}">Control docs</a>
            <a href="${links.health}">Health</a>
            <a href="${links.about}">About</a>
          </nav>
          <h2>Try it</h2>
          <pre><code>${tryIt(about, baseUrl)}</code></pre>
        </main>
      </body>
    </html>`;
}

/** Three lines to paste: one that asks, one that changes, one that puts all back. */
function tryIt({ auth }: About, baseUrl: string): string {
  const { number, type, expire_month, expire_year } = exampleBodies.card;
  const card = JSON.stringify({ number, type, expire_month, expire_year });
  const token = auth === 'open' ? 'sandbox.default' : '$TOKEN';
  return [
    auth === 'open'
      ? `curl ${baseUrl}/v1/vault/credit-cards -H 'Authorization: Bearer ${token}'`
      : `curl ${baseUrl}/v1/oauth2/token -u default:secret -d grant_type=client_credentials`,
    `curl ${baseUrl}/v1/vault/credit-cards -H 'Authorization: Bearer ${token}' -H 'Content-Type: application/json' -d '${card}'`,
    `curl -X POST ${baseUrl}/_sandbox/reset`,
  ].join('\n\n');
}
