/** The image of a release, pushed to a registry on this machine and run from there. */
import { execFile, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { readText, root } from '../../support/repository/source-files.ts';
import { call, engine, inspect, must } from './container.ts';
import { freePort } from '../../support/free-port.ts';

const run = promisify(execFile);
const { version } = z.object({ version: z.string() }).parse(JSON.parse(readText('package.json')));
const registryCommand = 'docker-registry';
const isHere = spawnSync(registryCommand, ['--version']).error === undefined;
if (!isHere) {
  process.stdout.write(
    'The release of the image was not tried: no docker-registry. Debian: apt-get install docker-registry.\n',
  );
}

describe.runIf(isHere)('the image of a release', () => {
  it('is pushed with every tag, and runs from the registry', async () => {
    const host = await startRegistry();
    const name = `${host}/shop/card-vault-sandbox`;
    const isDocker = engine.command === 'docker';
    const words = [engine.command, ...engine.args].join(' ');
    await run(
      process.execPath,
      [
        join(root, '.ci', 'release.mjs'),
        'image',
        `v${version}`,
        '--name',
        name,
        '--engine',
        isDocker ? 'docker' : words,
      ],
      {
        cwd: root,
        timeout: 280_000,
        env: {
          ...process.env,
          ...engine.env,
          BUILD_ARGS: engine.buildArgs.join(' '),
          PUSH_ARGS: '--tls-verify=false',
        },
      },
    );
    const listed = await fetch(`http://${host}/v2/shop/card-vault-sandbox/tags/list`);
    const [major, minor] = version.split('.');
    const { tags } = z.object({ tags: z.array(z.string()) }).parse(await listed.json());
    expect(tags.toSorted()).toEqual([version, `${major}.${minor}`, 'latest'].toSorted());

    // The copy on this machine goes, so that the registry has to answer.
    await must('rmi', '--force', `${name}:${version}`);
    await must('pull', ...(isDocker ? [] : ['--tls-verify=false']), `${name}:${version}`);
    onTestFinished(async () => void (await call('rmi', '--force', `${name}:${version}`)));
    expect(await must('run', '--rm', `${name}:${version}`, '--version')).toBe(version);
    const { Config } = z
      .object({ Config: z.object({ Labels: z.record(z.string(), z.string()) }) })
      .parse(await inspect('image', `${name}:${version}`));
    expect(Config.Labels).toMatchObject({
      'org.opencontainers.image.version': version,
      'org.opencontainers.image.revision': expect.stringMatching(/^[0-9a-f]{40}$/),
    });
  });
});

/** Starts an empty registry on a free port of this machine. Gives its host and port. */
async function startRegistry(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-registry-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const host = `127.0.0.1:${await freePort()}`;
  const config = {
    version: '0.1',
    storage: { filesystem: { rootdirectory: folder } },
    http: { addr: host },
  };
  writeFileSync(join(folder, 'config.yml'), JSON.stringify(config));
  const server = spawn(registryCommand, ['serve', join(folder, 'config.yml')], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void server.kill());
  let output = '';
  await new Promise<void>((resolve, reject) => {
    server.stderr.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      if (output.includes('listening on')) resolve();
    });
    server.on('exit', () => {
      reject(new Error(`The registry ended: ${output}`));
    });
  });
  return host;
}
