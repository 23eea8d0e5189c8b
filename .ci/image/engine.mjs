/**
 * Finds what builds and runs images here: `docker` where its engine answers, else `podman`. Podman gets a store and
 * settings of its own, so nothing of the machine's is touched, and settings that also work inside a container.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';

const packages =
  'podman runc conmon netavark aardvark-dns iptables catatonit mmdebstrap ca-certificates'.split(
    ' ',
  );
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const folder = join(tmpdir(), `card-vault-sandbox-image-${userInfo().username}`);

/** A reason why no image can be built on this machine. */
export class NoEngine extends Error {}

/** An engine that can build on the base image: its command, and the arguments and environment that go with every call. */
export function findEngine(baseImage, { install }) {
  if (answers('docker', ['info'])) return { command: 'docker', args: [], env: {}, buildArgs: [] };
  if (install && !has('podman')) installPodman();
  if (!has('podman')) throw new NoEngine('neither a docker engine nor podman is here');
  const engine = podman();
  if (!answers(engine.command, [...engine.args, 'info'], engine.env)) {
    throw new NoEngine('podman is here but does not work');
  }
  provideBase(engine, baseImage);
  refuseWhereNothingRuns(engine, baseImage);
  return engine;
}

/** Podman may build where it lacks what it takes to run: a network, rights of this user. */
function refuseWhereNothingRuns({ command, args, env }, baseImage) {
  const options = ['--rm', '--pull=never', '-p', '127.0.0.1::3000'];
  const ran = spawnSync(command, [...args, 'run', ...options, baseImage, 'node', '--version'], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
    timeout: 60_000,
  });
  if (ran.status === 0) return;
  throw new NoEngine(`podman is here but cannot run a container: ${lastLine(ran.stderr)}`);
}

const has = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

function answers(command, args, env = {}) {
  const run = spawnSync(command, args, { env: { ...process.env, ...env }, timeout: 20_000 });
  return run.status === 0;
}

function installPodman() {
  if (process.getuid?.() !== 0 || !has('apt-get')) {
    throw new NoEngine(
      'neither a docker engine nor podman is here, and this user cannot install it',
    );
  }
  try {
    aptGet('update', '-qq');
    aptGet('install', '-y', '-qq', '--no-install-recommends', ...packages);
  } catch (error) {
    throw new NoEngine(`podman could not be installed (${error.message})`);
  }
}

function aptGet(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync('apt-get', args, { env, stdio: 'ignore', timeout: 120_000 });
}

function podman() {
  mkdirSync(folder, { recursive: true });
  const hardLimit = execFileSync('sh', ['-c', 'ulimit -Hn'], { encoding: 'utf8' }).trim();
  const conf = join(folder, 'containers.conf');
  writeFileSync(
    conf,
    [
      '[containers]',
      // The defaults are above what a machine without CAP_SYS_RESOURCE allows.
      `default_ulimits = ["nofile=${hardLimit}:${hardLimit}", "nproc=4096:4096"]`,
      '[engine]',
      ...(has('runc') ? ['runtime = "runc"'] : []),
      'cgroup_manager = "cgroupfs"',
      'events_logger = "file"',
      '',
    ].join('\n'),
  );
  const store = ['--root', join(folder, 'store'), '--runroot', join(folder, 'run')];
  return {
    command: 'podman',
    args: ['--log-level=error', ...store, '--storage-driver', 'overlay'],
    env: { CONTAINERS_CONF: conf },
    // Without the docker format, an image has no HEALTHCHECK.
    buildArgs: ['--format', 'docker', '--pull=never', '--network', 'host'],
  };
}

/** The base comes from its registry where that can be reached; else a stand-in is made of Debian and npm's Node. */
function provideBase(engine, baseImage) {
  const run = (...args) =>
    spawnSync(engine.command, [...engine.args, ...args], {
      env: { ...process.env, ...engine.env },
      encoding: 'utf8',
      timeout: 120_000,
    });
  if (run('image', 'exists', baseImage).status === 0) return;
  const [, major] = /^node:(\d+)-bookworm-slim$/.exec(baseImage) ?? [];
  if (major === undefined || !has('mmdebstrap') || process.getuid?.() !== 0) {
    const pulled = run('pull', '-q', baseImage);
    if (pulled.status === 0) return;
    throw new NoEngine(`the base ${baseImage} could neither be fetched nor stood in for`);
  }
  const context = join(folder, `node-${major}`);
  try {
    layOutBase(context, major);
  } catch (error) {
    throw new NoEngine(`no stand-in for the base ${baseImage} could be made (${error.message})`);
  }
  const built = run('build', '--format', 'docker', '-t', `localhost/${baseImage}`, context);
  if (built.status !== 0) throw new NoEngine(`podman cannot build here: ${lastLine(built.stderr)}`);
}

const lastLine = (text) => text.trim().split('\n').at(-1);

function output(command, args, options = {}) {
  const stdio = ['ignore', 'pipe', 'ignore'];
  const text = execFileSync(command, args, {
    stdio,
    timeout: 180_000,
    encoding: 'utf8',
    ...options,
  });
  return text.trim();
}

/** Debian's minimum, Node as npm publishes it, and what this machine needs to reach npm from within. */
function layOutBase(context, major) {
  mkdirSync(context, { recursive: true });
  const mirror = output('sh', [
    '-c',
    "apt-get indextargets --format '$(REPO_URI)' | grep -v security | head -1",
  ]);
  const tar = join(context, 'debian.tar');
  if (!existsSync(tar)) {
    const unfinished = join(context, 'unfinished.tar');
    output('mmdebstrap', [
      '--quiet',
      '--variant=minbase',
      '--include=ca-certificates,libstdc++6',
      ...['doc', 'man', 'locale'].map((name) => `--dpkgopt=path-exclude=/usr/share/${name}/*`),
      'bookworm',
      unfinished,
      mirror,
    ]);
    renameSync(unfinished, tar);
  }
  const arch = process.arch === 'arm64' ? 'arm64' : 'x64';
  const node = `node-linux-${arch}`;
  const fetched = join(context, 'fetched');
  mkdirSync(fetched, { recursive: true });
  writeFileSync(join(fetched, 'package.json'), '{"private":true}');
  output('npm', ['install', '--no-audit', '--no-fund', `${node}@${major}`], { cwd: fetched });
  copyFileSync(join(fetched, 'node_modules', node, 'bin', 'node'), join(context, 'node'));
  const npm = join(dirname(output('sh', ['-c', 'readlink -f "$(command -v npm)"'])), '..');
  // What an earlier try left may be half of it, and its links would lead out of the copy.
  rmSync(join(context, 'npm'), { recursive: true, force: true });
  cpSync(npm, join(context, 'npm'), { recursive: true, verbatimSymlinks: true });
  copyFileSync(certificates, join(context, 'certificates.crt'));
  writeFileSync(
    join(context, 'npmrc'),
    `cafile=${certificates}\nregistry=${output('npm', ['config', 'get', 'registry'])}\n`,
  );
  writeFileSync(
    join(context, 'Containerfile'),
    readFileSync(new URL('stand-in.containerfile', import.meta.url)),
  );
}
