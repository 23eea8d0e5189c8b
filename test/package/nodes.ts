/** The Nodes that the package is tried on: this one, and with TEST_NODES those that it names, as npm publishes them. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface TriedNode {
  readonly version: string;
  readonly path: string;
}

/** `TEST_NODES` is a list such as `20.19,22,24`. A line that npm does not publish for this machine is an error. */
export function nodesToTry(folder: string): readonly TriedNode[] {
  const here = { version: `${process.versions.node} (this machine's)`, path: process.execPath };
  const named = (process.env['TEST_NODES'] ?? '').split(',').filter((line) => line !== '');
  return [here, ...named.map((line) => fetched(line, folder))];
}

function fetched(line: string, folder: string): TriedNode {
  const name = `node-${process.platform}-${process.arch}`;
  const home = join(folder, `node-${line}`);
  mkdirSync(home);
  writeFileSync(join(home, 'package.json'), '{ "private": true }');
  const args = ['install', '--no-audit', '--no-fund', '--loglevel=error', `${name}@${line}`];
  execFileSync('npm', args, { cwd: home, stdio: ['ignore', 'ignore', 'pipe'] });
  const path = join(home, 'node_modules', name, 'bin', 'node');
  if (!existsSync(path)) throw new Error(`${name}@${line} brought no Node.`);
  const version = execFileSync(path, ['--version'], { encoding: 'utf8' }).trim().slice(1);
  return { version, path };
}
