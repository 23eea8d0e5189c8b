/** The packed package, installed by a stranger and used on this Node. `npm run test:package` does it on every LTS line. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Consumers, type Project } from './consumer.ts';
import { nodesToTry } from './nodes.ts';
import { cjsProgram, esmProgram, walked } from './programs.ts';

const consumers = new Consumers();
afterAll(() => {
  consumers.remove();
});

let project: Project;
beforeAll(() => {
  project = consumers.project('stranger', {
    'package.json': '{ "private": true }',
    'main.mjs': esmProgram,
    'main.cjs': cjsProgram,
  });
});

describe.each(nodesToTry())('on Node $version', ({ path }) => {
  it.each(['main.mjs', 'main.cjs'])('%s stores, pays, listens and connects', async (file) => {
    const ran = await project.run(['--no-warnings', file], path);
    expect(ran).toEqual({ code: 0, stdout: walked, stderr: '' });
  });

  it('the command starts, says so, and ends with 0', async () => {
    const bin = join(project.folder, 'node_modules', 'card-vault-sandbox', 'dist', 'cli.cjs');
    const server = spawn(path, [bin, '--port', '0'], {
      env: {},
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [line] = (await once(server.stdout.setEncoding('utf8'), 'data')) as [string];
    const { url } = JSON.parse(line.split('\n')[0] ?? '') as { url: string };
    expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200);
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([0, null]);
  });
});

it('has no dependencies', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(project.folder, 'node_modules/card-vault-sandbox/package.json'), 'utf8'),
  );
  expect(manifest).not.toHaveProperty('dependencies');
});

it('starts by npm exec from the tarball', () => {
  const args = ['exec', '--offline', '--yes', '--package', consumers.tarball, '--'];
  const version = execFileSync('npm', [...args, 'card-vault-sandbox', '--version'], {
    cwd: consumers.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
});
