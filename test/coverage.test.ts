/** Runs after every other test: each operation and each status it declares was seen, at both doors. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { operationNames, operations } from '../src/contract/service/operations.ts';
import { doorNames } from './support/transports.ts';

const declared = operationNames.flatMap((name) =>
  Object.keys(operations[name].responses).flatMap((status) =>
    doorNames.map((door) => `${name} ${status} ${door}`),
  ),
);

it('every declared answer of every operation was held to its schema at both doors', () => {
  const folder = process.env['COVERAGE_MARKS'];
  if (folder === undefined)
    throw new Error('Run the whole suite with npm test: this test reads what the others saw.');
  const seen = new Set(
    readdirSync(folder).flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n')),
  );
  const missing = declared.filter((line) => !seen.has(line));
  process.stdout.write(
    `\ncontract coverage: ${declared.length - missing.length} of ${declared.length} declared answers ` +
      `(${operationNames.length} operations, ${doorNames.length} doors)\n`,
  );
  expect(missing, 'declared, and seen by no test').toEqual([]);
});
