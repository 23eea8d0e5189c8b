/** What only the package's tests need, as npm publishes it: other Nodes, and Jest. It is kept for the next time. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(tmpdir(), 'card-vault-sandbox-nodes');
const jestLine = '30';
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The newest Node of a line such as `22` or `20.19`: its version and path, or why it cannot be had. */
export function fetchNode(line) {
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  return fetched(`${name}@${line}`, join(name, 'bin', file));
}

/** Jest: its version and the path of its command, or why it cannot be had. */
export function fetchJest() {
  return fetched(`jest@${jestLine}`, join('jest', 'bin', 'jest.js'));
}

function fetched(wanted, program) {
  const home = join(folder, wanted);
  const path = join(home, 'node_modules', program);
  const [command, ...args] = path.endsWith('.js') ? [process.execPath, path] : [path];
  try {
    if (!existsSync(path)) install(wanted, home);
    const version = execFileSync(command, [...args, '--version'], { encoding: 'utf8' });
    return { version: version.trim().replace(/^v/, ''), path };
  } catch (error) {
    // npm gives a code first, and then says what it stands for.
    const [said] = /(?<=^npm error )(?!code ).+/m.exec(String(error.stderr)) ?? [error.message];
    return { why: `npm gave no ${wanted} that runs here (${said})` };
  }
}

function install(wanted, home) {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', wanted];
  const stdio = ['ignore', 'ignore', 'pipe'];
  const shell = process.platform === 'win32';
  execFileSync('npm', args, { cwd: home, stdio, shell, timeout: 120_000 });
}
