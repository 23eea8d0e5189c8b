/** What a command finds out about the main process of its container. The tests of the image do it in one. */
import { describe, expect, it } from 'vitest';
import { flagsIn } from '../../../src/cli/process/pid1-flags.ts';

const script = '/app/dist/cli.cjs';
const line = (...words: readonly string[]): string => words.map((word) => `${word}\0`).join('');

describe('flags of the main process', () => {
  it.each([
    [['node', script, '--port', '9000', '--quiet'], { port: '9000', quiet: true }],
    [['node', script, 'serve', '--control-port=9001'], { controlPort: '9001' }],
    [['/sbin/docker-init', '--', 'node', script, '--port', '9000'], { port: '9000' }],
    [['node', '--enable-source-maps', script, '--no-watch'], { watch: false }],
    [['node', script], {}],
  ])('are those of a sandbox: %j', (words, flags) => {
    expect(flagsIn(line(...words), script)).toEqual(flags);
  });

  it.each([
    [['/sbin/init', '--port', '9000']],
    [['node', '/elsewhere/cli.cjs', '--port', '9000']],
    [['node', script, 'wait', '--timeout', '3s', '--port', '9000']],
    [[]],
  ])('are none of anything else: %j', (words) => {
    expect(flagsIn(line(...words), script)).toEqual({});
  });

  it('are none where it is not known by which script this command runs', () => {
    expect(flagsIn(line('node', '--port', '9000'), undefined)).toEqual({});
  });
});
