import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/shared/package-root.ts';
import { scenarioJsonSchema } from '../../../src/scenarios/schema.ts';

it('scenarios/schema.json matches the schema in the code', () => {
  const file = join(packageRoot(), 'scenarios', 'schema.json');
  const current = JSON.stringify(scenarioJsonSchema(), null, 2);
  if (process.env['UPDATE_SCHEMAS'] === '1') writeFileSync(file, `${current}\n`);
  expect(
    // Compared as values, because the formatter may change the layout of the file.
    JSON.parse(readFileSync(file, 'utf8')),
    'scenarios/schema.json is out of date. Update it with UPDATE_SCHEMAS=1 npx vitest run test/behaviour/scenarios/json-schema.test.ts',
  ).toEqual(JSON.parse(current));
});
