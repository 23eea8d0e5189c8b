/** Go's standard library, with types of the shapes of the Go SDK. */
import { expect, it } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { runOrSkip, script } from './programs.ts';

const go = { command: 'go', probe: ['version'], needs: 'Go' };

it.for(['documented', 'recorded'] as const)(
  'the Go client decodes every answer (%s)',
  async (profile, context) => {
    const sandbox = createSandbox({ fixtures: 'empty', profile });
    const { url } = await sandbox.listen({ port: 0 });
    try {
      const { stdout } = await runOrSkip(context, go, ['run', script('walk.go'), url, 'go'], {
        env: { GOPROXY: 'off', GOFLAGS: '' },
      });
      expect(stdout.trim().split('\n')).toEqual([
        'store 201',
        'pay 201',
        'pay with a raw card 201',
        'authorize 201',
        'show 200',
        'list 200',
        'execute 400',
        'show the sale 200',
        'refund 201',
        'show the refund 200',
        'capture 200',
        'list again 200',
        'list payouts 501',
        '3 11 2031',
      ]);
    } finally {
      await sandbox.close();
    }
  },
);
