/** `npm run dev`: bundles on every change and restarts the server. Arguments go to the command line. */
import { spawn } from 'node:child_process';
import { context } from 'esbuild';
import { cliBundle, root } from './bundle.mjs';

const bundle = await context({ ...cliBundle, sourcemap: 'inline' });
// esbuild has printed what it stumbled over.
await bundle.rebuild().catch(() => process.exit(1));
await bundle.watch();

const server = spawn(
  process.execPath,
  [
    '--watch',
    '--watch-preserve-output',
    '--enable-source-maps',
    'dist/cli.cjs',
    ...process.argv.slice(2),
  ],
  { cwd: root, stdio: 'inherit' },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.kill(signal));
server.once('exit', (code) => process.exit(code ?? 0));
