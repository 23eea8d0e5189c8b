/**
 * `npm run bench`: builds what ships and the benchmark beside it, then runs it. Arguments go to the benchmark.
 * With `--as-built` first, dist is taken as it is.
 */
import { spawnSync } from 'node:child_process';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { root } from './build/bundles.mjs';

const outdir = join(root, 'node_modules', '.cache', 'card-vault-sandbox-bench');
const common = {
  absWorkingDir: root,
  outdir,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
};

const args = process.argv.slice(2);
if (args[0] === '--as-built') args.shift();
else {
  const built = spawnSync(process.execPath, ['.ci/build.mjs', 'unchecked'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (built.status !== 0) process.exit(1);
}
await Promise.all([
  // One file with all it needs, as the command line is.
  build({ ...common, entryPoints: ['test/bench/processes/floor.ts'] }),
  build({
    ...common,
    entryPoints: [
      'main',
      'processes/in-process-worker',
      'processes/start-worker',
      'processes/first-request-worker',
      'processes/soak-worker',
      'processes/verdict-worker',
      'processes/heap-probe',
    ].map((path) => ({ in: `test/bench/${path}.ts`, out: basename(path) })),
    packages: 'external',
  }),
]);
const run = spawnSync(process.execPath, [join(outdir, 'main.mjs'), ...args], {
  cwd: root,
  stdio: 'inherit',
});
process.exit(run.status ?? 1);
