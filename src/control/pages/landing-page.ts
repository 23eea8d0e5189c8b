/** The landing page: what this server is, and links to the other pages. */
import { html } from 'hono/html';
import { paymentWithRawCard, tokenCall } from '../../contract/service/examples.ts';
import { exampleMerchant } from '../../contract/constants.ts';
import type { ServerBases } from '../guards/port-routing.ts';
import type { ControlVerbs } from '../verbs.ts';
import type { Html } from './endpoints.ts';

type About = ReturnType<ControlVerbs['about']>;

function linksFrom({ service, control }: ServerBases) {
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
  'A local stand-in for a card vault and payments API that speaks the PayPal REST v1 protocol. No money moves, and no real card is needed. Each client id is its own merchant.';

/** The landing page for programs. */
export function landingLinks(about: About, bases: ServerBases): object {
  return {
    name: about.name,
    version: about.version,
    description,
    baseUrl: bases.service,
    controlUrl: bases.control,
    links: linksFrom(bases),
  };
}

/** The landing page as plain text, in the form of https://llmstxt.org. */
export function landingText(about: About, bases: ServerBases): string {
  const links = linksFrom(bases);
  return [
    '# card-vault-sandbox',
    `> ${description}`,
    `Version ${about.version}. The base URL for a client of the service is ${bases.service}.`,
    '## Pages',
    [
      `- [Verdict](${links.verdict}): what happened to the money`,
      `- [OpenAPI document of the service](${links.openapi}): every call below /v1`,
      `- [OpenAPI document of the control API](${links.controlOpenapi}): force failures, move clocks, reset`,
      `- [Outcomes](${bases.control}/_sandbox/outcomes): everything that can be forced`,
      `- [About](${links.about}): version, settings, and choices where the documents are silent`,
    ].join('\n'),
    'The package has the whole documentation in dist/llms-full.txt.',
    '',
  ].join('\n\n');
}

/** The landing page for people. */
export function landingPage(about: About, bases: ServerBases): Html {
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
          <p>Base URL for your client: <code>${bases.service}</code> (version ${about.version})</p>
          ${
            bases.control === bases.service
              ? ''
              : html`<p>Control API: <code>${bases.control}</code></p>`
          }
          <ul>
            <li><a href="${links.verdict}">Verdict</a>: what happened to the money</li>
            <li><a href="${links.docs}">Service</a>: try every call below /v1</li>
            <li>
              <a href="${links.controlDocs}">Control API</a>: force failures, move clocks, reset
            </li>
            <li><a href="${links.about}">About</a>: version and settings</li>
          </ul>
          <h2>Try it</h2>
          ${tryIt(about, bases).map(
            ([title, command]) =>
              html`<h3>${title}</h3>
                <pre><code>${command}</code></pre>`,
          )}
        </main>
      </body>
    </html>`;
}

/** Titles and commands to paste: list the cards, pay and lose the answer, and reset the merchant. */
function tryIt(
  { auth }: About,
  { service, control }: ServerBases,
): readonly (readonly [title: string, command: string])[] {
  const isOpen = auth === 'open';
  // Double quotes, so that the shell expands $TOKEN.
  const authorization = `-H "Authorization: Bearer ${isOpen ? `sandbox.${exampleMerchant}` : '$TOKEN'}"`;
  const payment = JSON.stringify(paymentWithRawCard());
  return [
    ...(isOpen ? [] : [['Get a token', tokenCall(service, exampleMerchant)] as const]),
    [
      'List the cards in the vault',
      inLines(`curl ${service}/v1/vault/credit-cards`, authorization),
    ],
    [
      'Pay, and lose the answer after the charge. Then open the verdict.',
      inLines(
        `curl ${service}/v1/payments/payment`,
        authorization,
        "-H 'Content-Type: application/json' -H 'Sandbox-Outcome: reset-after-commit'",
        `-d '${payment}'`,
      ),
    ],
    [
      'Return the merchant to its initial state',
      `curl -X POST '${control}/_sandbox/reset?merchant=${exampleMerchant}'`,
    ],
  ];
}

/** A command for a POSIX shell, on lines that fit the page. */
function inLines(...parts: readonly string[]): string {
  return parts.join(' \\\n  ');
}
