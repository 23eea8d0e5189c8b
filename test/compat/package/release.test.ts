/** The steps of a release, up to a registry on this machine, and the workflows that run them. */
import { execFile, spawn } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readText, root } from '../../support/repository/source-files.ts';
import { runNode } from '../runners/child.ts';
import { registriesToTry, workflowLintersToTry } from './nodes.ts';
import { freePort } from '../../support/free-port.ts';

const run = promisify(execFile);
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readText('package.json')));
const tag = `v${version}`;
const revision = /^[0-9a-f]{40}$/;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-release-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
});

const release = (...args: readonly string[]) =>
  runNode([join(root, '.ci', 'release.mjs'), ...args]);

/** The scripts beside a changelog and a manifest of their own. */
function releaseOf(manifest: object, changelog: string) {
  mkdirSync(join(folder, '.ci', 'build'), { recursive: true });
  for (const file of ['release.mjs', 'build/bundles.mjs']) {
    copyFileSync(join(root, '.ci', file), join(folder, '.ci', file));
  }
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  writeFileSync(join(folder, 'CHANGELOG.md'), changelog);
  return (...args: readonly string[]) =>
    runNode([join(folder, '.ci', 'release.mjs'), ...args], folder);
}

describe('the release script', () => {
  it('accepts the tag of this version', async () => {
    const changelog = `## Unreleased\n\n## ${version}\n\nAll.\n`;
    expect(await releaseOf({ version }, changelog)('check', tag)).toEqual({
      code: 0,
      stdout: `${tag} can be released.\n`,
      stderr: '',
    });
  });

  it.each([
    ['1.0', 'A release tag is "v" and a version, such as v0.1.0; got "1.0".'],
    ['v99.0.0', `The tag is v99.0.0, but package.json has version ${version}.`],
  ])('refuses the tag %s', async (name, message) => {
    expect(await release('check', name)).toEqual({
      code: 1,
      stdout: '',
      stderr: `release: ${message}\n`,
    });
  });

  it.each([
    ['no notes', '## Unreleased\n\n## 1.0.0\n', 'has no text below "## 2.0.0"'],
    [
      'unreleased changes',
      '## Unreleased\n\n- More.\n\n## 2.0.0\n\nAll.\n',
      'has text below "## Unreleased"',
    ],
  ])('refuses a changelog with %s', async (_what, changelog, message) => {
    const { code, stderr } = await releaseOf({ version: '2.0.0' }, changelog)('check', 'v2.0.0');
    expect([code, stderr]).toEqual([1, expect.stringContaining(message)]);
  });

  it('prints the notes of one version', async () => {
    const changelog =
      '# Changelog\n\n## Unreleased\n\n## 2.0.0\n\nAll.\n\n- More.\n\n## 1.0.0\n\nOld.\n';
    const { stdout } = await releaseOf({ version: '2.0.0' }, changelog)('notes', 'v2.0.0');
    expect(stdout).toBe('All.\n\n- More.\n');
  });

  it.each([
    ['2.1.3', ['2.1.3', '2.1', 'latest']],
    ['2.1.3-rc.1', ['2.1.3-rc.1']],
  ])('builds the image of %s for every platform, with its tags', async (name, tags) => {
    await run('git', ['init', '--quiet'], { cwd: folder });
    const commit = [
      '-c',
      'user.name=t',
      '-c',
      'user.email=t@example.com',
      'commit',
      '-qm',
      'x',
      '--allow-empty',
    ];
    await run('git', commit, { cwd: folder });
    const script = releaseOf({ version: name }, '');
    const platforms = 'linux/amd64,linux/arm64';
    const { stdout } = await script(
      'image',
      `v${name}`,
      '--name',
      'Shop/Vault',
      '--platforms',
      platforms,
      '--print',
    );
    const words = stdout.trim().split(' ');
    expect(words.slice(0, 4)).toEqual(['docker', 'buildx', 'build', `--platform=${platforms}`]);
    expect(words).toEqual(
      expect.arrayContaining(['--sbom=true', '--provenance=mode=max', `VERSION=${name}`, '--push']),
    );
    expect(words.filter((_word, at) => words[at - 1] === '--tag')).toEqual(
      tags.map((one) => `shop/vault:${one}`),
    );
    const [, sha = ''] = /REVISION=(\S+)/.exec(stdout) ?? [];
    expect(sha).toMatch(revision);
  });
});

describe.each(registriesToTry())('a release to a registry', (verdaccio) => {
  it('is installed by a stranger from there', { timeout: 300_000 }, async () => {
    const url = await startRegistry(verdaccio);
    const published = await runNode(
      [join(root, '.ci', 'release.mjs'), 'publish', tag, '--registry', url],
      root,
      { NPM_TOKEN: 'any', npm_config_ignore_scripts: 'true' },
    );
    expect(published.code, published.stderr).toBe(0);

    const project = join(folder, 'stranger');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
    const npm = ['install', '--save-dev', 'card-vault-sandbox', `--registry=${url}`];
    await run('npm', [...npm, '--no-audit', '--no-fund', `--cache=${join(folder, 'cache')}`], {
      cwd: project,
    });
    const command = join(project, 'node_modules', '.bin', 'card-vault-sandbox');
    expect((await run(command, ['--version'], { cwd: project })).stdout).toBe(`${version}\n`);
    await run(command, ['init'], { cwd: project });
    const ran = await runNode(['--test', 'card-vault/pays-once.test.mjs'], project);
    expect(ran.code, ran.stdout).toBe(0);
  });

  /** Starts the registry on a free port, with nothing in it. Gives its address. */
  async function startRegistry(path: string): Promise<string> {
    const port = await freePort();
    writeFileSync(
      join(folder, 'registry.yaml'),
      [
        `storage: ${join(folder, 'storage')}`,
        'auth: { htpasswd: { file: ./htpasswd } }',
        'packages: { "**": { access: $all, publish: $anonymous } }',
        'log: { type: stdout, format: json, level: http }',
      ].join('\n'),
    );
    const server = spawn(
      process.execPath,
      [path, '--config', join(folder, 'registry.yaml'), '--listen', `127.0.0.1:${port}`],
      { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'] },
    );
    onTestFinished(() => void server.kill());
    let output = '';
    await new Promise<void>((resolve, reject) => {
      for (const stream of [server.stdout, server.stderr]) {
        stream.setEncoding('utf8').on('data', (text: string) => {
          output += text;
          if (output.includes(`http address - http://127.0.0.1:${port}`)) resolve();
        });
      }
      server.on('exit', () => {
        reject(new Error(`The registry ended: ${output}`));
      });
    });
    return `http://127.0.0.1:${port}/`;
  }
});

const Linter = z.object({ createLinter: z.function() });
const Problems = z.array(z.object({ file: z.string(), line: z.number(), message: z.string() }));

describe.each(workflowLintersToTry())('the workflows', (linter) => {
  it('have no problem that the linter finds', async () => {
    const { createLinter } = Linter.parse(
      await import(pathToFileURL(join(linter, 'node.cjs')).href),
    );
    const lint = (await createLinter()) as (text: string, path: string) => unknown;
    const workflows = readdirSync(join(root, '.github', 'workflows'));
    expect(workflows).toEqual(['ci.yml', 'release.yml']);
    const problems = workflows.flatMap((file) => {
      const path = `.github/workflows/${file}`;
      return Problems.parse(lint(readFileSync(join(root, path), 'utf8'), path));
    });
    expect(problems).toEqual([]);
  });
});
