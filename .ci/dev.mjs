/** `npm run dev`: bundles on every change and restarts the server. Arguments go to the command line. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { watch } from 'rolldown';
import { aloneEntries, commandEntry, inputOptions, outputOptions, root } from './build/bundles.mjs';

const args = ['--enable-source-maps', 'dist/dev/cli.cjs', ...process.argv.slice(2)];
let server;

async function stop() {
  if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
  const gone = once(server, 'exit');
  server.kill();
  await gone;
}

/** The new server may want the port of the old one. */
async function restart() {
  await stop();
  server = spawn(process.execPath, args, { cwd: root, stdio: 'inherit' });
}

const output = { ...outputOptions, dir: join(root, 'dist', 'dev'), sourcemap: 'inline' };
const bundles = [
  commandEntry,
  ...Object.entries(aloneEntries).map(([name, source]) => ({ [name]: source })),
];
const watcher = watch(bundles.map((input) => ({ ...inputOptions(input), output })));
watcher.on('event', async (event) => {
  if (event.code === 'BUNDLE_END') await event.result.close();
  if (event.code === 'END') await restart();
  // After a mistake the old server keeps running.
  if (event.code === 'ERROR') process.stderr.write(`${event.error.message}\n`);
});

for (const signal of ['SIGINT', 'SIGTERM']) {
  process.once(signal, async () => {
    await stop();
    process.exit(0);
  });
}
