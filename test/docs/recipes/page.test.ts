/** The recipes as people read them: made from the tests that run them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/shared/package-root.ts';
import { expectPart, expectReadmePart } from '../../support/readme-part.ts';

const folder = join(packageRoot(), 'test', 'recipes');

/** In the order that they are read in. */
const order = [
  'never-charge-twice',
  'decline',
  'slow-provider',
  'token-expiry',
  'parallel-workers',
  'reset-between-tests',
  'share-one-sandbox',
];

/** A recipe's first line says what it is and, after a colon, what it shows. */
function read(name: string) {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, title = '', about = ''] = /^\/\*\* ([^:]+): (.+)\. \*\/\n/.exec(text) ?? [];
  const code = text.slice(text.indexOf('\n') + 1);
  return { name, title, about, code };
}

const recipes = order.map((name) => read(`${name}.test.ts`));
const shown = ({ code }: { readonly code: string }) => ['```ts', code.trimEnd(), '```'].join('\n');

it('holds every recipe', () => {
  const files = readdirSync(folder).filter(
    (file) => file.endsWith('.test.ts') && file !== 'page.test.ts',
  );
  expect(recipes.map(({ name }) => name).toSorted()).toEqual(files.toSorted());
});

it('imports nothing but what a copy finds: the package, the runner and the shop', () => {
  const imported = recipes.flatMap(({ code }) =>
    [...code.matchAll(/ from '([^']+)'/g)].map(([, name]) => name),
  );
  expect(new Set(imported)).toEqual(new Set(['vitest', 'card-vault-sandbox', './shop.ts']));
});

it('is as the tests are (UPDATE_README=1 makes it anew)', () => {
  const parts = recipes.map((recipe) =>
    [`## ${recipe.title}`, `${capital(recipe.about)}.`, shown(recipe)].join('\n\n'),
  );
  const page = join(folder, 'README.md');
  expectPart(page, 'recipes', parts.join('\n\n'));
  expectPart(page, 'shop', shown(read('shop.ts')));
});

it('is listed in the README', () => {
  const lines = recipes.map(
    ({ name, title, about }) => `- [${title}](test/docs/recipes/${name}): ${about}.`,
  );
  expectReadmePart('recipes', lines.join('\n'));
});

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
