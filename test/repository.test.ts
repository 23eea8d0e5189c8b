/** What must hold for the files themselves, whoever wrote them. */
import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { filesIn, readText, root } from './support/source-files.ts';

/** Entries of the top level that no one commits: what .gitignore names, git's own folder, editors' folders. */
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

/** A page of Markdown without its examples, in which a link is none. */
const proseOf = (page: string): string => readText(page).replaceAll(/^```[\s\S]*?^```/gm, '');

/** What links to headings of a page end with, as GitHub writes it. */
function anchorsOf(page: string): readonly string[] {
  return [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** Links of a page to a file or a heading that there is not. */
function deadLinks(page: string): readonly string[] {
  const links = [...proseOf(page).matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
  return links.flatMap(([, link = '']) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : join(dirname(page), path);
    const found = existsSync(join(root, target));
    const meets = found && (anchor === undefined || anchorsOf(target).includes(anchor));
    return meets ? [] : [`${page}: ${link}`];
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

  it('has no link that leads nowhere', () => {
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

  it('has no source file that a reader cannot take in', () => {
    const long = filesIn('src').filter((path) => readText(path).split('\n').length > 350);
    expect(long).toEqual([]);
  });

  it('skips no test', () => {
    const tests = committed.filter((path) => path.startsWith('test/') && path.endsWith('.ts'));
    const pattern =
      /\b(?:it|test|describe)(?:\.\w+)*\.(?:skip|only|todo|fails)\b|\b[xf](?:it|describe)\(/;
    expect(linesWith(pattern, tests)).toEqual([]);
  });
});
