/** Binds the routes of the pages, their assets and the two documents. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { accepts } from 'hono/accepts';
import { controlDocument } from '../../contract/control/document.ts';
import type { LinkBase } from '../../transport-port/link-base.ts';
import { transportOf, type TransportEnv } from '../../transport-port/transport-env.ts';
import { basesOf, linkBasesOf } from '../guards/port-routing.ts';
import { ControlRequestError } from '../errors/control-error.ts';
import type { ControlVerbs } from '../verbs.ts';
import { documentSchemas } from '../routes/document-schemas.ts';
import { assetNames, Assets, missingAssets } from './assets.ts';
import { docsPage, documents, type DocumentName } from './docs-page.ts';
import type { Document } from './endpoints.ts';
import { landingLinks, landingPage, landingText } from './landing-page.ts';

/** Swagger UI sets styles on elements and loads its icons from data URLs. Nothing is loaded from another host. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'Content-Security-Policy': pagePolicy,
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-cache',
} as const;

/** Binds the routes. `linkBase` gives the origin of links. */
export function bindPages(
  app: OpenAPIHono<TransportEnv>,
  verbs: ControlVerbs,
  linkBase: LinkBase,
): void {
  const assets = new Assets();
  const documentsByName = once<Record<DocumentName, Document>>(() => ({
    service: verbs.document(),
    control: controlDocument(app, verbs.about().version, documentSchemas()),
  }));

  app.get('/', (c) => {
    const bases = basesOf(c, linkBase(transportOf(c)));
    c.header('Vary', 'Accept');
    return accepts(c, {
      header: 'Accept',
      supports: ['text/html', 'application/json'],
      default: 'application/json',
    }) === 'text/html'
      ? c.html(landingPage(verbs.about(), bases), 200, pageHeaders)
      : c.json(landingLinks(verbs.about(), bases));
  });

  app.get('/llms.txt', (c) => {
    return c.text(landingText(verbs.about(), basesOf(c, linkBase(transportOf(c)))));
  });

  for (const name of Object.keys(documents) as DocumentName[]) {
    // The keys of the table are the names.
    const { page, document } = documents[name];
    const text = once(() => JSON.stringify(documentsByName()[name]));
    app.get(document, (c) => c.body(text(), 200, { 'Content-Type': 'application/json' }));
    app.get(page, (c) => {
      const openAuth = verbs.about().auth === 'open';
      const bases = linkBasesOf(c);
      const content = {
        name,
        document: documentsByName()[name],
        interactive: assets.built,
        openAuth,
        bases,
      };
      return c.html(docsPage(content), 200, pageHeaders);
    });
  }

  app.get('/docs/assets/:name', (c) => sendAsset(c, assets, c.req.param('name')));
}

function sendAsset(c: Context, assets: Assets, name: string): Response {
  const asset = assets.find(name);
  if (asset === undefined) {
    const message = assetNames.includes(name)
      ? missingAssets
      : `The docs page has no asset of that name. It has ${assetNames.join(', ')}.`;
    throw new ControlRequestError('unknown-path', message, { place: 'path', allowed: assetNames });
  }
  // Browsers must revalidate, so that a new version shows immediately. An unchanged asset is answered with 304.
  const headers = { ETag: asset.etag, 'Cache-Control': 'no-cache' };
  if (c.req.header('if-none-match') === asset.etag) return c.body(null, 304, headers);
  return c.body(asset.content, 200, { ...headers, 'Content-Type': asset.type });
}

function once<T>(make: () => T): () => T {
  let result: { readonly value: T } | undefined;
  return () => (result ??= { value: make() }).value;
}
