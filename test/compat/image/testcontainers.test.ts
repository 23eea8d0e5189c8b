/** The documented program for Testcontainers starts the image, with the package from npm. */
import { execFile } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exampleOf } from '../../support/repository/documentation.ts';
import { engineForPrograms, must, tag, testcontainers } from './container.ts';
import { folderWith } from './mounts.ts';

/** Prints what the program started, and stops it. */
const afterwards = `
const ask = async (path) =>
  (await fetch(url + path, { headers: { Authorization: 'Bearer sandbox.my-shop' } })).json();
const [{ seed }, { items }] = await Promise.all([ask('/_sandbox/about'), ask('/v1/vault/credit-cards')]);
console.log(JSON.stringify({ id: vault.getId(), seed, cards: items.length }));
await vault.stop();
`;

const Seen = z.object({ id: z.string().min(12), seed: z.string(), cards: z.number() });

// If the package could not be installed, `.ci/image.mjs` prints the reason.
describe.runIf(testcontainers !== undefined)('Testcontainers', () => {
  it('starts the image, waits until it is ready, and returns its address', async () => {
    const program = exampleOf('testcontainers').replace(`'card-vault-sandbox'`, `'${tag}'`);
    expect(program).toContain(tag);
    const folder = folderWith({ 'program.mjs': program + afterwards });
    symlinkSync(join(testcontainers ?? '', '..'), join(folder, 'node_modules'), 'junction');
    const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], {
      cwd: folder,
      timeout: 300_000,
      env: {
        ...process.env,
        ...(await engineForPrograms()),
        // Its cleanup container would need a download.
        TESTCONTAINERS_RYUK_DISABLED: 'true',
        TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1',
      },
    });
    const { id, ...seen } = Seen.parse(JSON.parse(stdout));
    expect(seen).toEqual({ seed: 'checkout', cards: 8 });
    expect(await must('ps', '--all', '--quiet', '--filter', `id=${id}`)).toBe('');
  });
});
