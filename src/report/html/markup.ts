/** Parts of the page: markup that escapes by itself, texts of limited length, and debug ids. */
import { html } from 'hono/html';
import { escapeControls } from '../escape.ts';

export { html };

/** A piece of the page. All texts in it are escaped. */
export type Markup = ReturnType<typeof html>;

/** Shortens a text of a merchant to a number of characters. */
export function clip(text: string, maxLength: number): string {
  const characters = [...escapeControls(text)];
  return characters.length <= maxLength
    ? characters.join('')
    : `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** The first items of a list, and how many are left out. */
export function firstItems<T>(
  items: readonly T[],
  max: number,
): { readonly shown: readonly T[]; readonly leftOut: number } {
  return { shown: items.slice(0, max), leftOut: Math.max(0, items.length - max) };
}

/** Says how many items the page leaves out and where to find them. */
export function leftOutNote(count: number, noun: string, where: string): Markup | '' {
  if (count === 0) return '';
  const items = count === 1 ? `1 more ${noun} is` : `${count} more ${noun}s are`;
  return html`<p class="left">${items} not on this page. ${where}</p>`;
}

/** Returns the address of the page that explains a request of a merchant. */
export type ExplainedAt = (merchant: string, debugId: string) => string;

/** Writes one debug id. */
export type DebugIdWriter = (debugId: string) => Markup;

/** Writes debug ids of a merchant as links. A saved page has plain ids, because its reader may have no server. */
export function debugIdWriter(
  merchant: string,
  explainedAt: ExplainedAt | undefined,
): DebugIdWriter {
  return (debugId) => {
    const id = html`<code class="id">${clip(debugId, 40)}</code>`;
    if (explainedAt === undefined) return id;
    return html`<a href="${explainedAt(merchant, debugId)}" title="Request and answer">${id}</a>`;
  };
}
