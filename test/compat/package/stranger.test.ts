/** The packed package, installed by a stranger and used on this Node. `npm run test:package` does it on every LTS line. */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleOf } from '../../support/repository/documentation.ts';
import { shopFiles } from '../../support/shop-files.ts';
import { Consumers, type Project } from './consumer.ts';
import { jestsToTry, nodesToTry } from './nodes.ts';
import { cjsProgram, esmProgram, guestProgram, oneProgram, walked } from './programs.ts';

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
    'guest.mjs': guestProgram,
    'one.mjs': oneProgram,
  });
});

describe.each(nodesToTry())('the package on Node $version', ({ path }) => {
  it.each(['main.mjs', 'main.cjs'])('%s stores, pays, listens and connects', async (file) => {
    const ran = await project.run(['--no-warnings', file], path);
    expect(ran).toEqual({ code: 0, stdout: walked, stderr: '' });
  });

  it('leaves the global object as it was', async () => {
    const ran = await project.run(['guest.mjs'], path);
    expect(ran).toEqual({ code: 0, stdout: '\n', stderr: '' });
  });

  it('has each class once for all entries, imported and required', async () => {
    const ran = await project.run(['one.mjs'], path);
    expect(ran).toEqual({ code: 0, stdout: 'true true true true true\n', stderr: '' });
  });

  it('has a command that starts, reports it, and exits with 0', async () => {
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

describe.each(jestsToTry())('the package in Jest (%s)', (jest) => {
  let shop: Project;
  const writeShop = (careless: boolean): void => {
    writeFileSync(join(shop.folder, 'shop.js'), shopFiles({ careless })['shop.js'] ?? '');
  };
  beforeAll(() => {
    shop = consumers.project('jest', {
      'package.json': '{ "private": true }',
      'shop.test.js': exampleOf('jest'),
    });
  });

  it('passes for a correct shop', async () => {
    writeShop(false);
    const ran = await shop.run([jest]);
    expect(ran.code, ran.stderr).toBe(0);
  });

  it('fails for a shop that retries with a new request id, and shows what happened to the money', async () => {
    writeShop(true);
    const { code, stderr } = await shop.run([jest]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /Purchase "INV-7" was charged twice: 30\.11 USD at [\d:]{8} and 30\.11 USD at [\d:]{8}\./,
    );
  });
});

it('the package has no dependencies', () => {
  const manifest: unknown = JSON.parse(
    readFileSync(join(project.folder, 'node_modules/card-vault-sandbox/package.json'), 'utf8'),
  );
  expect(manifest).not.toHaveProperty('dependencies');
});

it('the package starts with npm exec from the tarball', () => {
  const args = ['exec', '--offline', '--yes', '--package', consumers.tarball, '--'];
  const version = execFileSync('npm', [...args, 'card-vault-sandbox', '--version'], {
    cwd: consumers.folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
    shell: process.platform === 'win32',
  });
  expect(version).toMatch(/^\d+\.\d+\.\d+\n$/);
});
