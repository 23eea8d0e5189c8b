/** The page of recipes equals the tests that run them. UPDATE_DOCS=1 writes it. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/shared/package-root.ts';
import { expectPart, expectGenerated } from '../../support/repository/documentation.ts';

const folder = join(packageRoot(), 'test', 'docs', 'recipes');

/** In reading order. */
const order = [
  'never-charge-twice',
  'decline',
  'slow-provider',
  'token-expiry',
  'parallel-workers',
  'reset-between-tests',
  'share-one-sandbox',
];

/** The first line of a recipe is its title, a colon, and what it shows. */
function read(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, title = '', about = ''] = /^\/\*\* ([^:]+): (.+)\. \*\/\n/.exec(text) ?? [];
  const code = text.slice(text.indexOf('\n') + 1);
  return { name, title, about, code };
}

const recipes = order.map((name) => read(`${name}.test.ts`));
const shown = ({ code }: { readonly code: string }) => ['```ts', code.trimEnd(), '```'].join('\n');

it('has every recipe', () => {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.test.ts') && file !== 'page.test.ts',
  );
  expect(recipes.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
});

it('has recipes that import only the package, the runner and the shop', () => {
  const imported = recipes.flatMap(({ code }) =>
    [...code.matchAll(/ from '([^']+)'/g)].map(([, name]) => name),
  );
  expect(new Set(imported)).toEqual(new Set(['vitest', 'card-vault-sandbox', './shop.ts']));
});

it('equals the tests', () => {
  const parts = recipes.map((recipe) =>
    [`## ${recipe.title}`, `${capital(recipe.about)}.`, shown(recipe)].join('\n\n'),
  );
  const page = join(packageRoot(), 'docs', 'guides', 'recipes.md');
  expectPart(page, 'recipes', parts.join('\n\n'));
  expectPart(page, 'shop', shown(read('shop.ts')));
});

it('is listed in the README', () => {
  const lines = recipes.map(
    ({ title, about }) =>
      `- [${title}](docs/guides/recipes.md#${title.toLowerCase().replaceAll(' ', '-')}): ${about}.`,
  );
  expectGenerated('recipe-list', lines.join('\n'));
});

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
