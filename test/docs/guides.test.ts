/** The shop in the guides equals the files that the runners' tests use. UPDATE_DOCS=1 writes it. */
import { expect, it } from 'vitest';
import { expectGenerated } from '../support/documentation.ts';
import { shopFiles } from '../support/shop-files.ts';

it.each(Object.entries(shopFiles()))('shows %s', (name, code) => {
  expect(code).toContain('export');
  expectGenerated(name, ['```js', code.trimEnd(), '```'].join('\n'));
});
