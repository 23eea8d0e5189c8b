/** Every link of a page to a file of the repository. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { anchorsOf, linksOf } from '../support/repository/documentation.ts';
import { filesIn, root } from '../support/repository/source-files.ts';

const documents = [
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  ...['docs', 'scenarios', 'fixtures', 'test']
    .flatMap(filesIn)
    .filter((path) => path.endsWith('.md')),
];

describe.each(documents)('the links of %s', (page) => {
  const links = linksOf(page);

  it('name files that exist', () => {
    const missing = links.filter(({ target }) => !existsSync(join(root, target)));
    expect(missing.map(({ target }) => target)).toEqual([]);
  });

  it('name headings that exist', () => {
    const missing = links.filter(
      ({ target, anchor }) => anchor !== undefined && !anchorsOf(target).includes(anchor),
    );
    expect(missing.map(({ target, anchor }) => `${target}#${anchor}`)).toEqual([]);
  });
});
