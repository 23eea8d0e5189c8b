/** Stories catch each rule of the verdict that is taken out. `npm run test:mutants` inverts each condition as well. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { findingRules } from '../../../src/verdict/findings/finding-rules.ts';
import { root } from '../../support/repository/source-files.ts';

/** They cause each finding. */
const stories = [
  'test/behaviour/model-clients/zoo-findings',
  ...['auth', 'concurrency', 'data', 'retry-pace', 'timeouts'].map(
    (name) => `test/behaviour/verdict/findings/${name}.test.ts`,
  ),
];

it('catches each rule that is removed', () => {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['.ci/mutate-verdict.mjs', '--rules', ...stories],
    { cwd: root, encoding: 'utf8' },
  );
  const count = findingRules.length;
  expect(stdout, stderr).toContain(
    `${count} mutants: ${count} caught, 0 explained, 0 open, 0 not caught.`,
  );
});
