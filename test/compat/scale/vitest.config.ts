import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from '../../support/vitest/closing-line.ts';

/** Several processes behind a proxy: `npm run test:scale`. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    globalSetup: 'test/support/vitest/global-setup.ts',
    include: ['test/compat/scale/**/*.test.ts'],
    reporters: ['default', new ClosingLine()],
    expect: { requireAssertions: true },
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
});
