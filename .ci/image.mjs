/**
 * `npm run test:image`: builds the Dockerfile and tests what came of it. Where nothing here can build an image, one
 * line says so and why. `--install` may install podman on a Debian machine, as CI does.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './bundle.mjs';
import { findEngine, NoEngine } from './engine.mjs';
import { fetchTestcontainers } from './fetched.mjs';

const tag = 'card-vault-sandbox:test';
const say = (line) => process.stdout.write(`${line}\n`);

function engineOrLine() {
  const dockerfile = readFileSync(join(root, 'Dockerfile'), 'utf8');
  const [, baseImage] = /^ARG NODE_IMAGE=(\S+)$/m.exec(dockerfile) ?? [];
  try {
    return findEngine(baseImage, { install: process.argv.includes('--install') });
  } catch (error) {
    if (!(error instanceof NoEngine)) throw error;
    say(`The image was not built or tested: ${error.message}.`);
    return process.exit(0);
  }
}

function run(command, args, env = {}) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  if (status === 0) return;
  say(`image: ${error?.message ?? `${command} ${args.join(' ')} ended with ${status}`}`);
  process.exit(1);
}

const engine = engineOrLine();
const { command, args, env, buildArgs } = engine;
const startedMs = Date.now();
run(command, [...args, 'build', ...buildArgs, '-t', tag, '.'], env);
say(`image: built with ${command} in ${Date.now() - startedMs} ms`);
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
const { path: testcontainers, why } = fetchTestcontainers();
if (why !== undefined) say(`The README's lines for Testcontainers were not run: ${why}.`);
run(process.execPath, [vitest, 'run', '--config', 'test/image/vitest.config.ts'], {
  TEST_IMAGE: JSON.stringify({ command, args, buildArgs, env, tag, testcontainers }),
});
