/** The documentation in llms.txt has every page. UPDATE_DOCS=1 writes its index. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { llmsFull, llmsIndex, pagesForUsers, pagesOfIndex } from '../../.ci/build/llms.mjs';
import { pages, readPage } from '../support/repository/documentation.ts';
import { expectKept } from '../support/repository/kept-file.ts';
import { root } from '../support/repository/source-files.ts';

it('the index names pages that exist', () => {
  expectKept('docs/llms.txt', llmsIndex(), 'UPDATE_DOCS');
  const links = [...llmsIndex().matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link);
  expect(links.length).toBeGreaterThan(30);
  expect(links.filter((link) => !existsSync(join(root, link)))).toEqual([]);
});

it('the full text has the headings of every page for users', () => {
  const text = llmsFull();
  for (const page of pagesForUsers()) {
    expect(text).toContain(`<!-- ${page} -->`);
    const headings = [...readPage(page).matchAll(/^## .+$/gm)].map(([heading]) => heading);
    expect(headings.filter((heading) => !text.includes(heading))).toEqual([]);
  }
  expect(text).not.toMatch(/<!-- (?:not )?run/);
});

it('the index of the documentation, or a page that it names, links every page', () => {
  const listed = pagesOfIndex();
  const others = pages.filter((page) => !/^docs\/(?:README|decisions\/)/.test(page));
  expect(others.filter((page) => !listed.includes(page))).toEqual([]);
});
