/** `npm run dev`: bundles on every change and restarts the server. Arguments go to the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { context } from 'esbuild';
import { cliBundle, root } from './bundle.mjs';

const args = ['--enable-source-maps', 'dist/cli.cjs', ...process.argv.slice(2)];
// Every change is another bundle, and only Node's own loader reads where its lines come from.
const env = { ...process.env, NODE_DISABLE_COMPILE_CACHE: '1' };
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
      server = spawn(process.execPath, args, { cwd: root, stdio: 'inherit', env });
    });
  },
};

const bundle = await context({ ...cliBundle, sourcemap: 'inline', plugins: [restart] });
await bundle.watch();

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stop();
    process.exit(0);
  });
}
