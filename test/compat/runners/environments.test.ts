/** Test environments that imitate a browser, with their own `fetch` or a polyfill, in a vitest of their own. */
import { expect, it } from 'vitest';
import { runNode } from './child.ts';

interface TestEnvironment {
  readonly environment: string;
  /** Replaces the `fetch` that is there. */
  readonly polyfill?: string;
  /** Whether a page may read another origin. */
  readonly readsOtherOrigins: boolean;
}

const environments: readonly TestEnvironment[] = [
  { environment: 'happy-dom', readsOtherOrigins: false },
  { environment: 'happy-dom', polyfill: 'cross-fetch/polyfill', readsOtherOrigins: true },
  { environment: 'jsdom', readsOtherOrigins: true },
  { environment: 'jsdom', polyfill: 'whatwg-fetch', readsOtherOrigins: false },
  { environment: 'jsdom', polyfill: 'cross-fetch/polyfill', readsOtherOrigins: true },
];

it.each(environments)(
  'a shop is tested in $environment with the fetch of $polyfill',
  async ({ environment, polyfill = '', readsOtherOrigins }) => {
    const { code, stdout, stderr } = await runNode(
      [
        'node_modules/vitest/vitest.mjs',
        'run',
        '--config=test/compat/runners/environments/vitest.config.ts',
        `--environment=${environment}`,
      ],
      undefined,
      { POLYFILL: polyfill, READS_OTHER_ORIGINS: String(readsOtherOrigins) },
    );
    expect(code, stdout + stderr).toBe(0);
  },
);
