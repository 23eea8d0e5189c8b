/** Runs after every other test: checks that tests saw each declared status of each operation on both transports. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operationNames, operations } from '../src/contract/service/operations.ts';
import { transportNames } from './support/transports.ts';

const declared = operationNames.flatMap((name) =>
  Object.keys(operations[name].responses).flatMap((status) =>
    transportNames.map((transport) => `${name} ${status} ${transport}`),
  ),
);

it('every declared response of every operation was checked on both transports', () => {
  const folder = process.env['COVERAGE_MARKS'];
  if (folder === undefined)
    throw new Error('Run the whole suite with npm test: this test reads what the others saw.');
  const seen = new Set(
    readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
  );
  const missing = declared.filter((line) => !seen.has(line));
  process.stdout.write(
    `\ncontract coverage: ${declared.length - missing.length} of ${declared.length} declared responses ` +
      `(${operationNames.length} operations, ${transportNames.length} transports)\n`,
  );
  expect(missing, 'declared, but seen by no test').toEqual([]);
});
