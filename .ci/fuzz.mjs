/** `node .ci/fuzz.mjs --count 50000 --seed 1`: sends random raw requests to a sandbox, and prints what came of them. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './build/bundles.mjs';

const outfile = join(root, 'node_modules', '.cache', 'card-vault-sandbox-fuzz', 'raw-fuzz.mjs');
await build({
  absWorkingDir: root,
  entryPoints: ['test/behaviour/bad-input/raw-fuzz.ts'],
  outfile,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  packages: 'external',
});
const { status } = spawnSync(process.execPath, [outfile, ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exitCode = status ?? 1;
