// Writes the documentation as plain text (https://llmstxt.org): an index, and the text of all pages in one file.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
const index = 'docs/README.md';

/** The text of a page of the repository. */
function read(page) {
  return readFileSync(join(root, page), 'utf8');
}

/** The pages that a page links to, as paths below the repository. */
function linksOf(page) {
  return [...read(page).matchAll(/\]\(([^)#:]+\.md)[)#]/g)].map(([, link]) =>
    join(dirname(page), link),
  );
}

/** The pages that the index of the documentation names, in its order, and then those that only these pages link to. */
export function pagesOfIndex() {
  const named = ['README.md', ...linksOf(index)];
  const further = named.flatMap(linksOf).filter((page) => page.startsWith('docs/'));
  // The list of decisions links each of them, and the index is a file of its own.
  const left = /^docs\/(?:README|decisions\/(?!README))/;
  return [...new Set([...named, ...further])].filter((page) => !left.test(page));
}

/** The index: what the project is, and the pages with a line about each. */
export function llmsIndex() {
  const [, about = ''] = /^# .+\n\n([\s\S]+?)\n\n/.exec(read('README.md')) ?? [];
  const sections = read(index).slice(read(index).indexOf('## '));
  const links = sections.replaceAll(
    /\]\(([^)]+)\)/g,
    (_, link) => `](${join(dirname(index), link)})`,
  );
  return [
    '# card-vault-sandbox',
    `> ${about.replaceAll('\n', ' ')}`,
    'The paths below are those of the repository. The package has the same files, and the text of all pages for users in `dist/llms-full.txt`.',
    '- [README](README.md): start, a first test, a forced failure, the verdict',
    links.trimEnd(),
    '',
  ].join('\n\n');
}

/** Pages for those who work on the project, and programs that the package has as files. */
const forContributors =
  /^docs\/(?:architecture|performance|decisions\/|suites\/|reference\/http-clients)/;

/** The pages for users of the package. */
export function pagesForUsers() {
  return pagesOfIndex().filter((page) => !forContributors.test(page));
}

/** The text of all pages for users, each below a line with its path. Comments and the padding of tables are left out. */
export function llmsFull() {
  const texts = pagesForUsers().map((page) => {
    const text = read(page)
      .replaceAll(/<!--[\s\S]*?-->\n*/g, '')
      .replaceAll(/^\|.*$/gm, (row) => row.replaceAll(/ {2,}/g, ' ').replaceAll(/-{4,}/g, '---'));
    return `<!-- ${page} -->\n\n${text.trim()}\n`;
  });
  return texts.join('\n');
}
