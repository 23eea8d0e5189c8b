/** The pages of the documentation: their examples, and their parts that tests generate. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../src/shared/package-root.ts';
import { filesIn } from './source-files.ts';

/** The pages whose examples are tested, as paths below the repository. */
export const pages: readonly string[] = [
  'README.md',
  'scenarios/README.md',
  ...filesIn('docs').filter((path) => path.endsWith('.md')),
];

/** The text of a page. */
export function readPage(path: string): string {
  return readFileSync(join(packageRoot(), path), 'utf8');
}

/** The code block after `<!-- run: mark -->`, on any page. */
export function exampleOf(mark: string): string {
  const fence = new RegExp(`<!-- run: ${mark} -->\\n\\n\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``, 'g');
  const found = pages.flatMap((page) => [...readPage(page).matchAll(fence)]);
  const [[, code = ''] = [], ...others] = found;
  if (found.length === 0 || others.length > 0) {
    throw new Error(`${found.length} blocks are marked "run: ${mark}". There must be one.`);
  }
  return code;
}

/** Expects the generated part of this name, on whatever page has it, to be this text. */
export function expectGenerated(name: string, text: string): void {
  const [page = '', ...others] = pages.filter((path) =>
    readPage(path).includes(`<!-- ${name}:begin -->`),
  );
  expect([page, ...others], `one page with a part "${name}"`).toEqual([expect.stringMatching(/./)]);
  expectPart(join(packageRoot(), page), name, text);
}

/** Expects a part of a page, between two comments, to be this text. With UPDATE_DOCS=1 it is written first. */
export function expectPart(path: string, name: string, text: string): void {
  const [begin, end] = [`<!-- ${name}:begin -->\n`, `<!-- ${name}:end -->`];
  const generated = `\n${text}\n\n`;
  const cut = () => {
    const page = readFileSync(path, 'utf8');
    const [from, to] = [page.indexOf(begin), page.indexOf(end)];
    expect([from, to], `${path} needs ${begin.trim()} and ${end}`).not.toContain(-1);
    return { page, from: from + begin.length, to };
  };
  if (process.env['UPDATE_DOCS'] === '1') {
    const { page, from, to } = cut();
    writeFileSync(path, page.slice(0, from) + generated + page.slice(to));
  }
  const { page, from, to } = cut();
  expect(normalize(page.slice(from, to))).toBe(normalize(generated));
}

/** A table in Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The formatter aligns columns, so only the words of a table are compared. */
function normalize(text: string): string {
  return text
    .replaceAll(/-{3,}/g, '---')
    .replaceAll(/\\([_*<>])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}
