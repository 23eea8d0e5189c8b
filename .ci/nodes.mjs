/** Nodes beside the one that runs here, as npm publishes them. They are kept for the next time. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const folder = join(tmpdir(), 'card-vault-sandbox-nodes');
const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;

/** The newest Node of a line such as `22` or `20.19`: its version and path, or why it cannot be had. */
export function fetchNode(line) {
  const home = join(folder, `${name}@${line}`);
  const file = process.platform === 'win32' ? 'node.exe' : 'node';
  const path = join(home, 'node_modules', name, 'bin', file);
  try {
    if (!existsSync(path)) install(`${name}@${line}`, home);
    const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1);
    return { version, path };
  } catch (error) {
    // npm gives a code first, and then says what it stands for.
    const [said] = /(?<=^npm error )(?!code ).+/m.exec(String(error.stderr)) ?? [error.message];
    return { why: `npm gave no ${name}@${line} that runs here (${said})` };
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
