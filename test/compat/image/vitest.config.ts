import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from '../../support/vitest/closing-line.ts';

/** The tests of the image. `.ci/image.mjs` builds the image and then runs them. */
export default defineConfig({
  root: fileURLToPath(new URL('../../..', import.meta.url)),
  test: {
    include: ['test/compat/image/**/*.test.ts'],
    reporters: ['default', new ClosingLine()],
    expect: { requireAssertions: true },
    testTimeout: 300_000,
    hookTimeout: 300_000,
  },
});
