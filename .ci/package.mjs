/** `npm run test:package`: the tests of the package on the oldest Node that it takes and on every maintained LTS line. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './bundle.mjs';

const lines = ['20.19', '22', '24', '26'];
const vitest = createRequire(import.meta.url).resolve('vitest/package.json');
const { status } = spawnSync(
  process.execPath,
  [
    join(dirname(vitest), 'vitest.mjs'),
    'run',
    '--config',
    'test/vitest.config.ts',
    '--hookTimeout=120000',
    'test/package',
  ],
  { cwd: root, stdio: 'inherit', env: { ...process.env, TEST_NODES: lines.join(',') } },
);
process.exitCode = status ?? 1;
