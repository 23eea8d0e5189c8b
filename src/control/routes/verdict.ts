/** The control calls for the verdict about the money, and for what was tried. */
import type { OpenAPIHono } from '@hono/zod-openapi';
import { accepts } from 'hono/accepts';
import { controlRoutes } from '../../contract/control/routes.ts';
import type { OrderInput } from '../../verdict/options.ts';
import { checked } from './merchant-param.ts';
import type { TransportEnv } from '../../transport-port/transport-env.ts';
import { readingLater } from '../errors/document-error.ts';
import type { ControlVerbs } from '../verbs.ts';

/** Binds them. */
export function bindVerdict(app: OpenAPIHono<TransportEnv>, verbs: ControlVerbs): void {
  app.openapi(controlRoutes.verdict, async (c) => {
    const merchant = checked(c.req.valid('query').merchant);
    // The verb looks at every key, so whatever is no order is refused there.
    const order = c.req.valid('json') as OrderInput;
    return c.json(await readingLater('invalid-verdict', () => verbs.verdict(merchant, order)), 200);
  });
  app.openapi(controlRoutes.verdictPage, async (c) => {
    // Browsers name text/html, and show the page while the sandbox runs; programs take anything, and keep it.
    const supports = ['text/html'];
    const isShown = accepts(c, { header: 'Accept', supports, default: '' }) !== '';
    const merchant = oneOrAll(c.req.valid('query'));
    const page = await verbs.verdictPage(merchant, isShown ? explainedAt : undefined);
    return c.html(page, 200, pageHeaders);
  });
  app.openapi(controlRoutes.coverage, (c) =>
    c.json(verbs.coverage(oneOrAll(c.req.valid('query'))), 200),
  );
}

/** The address of the call that explains a request, on the server that the page came from. */
function explainedAt(merchant: string, debugId: string): string {
  const path = controlRoutes.explain.path.replace('{debugId}', encodeURIComponent(debugId));
  return `${path}?merchant=${encodeURIComponent(merchant)}`;
}

/** The page says so itself, for where it is kept as a file; whether it may be framed only a header can say. */
const pageHeaders = {
  'Content-Security-Policy':
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const;

function oneOrAll({ merchant }: { readonly merchant?: string | undefined }): string | undefined {
  return merchant === undefined ? undefined : checked(merchant);
}
