/** The pages of the documentation: their examples, and their parts that tests generate. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect } from 'vitest';
import { packageRoot } from '../../../src/shared/package-root.ts';
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

/** What stands above a code block: whether and how it is tested. */
export type Mark =
  /** `<!-- run -->`: test/docs/examples.test.ts runs it. `<!-- run if: command -->`: if the command succeeds. */
  | { readonly kind: 'run'; readonly condition?: string }
  /** `<!-- run: name -->`: a test reads it with `exampleOf(name)`. */
  | { readonly kind: 'named'; readonly name: string }
  /** `<!-- not run: reason -->`. */
  | { readonly kind: 'not-run'; readonly reason: string }
  /** Follows a block directly: what that block prints. */
  | { readonly kind: 'output' }
  /** Is in a part that a test generates. */
  | { readonly kind: 'generated' }
  | { readonly kind: 'none' };

export interface Block {
  readonly page: string;
  readonly line: number;
  readonly language: string;
  readonly code: string;
  readonly mark: Mark;
}

/** Every fenced code block of a page. */
export function blocksOf(page: string): Block[] {
  const text = readPage(page);
  return [...text.matchAll(/^( *)```(\w*)\n([\s\S]*?)^ *```$/gm)].map((match) => {
    const [, , language = '', code = ''] = match;
    const before = text.slice(0, match.index);
    return {
      page,
      line: before.split('\n').length,
      language,
      code,
      mark: markOf(before, language),
    };
  });
}

/** Reads the mark at the end of the text before a block. */
function markOf(before: string, language: string): Mark {
  const [, run, condition, name, reason] =
    /<!-- (?:(run)(?: if: (.+))?|run: (.+)|not run: (.+)) -->\n\n$/.exec(before) ?? [];
  if (run !== undefined) return { kind: 'run', ...(condition !== undefined && { condition }) };
  if (name !== undefined) return { kind: 'named', name };
  if (reason !== undefined) return { kind: 'not-run', reason };
  if (before.endsWith('```\n\n') && /^(?:text|json)$/.test(language)) {
    return { kind: 'output' };
  }
  const opened = [...before.matchAll(/<!-- [\w.-]+:(begin|end) -->/g)].at(-1);
  return { kind: opened?.[1] === 'begin' ? 'generated' : 'none' };
}

export interface Link {
  /** The page that has the link. */
  readonly page: string;
  /** A path below the repository. */
  readonly target: string;
  /** The heading, as in an address. */
  readonly anchor: string | undefined;
}

/** The links of a page to files of the repository. */
export function linksOf(page: string): Link[] {
  const prose = readPage(page).replaceAll(/^( *)```[\s\S]*?^\1```$|`[^`\n]*`/gm, '');
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)]
    .map(([, link = '']) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => {
      const [path = '', anchor] = link.split('#');
      return { page, target: path === '' ? page : posix.join(posix.dirname(page), path), anchor };
    });
}

export interface Heading {
  /** 1 for the title of the page. */
  readonly level: number;
  readonly title: string;
  /** The title in lower case, without signs, with dashes for spaces. */
  readonly anchor: string;
}

/** The headings of a page, in its order. */
export function headingsOf(page: string): Heading[] {
  const prose = readPage(page).replaceAll(/^( *)```[\s\S]*?^\1```$/gm, '');
  return [...prose.matchAll(/^(#+) (.+)$/gm)].map(([, signs = '', written = '']) => {
    const title = written.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
    const anchor = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-');
    return { level: signs.length, title, anchor };
  });
}

/** The anchors of a page. */
export function anchorsOf(page: string): string[] {
  return headingsOf(page).map(({ anchor }) => anchor);
}

/** The code block after `<!-- run: name -->`, on any page. */
export function exampleOf(name: string): string {
  const found = pages
    .flatMap(blocksOf)
    .filter(({ mark }) => mark.kind === 'named' && mark.name === name);
  const [block, ...others] = found;
  if (block === undefined || others.length > 0) {
    throw new Error(`${found.length} blocks are marked "run: ${name}". There must be one.`);
  }
  return block.code;
}

/** Expects the generated part of this name, on every page that has it, to be this text. */
export function expectGenerated(name: string, text: string): void {
  const found = pages.filter((path) => readPage(path).includes(`<!-- ${name}:begin -->`));
  expect(found, `a page with a part "${name}"`).not.toEqual([]);
  for (const page of found) expectPart(join(packageRoot(), page), name, text);
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
