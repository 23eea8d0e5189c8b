/**
 * `npm run test:image`: builds the Dockerfile and tests what came of it. Where nothing here can build an image, one
 * line says so and why. `--install` may install podman on a Debian machine, as CI does.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { root } from './build/bundles.mjs';
import { findEngine, NoEngine } from './image/engine.mjs';
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
  if (status !== 0) fail(error?.message ?? `${command} ${args.join(' ')} ended with ${status}`);
}

function fail(why) {
  say(`image: ${why}`);
  process.exit(1);
}

/**
 * Removes the image's containers, such as those of a run that was ended, and gives how many there were. The ports of one
 * that stays still lead to it, also when nothing answers there: tests that get such a port reach no server.
 */
function removeContainers() {
  const found = containers();
  if (found.length === 0) return 0;
  // One that goes by itself meanwhile makes this fail, so what is asked is whether any is left.
  engineDoes('rm', '--force', ...found);
  const left = containers();
  if (left.length > 0) fail(`${command} cannot remove ${left.join(', ')}`);
  return found.length;
}

function containers() {
  const what = ['ps', '--all', '--format', '{{.ID}} {{.Image}}'];
  const { status, stdout, stderr, error } = engineDoes(...what);
  if (status !== 0) fail(`${command} ${what.join(' ')}: ${error?.message ?? stderr.trim()}`);
  const rows = stdout.split('\n').map((line) => line.split(' '));
  return rows.filter(([, image]) => isTested(image)).map(([id]) => id);
}

function engineDoes(...what) {
  const options = { env: { ...process.env, ...env }, encoding: 'utf8', timeout: 60_000 };
  return spawnSync(command, [...args, ...what], options);
}

/** Podman puts a host before the name, and asks for the same in a filter. */
const isTested = (image) => image === tag || image?.endsWith(`/${tag}`) === true;

const engine = engineOrLine();
const { command, args, env, buildArgs } = engine;
const ofEarlierRuns = removeContainers();
if (ofEarlierRuns > 0) say(`image: containers of an earlier run, now removed: ${ofEarlierRuns}`);
const startedMs = Date.now();
run(command, [...args, 'build', ...buildArgs, '-t', tag, '.'], env);
say(`image: built with ${command} in ${Date.now() - startedMs} ms`);
const vitest = join(
  dirname(createRequire(import.meta.url).resolve('vitest/package.json')),
  'vitest.mjs',
);
const { path: testcontainers, why } = fetchTestcontainers();
if (why !== undefined) say(`The README's lines for Testcontainers were not run: ${why}.`);
run(process.execPath, [vitest, 'run', '--config', 'test/compat/image/vitest.config.ts'], {
  TEST_IMAGE: JSON.stringify({ command, args, buildArgs, env, tag, testcontainers }),
});
const left = removeContainers();
if (left > 0) say(`image: containers that the tests left behind, now removed: ${left}`);
