/** The plain list of a document's endpoints, for browsers without scripts. */
import { html } from 'hono/html';
import type { HtmlEscapedString } from 'hono/utils/html';
import type { ControlVerbs } from '../verbs.ts';

export type Document = ReturnType<ControlVerbs['document']>;
export type Html = HtmlEscapedString | Promise<HtmlEscapedString>;

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly summary: string;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const;

function endpointsOf(document: Document): Endpoint[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    methods.flatMap((method) => {
      const operation = item[method];
      if (operation === undefined) return [];
      return [{ method: method.toUpperCase(), path, summary: operation.summary ?? '' }];
    }),
  );
}

/** Writes a table of all endpoints of a document. */
export function endpointTable(document: Document): Html {
  return html`<table>
    <thead>
      <tr>
        <th>Method</th>
        <th>Path</th>
        <th>What it does</th>
      </tr>
    </thead>
    <tbody>
      ${endpointsOf(document).map(
        ({ method, path, summary }) =>
          html`<tr>
            <td><code>${method}</code></td>
            <td><code>${path}</code></td>
            <td>${summary}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}
