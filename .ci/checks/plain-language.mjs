#!/usr/bin/env node
// Checks that the project is written in plain English: node .ci/checks/plain-language.mjs [file or folder …]
// It reports words that have a plainer one, and sentences of Markdown pages that have more than 30 words.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';
import { argv, stdout } from 'node:process';
import { pathToFileURL } from 'node:url';

/** Each row is a pattern and the plain word to use instead. */
export const plainWords = [
  [/\b(?:whoever|whomever)\b/gi, 'name the subject: the client, the caller, the merchant'],
  [/\bwhom\b/gi, 'name the person or merchant'],
  [/\b(?:[Nn]obody|[Ss]omebody)\b/g, 'name the subject, or say "no client", "a caller"'],
  [/\banew\b/gi, 'again'],
  [/\b(?:befall\w*|befell)\b/gi, 'apply to, happen to, affect'],
  [/\bin vain\b/gi, 'without success, without effect'],
  [/\bfor nothing\b/gi, 'without effect'],
  [/\bbe it\b/gi, 'whether, or'],
  [/\bmakes? good\b/gi, 'repair, repay'],
  [/\bthat which\b/gi, 'what, or the noun'],
  [/\b(?:thereof|whereof|therein|hereby)\b/gi, 'of it, in it'],
  [/\bwherever\b/gi, 'in every place that, whenever'],
  [/\b(?:tells?|told) of\b/gi, 'report, disclose'],
  [/\bbears?\b/gi, 'have, carry, contain'],
];

const longestSentence = 30;
const roots = ['src', 'test', 'docs', 'scenarios', 'fixtures'];
const pages = ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md'];
const kinds = new Set(['.ts', '.mts', '.tsx', '.js', '.mjs', '.py', '.md', '.yaml']);
// Golden files quote the service. The table of words has a test that quotes them.
const left = new Set(['node_modules', 'golden', 'plain-language.test.ts']);

/** Every text file under a path. */
function filesIn(path) {
  if (!statSync(path).isDirectory()) return kinds.has(extname(path)) ? [path] : [];
  return readdirSync(path).flatMap((name) => (left.has(name) ? [] : filesIn(join(path, name))));
}

/** Each word of the table in a text, as `line: "word"`, with the plain word. */
export function findWords(text) {
  return text
    .split('\n')
    .flatMap((line, index) =>
      plainWords.flatMap(([pattern, plain]) =>
        [...line.matchAll(pattern)].map(([word]) => `${index + 1}: "${word}". Write: ${plain}.`),
      ),
    );
}

/** Each sentence of a Markdown page that is too long. Code, tables, headings and HTML do not count. */
export function findLongSentences(page) {
  const prose = page.replaceAll(/^( *)```[\s\S]*?^\1```/gm, '').replaceAll(/<!--[\s\S]*?-->/g, '');
  const blocks = prose.split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )/);
  return blocks
    .filter((block) => !/^\s*(?:\||#|<)/.test(block))
    .flatMap((block) => block.replaceAll(/\s+/g, ' ').split(/(?<=[.!?;:])\s+(?=[A-Z`[(*_])/))
    .map((sentence) => ({ sentence, words: sentence.trim().split(' ').length }))
    .filter(({ words }) => words > longestSentence)
    .map(({ sentence, words }) => `${words} words: "${sentence.trim().slice(0, 70)}…". Split it.`);
}

/** Everything to change in these files. */
function check(paths) {
  return paths.flatMap(filesIn).flatMap((path) => {
    const text = readFileSync(path, 'utf8');
    const long = extname(path) === '.md' ? findLongSentences(text) : [];
    return [...findWords(text), ...long].map((finding) => `${path}:${finding}`);
  });
}

if (import.meta.url === pathToFileURL(argv[1] ?? '').href) {
  const given = argv.slice(2);
  const findings = check(given.length > 0 ? given : [...roots, ...pages]);
  for (const finding of findings) stdout.write(`${finding}\n`);
  if (findings.length > 0) process.exitCode = 1;
}
