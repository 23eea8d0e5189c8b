/**
 * The steps of a release, as `.github/workflows/release.yml` runs them. Each also runs by hand:
 *
 *   node .ci/release.mjs check <tag>     the tag, package.json and CHANGELOG.md agree
 *   node .ci/release.mjs notes <tag>     prints the notes of the version
 *   node .ci/release.mjs publish <tag> [--registry <url>] [--provenance]
 *                                        publishes the package; NPM_TOKEN authenticates
 *   node .ci/release.mjs image <tag> --name <image> [--platforms <list>] [--print]
 *                                        builds the image and pushes every tag of it; --print only shows the commands
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './build/bundles.mjs';

const [command, tag, ...flags] = process.argv.slice(2);
const { values: options } = parseArgs({
  args: flags,
  options: {
    registry: { type: 'string' },
    provenance: { type: 'boolean' },
    name: { type: 'string' },
    platforms: { type: 'string' },
    engine: { type: 'string', default: 'docker' },
    print: { type: 'boolean' },
  },
});

class ReleaseError extends Error {}

/** The version of a tag such as `v0.1.0`, which package.json must have too. */
function versionOf(name = '') {
  const [, version] = /^v(\d+\.\d+\.\d+(?:-[\w.]+)?)$/.exec(name) ?? [];
  if (version === undefined) {
    throw new ReleaseError(`A release tag is "v" and a version, such as v0.1.0; got "${name}".`);
  }
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  if (manifest.version !== version) {
    throw new ReleaseError(`The tag is ${name}, but package.json has version ${manifest.version}.`);
  }
  return version;
}

/** The text below a heading of the changelog; `undefined` if there is no such heading. */
function sectionOf(heading) {
  const sections = readFileSync(join(root, 'CHANGELOG.md'), 'utf8').split(/^## /m);
  const section = sections.find((text) => text.split('\n', 1)[0].trim() === heading);
  return section?.slice(section.indexOf('\n')).trim();
}

function notesOf(version) {
  const notes = sectionOf(version);
  if (!notes) throw new ReleaseError(`CHANGELOG.md has no text below "## ${version}".`);
  return notes;
}

function check() {
  const version = versionOf(tag);
  notesOf(version);
  if (sectionOf('Unreleased')) {
    throw new ReleaseError(
      `CHANGELOG.md has text below "## Unreleased". Move it below "## ${version}".`,
    );
  }
  say(`${tag} can be released.`);
}

function publish() {
  const version = versionOf(tag);
  const registry = options.registry ?? output('npm', ['config', 'get', 'registry']);
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-release-'));
  try {
    // npm finds the token by the address of the registry, without its scheme.
    const userconfig = join(folder, 'npmrc');
    const address = `${registry.replace(/^https?:/, '').replace(/\/$/, '')}/`;
    writeFileSync(userconfig, `${address}:_authToken=\${NPM_TOKEN}\n`);
    const distTag = version.includes('-') ? 'next' : 'latest';
    run('npm', [
      'publish',
      `--userconfig=${userconfig}`,
      `--registry=${registry}`,
      `--tag=${distTag}`,
      '--access=public',
      ...(options.provenance ? ['--provenance'] : []),
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `0.1.0`, `0.1` and `latest`. A version for trial has its own name only. */
function imageTags(version) {
  if (version.includes('-')) return [version];
  const [major, minor] = version.split('.');
  return [version, `${major}.${minor}`, 'latest'];
}

function image() {
  const version = versionOf(tag);
  if (!options.name) throw new ReleaseError('Name the image: --name <registry>/card-vault-sandbox');
  const images = imageTags(version).map((name) => `${options.name.toLowerCase()}:${name}`);
  const build = [
    '--build-arg',
    `VERSION=${version}`,
    '--build-arg',
    `REVISION=${output('git', ['rev-parse', 'HEAD'])}`,
    ...images.flatMap((name) => ['--tag', name]),
  ];
  const commands =
    options.engine === 'docker'
      ? [
          [
            'docker',
            'buildx',
            'build',
            ...platforms(),
            '--sbom=true',
            '--provenance=mode=max',
            ...build,
            '--push',
            '.',
          ],
        ]
      : [
          [...engineWords(), 'build', ...buildWords(), ...platforms(), ...build, '.'],
          ...images.map((name) => [...engineWords(), 'push', ...pushWords(), name]),
        ];
  for (const [program, ...args] of commands) {
    if (options.print) say([program, ...args].join(' '));
    else run(program, args);
  }
}

const platforms = () => (options.platforms ? [`--platform=${options.platforms}`] : []);

// Podman takes what it needs on a machine like this one from variables, as shell words.
const engineWords = () => options.engine.split(' ');
const buildWords = () => words(process.env.BUILD_ARGS);
const pushWords = () => words(process.env.PUSH_ARGS);
const words = (text = '') => text.split(' ').filter(Boolean);

const output = (program, args) =>
  execFileSync(program, args, { cwd: root, encoding: 'utf8', shell: onWindows }).trim();
const run = (program, args) =>
  execFileSync(program, args, { cwd: root, stdio: 'inherit', shell: onWindows });
const onWindows = process.platform === 'win32';
const say = (line) => process.stdout.write(`${line}\n`);

const commands = { check, notes: () => say(notesOf(versionOf(tag))), publish, image };

try {
  if (!Object.hasOwn(commands, command ?? '')) {
    throw new ReleaseError(`Name a step: ${Object.keys(commands).join(', ')}.`);
  }
  commands[command]();
} catch (error) {
  process.stderr.write(`release: ${error.message}\n`);
  process.exitCode = 1;
}
