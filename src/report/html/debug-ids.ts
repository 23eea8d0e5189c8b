/** Debug ids on the page, which lead to what is known of their requests where there is somebody to ask. */
import { clipped, html, type Markup } from './markup.ts';

/** Gives the address that explains a merchant's request. */
export type ExplainedAt = (merchant: string, debugId: string) => string;

/** Writes one debug id. */
export type DebugIdMark = (debugId: string) => Markup;

/** Writes those of one merchant; plain where the page may be read when nobody answers any more. */
export function debugIdMarks(merchant: string, explainedAt: ExplainedAt | undefined): DebugIdMark {
  return (debugId) => {
    const id = html`<code class="id">${clipped(debugId, 40)}</code>`;
    if (explainedAt === undefined) return id;
    return html`<a href="${explainedAt(merchant, debugId)}" title="What was asked and answered"
      >${id}</a
    >`;
  };
}
