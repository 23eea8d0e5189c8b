/** `npm run dev`: bundles on every change and restarts the server. Arguments go to the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { context } from 'esbuild';
import { commandEntries, programBundle, root } from './bundles.mjs';

const args = ['--enable-source-maps', 'dist/dev/cli.js', ...process.argv.slice(2)];
let server;

async function stop() {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill();
  await gone;
}

/** After a mistake the old server keeps running; esbuild has printed what it stumbled over. */
const restart = {
  name: 'restart',
  setup(build) {
    build.onEnd(async ({ errors }) => {
      if (errors.length > 0) return;
      // The new server may want the port of the old one.
      await stop();
      server = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
    });
  },
};

const bundle = await context({
  ...programBundle,
  entryPoints: commandEntries,
  outdir: 'dist/dev',
  sourcemap: 'inline',
  banner: {
    js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
  },
  plugins: [...programBundle.plugins, restart],
});
await bundle.watch();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stop();
    process.exit(0);
  });
}
