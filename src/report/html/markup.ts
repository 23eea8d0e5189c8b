/** What every part of the page is made with: markup that escapes by itself, and texts of bounded length. */
import { html } from 'hono/html';
import { harmless } from '../escape.ts';

export { html };

/** A piece of the page. Whatever a text holds, in it the text is text. */
export type Markup = ReturnType<typeof html>;

/** A text that somebody else wrote, shortened so that a page stays a page. */
export function clipped(text: string, most: number): string {
  const letters = [...harmless(text)];
  return letters.length <= most ? letters.join('') : `${letters.slice(0, most - 1).join('')}…`;
}

/** The first ones of a list, and how many are left out. */
export function atMost<T>(
  items: readonly T[],
  most: number,
): { readonly shown: readonly T[]; readonly left: number } {
  return { shown: items.slice(0, most), left: Math.max(0, items.length - most) };
}

/** Says what a page leaves out; nothing where it leaves out nothing. */
export function leftOut(left: number, one: string, where: string): Markup | '' {
  if (left === 0) return '';
  const what = left === 1 ? `1 more ${one} is` : `${left} more ${one}s are`;
  return html`<p class="left">${what} left out of this page. ${where}</p>`;
}
