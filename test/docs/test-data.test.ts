/** Test cards and fixture keys in the documentation are those of the code. UPDATE_DOCS=1 writes them. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { brands } from '../../src/domain/card/brand.ts';
import { publishedNumbers } from '../../src/domain/card/published-numbers.ts';
import { fixtureSchemas } from '../../src/fixtures/schema.ts';
import { createSandbox } from '../../src/index.ts';
import { cardOutcomes } from '../../src/outcomes/triggers/card-outcomes.ts';
import { findCardBlock, makeCardNumber } from '../../src/outcomes/triggers/magic-values.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import {
  exampleOf,
  expectGenerated,
  readPage,
  table,
} from '../support/repository/documentation.ts';

const numbersOfEachBrand = 3;

it('lists published test numbers of each brand', () => {
  const rows = brands.flatMap((brand) =>
    publishedNumbers[brand].slice(0, numbersOfEachBrand).map((number) => [brand, number]),
  );
  expectGenerated('test-numbers', table(['Brand', 'Number'], rows));
});

it('lists the card number of each outcome that a card can force', () => {
  const rows = cardOutcomes.flatMap((id) => {
    const block = findCardBlock(id);
    return block === undefined ? [] : [[`\`${id}\``, makeCardNumber(block, 0)]];
  });
  expectGenerated('card-outcomes', table(['Outcome', 'Card number'], rows));
});

/** A row for each key of a fixture document, with those of the objects within it. */
function keysOf(schema: z.ZodType, path = ''): string[][] {
  if (schema instanceof z.ZodOptional) return keysOf(schema.unwrap() as z.ZodType, path); // It wraps a schema.
  if (schema instanceof z.ZodArray) return keysOf(schema.element as z.ZodType, `${path}[]`); // Its items have a schema.
  if (schema instanceof z.ZodDiscriminatedUnion) {
    const rows = schema.options.flatMap((option) => keysOf(option as z.ZodType, path)); // Each option is a schema.
    return [...new Map(rows.map((row) => [row.join(), row])).values()];
  }
  if (!(schema instanceof z.ZodObject)) return [];
  const start = path === '' ? '' : `${path}.`;
  const fields = schema.shape as Readonly<Record<string, z.ZodType>>; // Its values are schemas.
  return Object.entries(fields).flatMap(([key, field]) => {
    const about = descriptionOf(field);
    const value = field instanceof z.ZodLiteral ? `: ${field.value}` : '';
    const own = [`\`${start}${key}${value}\``, about ?? 'as in a request to the service'];
    return [own, ...(about === undefined ? [] : keysOf(field, start + key))];
  });
}

function descriptionOf(field: z.ZodType): string | undefined {
  if (field.description !== undefined || !(field instanceof z.ZodOptional)) {
    return field.description;
  }
  return descriptionOf(field.unwrap() as z.ZodType); // It wraps a schema.
}

it('lists the keys of a fixture file', () => {
  expectGenerated('fixtures', table(['Key', 'Meaning'], keysOf(fixtureSchemas().document)));
});

it.each(['fixture file', 'scenario file'])(
  'has a %s for editors whose schema is in the package',
  (name) => {
    const [, schema = ''] =
      /^# yaml-language-server: \$schema=\.\/node_modules\/card-vault-sandbox\/(\S+)$/m.exec(
        exampleOf(name),
      ) ?? [];
    expect(existsSync(join(packageRoot(), schema))).toBe(true);
    const { files } = z
      .object({ files: z.array(z.string()) })
      .parse(JSON.parse(readPage('package.json')));
    expect(files).toContain(schema.split('/')[0]);
  },
);

it('has a fixture file and a scenario file that are valid', () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-data-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [fixtures, scenario] = ['fixture file', 'scenario file'].map((name, at) => {
    const path = join(folder, `${at}.yaml`);
    writeFileSync(path, exampleOf(name));
    return path;
  });
  const sandbox = createSandbox({ fixtures: fixtures ?? '', scenario: scenario ?? '' });
  expect(sandbox.unfired()).toHaveLength(1);
});
