/** The flags of a container's main process. The tests of the image run in a container. */
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { flagsIn } from '../../../../src/cli/process/pid1-flags.ts';

const script = '/app/dist/cli.cjs';
const line = (...words: readonly string[]): string => words.map((word) => `${word}\0`).join('');

describe('flags of the main process', () => {
  it.each([
    [['node', script, '--port', '9000', '--quiet'], { port: '9000', quiet: true }],
    [['node', script, 'serve', '--control-port=9001'], { controlPort: '9001' }],
    [['/sbin/docker-init', '--', 'node', script, '--port', '9000'], { port: '9000' }],
    [['node', '--enable-source-maps', script, '--no-watch'], { watch: false }],
    [['node', script], {}],
  ])('are read from a sandbox: %j', (words, flags) => {
    expect(flagsIn(line(...words), script)).toEqual(flags);
  });

  it.each([
    [['/sbin/init', '--port', '9000']],
    [['node', '/elsewhere/cli.cjs', '--port', '9000']],
    [['node', script, 'wait', '--timeout', '3s', '--port', '9000']],
    [[]],
  ])('are empty for another program: %j', (words) => {
    expect(flagsIn(line(...words), script)).toEqual({});
  });

  it('are empty if the script of this command is unknown', () => {
    expect(flagsIn(line('node', '--port', '9000'), undefined)).toEqual({});
  });
});

it('recognizes the command by a link on the path', () => {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-link-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const [real, link] = [join(folder, 'cli.cjs'), join(folder, 'card-vault-sandbox')];
  writeFileSync(real, '');
  symlinkSync(real, link);
  const flags = { port: '9000' };
  expect(flagsIn(line('node', real, '--port', '9000'), link)).toEqual(flags);
  expect(flagsIn(line('node', link, '--port', '9000'), real)).toEqual(flags);
});
