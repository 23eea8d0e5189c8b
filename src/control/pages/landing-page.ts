/** The landing page: what this server is, and links to the other pages. */
import { html } from 'hono/html';
import { paymentWithRawCard, tokenCall } from '../../contract/service/examples.ts';
import { defaultMerchant } from '../../contract/constants.ts';
import type { Bases } from '../guards/port-routing.ts';
import type { ControlVerbs } from '../verbs.ts';
import type { Html } from './endpoints.ts';

type About = ReturnType<ControlVerbs['about']>;

function linksFrom({ service, control }: Bases) {
  return {
    docs: `${service}/docs`,
    openapi: `${service}/openapi.json`,
    controlDocs: `${control}/docs/control`,
    controlOpenapi: `${control}/_sandbox/openapi.json`,
    verdict: `${control}/_sandbox/verdict`,
    health: `${control}/_sandbox/health`,
    about: `${control}/_sandbox/about`,
  } as const;
}

const description =
  'A sandbox of a card vault and payments API that speaks the PayPal REST API v1. No money moves, no real card is needed, and every client id is a separate merchant.';

/** The landing page for programs. */
export function landingLinks(about: About, bases: Bases): object {
  return {
    name: about.name,
    version: about.version,
    description,
    baseUrl: bases.service,
    controlUrl: bases.control,
    links: linksFrom(bases),
  };
}

/** The landing page for people. */
export function landingPage(about: About, bases: Bases): Html {
  const links = linksFrom(bases);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>card-vault-sandbox</title>
        <link rel="stylesheet" href="/docs/assets/page.css" />
      </head>
      <body>
        <main class="own">
          <h1>card-vault-sandbox</h1>
          <p>${description}</p>
          <p>Base URL: <code>${bases.service}</code> (version ${about.version})</p>
          ${
            bases.control === bases.service
              ? ''
              : html`<p>Control plane: <code>${bases.control}</code></p>`
          }
          <nav aria-label="Where to go">
            <a href="${links.verdict}">Verdict about the money</a>
            <a href="${links.docs}">Service docs</a>
            <a href="${links.controlDocs}">Control docs</a>
            <a href="${links.health}">Health</a>
            <a href="${links.about}">About</a>
          </nav>
          <h2>Try it</h2>
          <pre><code>${tryIt(about, bases)}</code></pre>
        </main>
      </body>
    </html>`;
}

/** Writes commands to paste: list the cards, pay and lose the answer, and reset the sandbox. */
function tryIt({ auth }: About, { service, control }: Bases): string {
  const isOpen = auth === 'open';
  // Double quotes, so that the shell expands $TOKEN.
  const authorization = `-H "Authorization: Bearer ${isOpen ? `sandbox.${defaultMerchant}` : '$TOKEN'}"`;
  const payment = JSON.stringify(paymentWithRawCard());
  return [
    ...(isOpen ? [] : ['# A token', tokenCall(service, defaultMerchant), '']),
    '# The cards in the vault',
    `curl ${service}/v1/vault/credit-cards ${authorization}`,
    '',
    '# A payment that is charged but whose answer is lost: then open the verdict',
    `curl ${service}/v1/payments/payment ${authorization} -H 'Content-Type: application/json' -H 'Sandbox-Outcome: reset-after-commit' -d '${payment}'`,
    '',
    '# Reset the sandbox',
    `curl -X POST ${control}/_sandbox/reset`,
  ].join('\n');
}
