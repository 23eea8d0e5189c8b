/** What must hold for the files of the repository. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesIn, readText, root } from './support/repository/source-files.ts';

/** Whether a top-level entry is committed: not ignored by git, and not a folder of git or an editor. */
function isCommitted(name: string): boolean {
  const ignored = readText('.gitignore')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.replace(/\/$/, ''));
  const matches = ignored.some((pattern) =>
    pattern.startsWith('*') ? name.endsWith(pattern.slice(1)) : name === pattern,
  );
  return !matches && !['.git', '.idea', '.vscode'].includes(name);
}

const Lockfile = z.object({
  packages: z.record(
    z.string(),
    z.object({ optionalDependencies: z.record(z.string(), z.string()).default({}) }),
  ),
});

const committed = readdirSync(root, { withFileTypes: true })
  .filter((entry) => isCommitted(entry.name))
  .flatMap((entry) => (entry.isDirectory() ? filesIn(entry.name) : [entry.name]));

/** Each line of these files that matches, as `path:line: text`. */
function linesWith(pattern: RegExp, paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) =>
    readText(path)
      .split('\n')
      .flatMap((line, index) =>
        pattern.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [],
      ),
  );
}

/** A Markdown page without its code blocks. */
const proseOf = (page: string): string => readText(page).replaceAll(/^```[\s\S]*?^```/gm, '');

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Links of a page to a file or heading that does not exist. */
function deadLinks(page: string): readonly string[] {
  const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
  return links.flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    const found = existsSync(join(root, target));
    const resolves = found && (anchor === undefined || anchorsOf(target).includes(anchor));
    return resolves ? [] : [`${page}: ${link}`];
  });
}

describe('the repository', () => {
  it('has the files that a newcomer looks for', () => {
    expect(committed).toEqual(expect.arrayContaining(['LICENSE', 'package-lock.json', '.ci/run']));
  });

  it('carries no path of the machine that it was written on', () => {
    const homes = ['work', 'tmp', 'root', 'farm', 'Users', 'home'].join('|');
    // The image's own user lives in /home/node.
    const pattern = new RegExp(`(?<![\\w.$}/-])/(?:${homes})/(?!node\\b)[a-z]`);
    expect(linesWith(pattern, committed)).toEqual([]);
  });

  it('has no broken link in a Markdown page', () => {
    const pages = committed.filter((path) => path.endsWith('.md'));
    expect(pages.flatMap(deadLinks)).toEqual([]);
  });

  it('names no registry host', () => {
    expect(linesWith(/\b(?:registry|deb)\.[a-z]+\.(?:org|com)\b/, committed)).toEqual([]);
  });

  it('has a lockfile without download addresses', () => {
    expect(readText('package-lock.json')).not.toMatch(/"(resolved)":/);
  });

  it('has a lockfile that installs on every platform', () => {
    const { packages } = Lockfile.parse(JSON.parse(readText('package-lock.json')));
    const locked = new Set(
      Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')),
    );
    const wanted = Object.values(packages).flatMap((entry) =>
      Object.keys(entry.optionalDependencies),
    );
    expect(wanted.filter((name) => !locked.has(name))).toEqual([]);
  });

  it('shows at most 15 files in a folder of src', () => {
    const counts = new Map<string, number>();
    for (const path of filesIn('src')) {
      counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    }
    expect([...counts].filter(([, count]) => count > 15)).toEqual([]);
  });

  it('skips no test', () => {
    const tests = committed.filter((path) => path.startsWith('test/') && path.endsWith('.ts'));
    const pattern =
      /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|fails)\b|\b[xf](?:it|describe)\(/;
    expect(linesWith(pattern, tests)).toEqual([]);
  });
});
