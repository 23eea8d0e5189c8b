import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './support/closing-line.ts';

/** Reads what all other tests have seen, so it runs in a group of its own, after the last of them. */
const coverageTest = 'test/coverage.test.ts';

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Recipes import the package by its name, so that a copy of one runs; here that is what is being written.
  resolve: {
    alias: [
      {
        find: /^card-vault-sandbox$/,
        replacement: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
      },
    ],
  },
  test: {
    globalSetup: 'test/support/global-setup.ts',
    reporters: ['default', new ClosingLine()],
    // Counts what helpers assert as well, which a linter cannot see.
    expect: { requireAssertions: true },
    // One less by default, which leaves a machine with two cores half idle.
    maxWorkers: availableParallelism(),
    testTimeout: 20_000,
    hookTimeout: 20_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          // The image's tests need an image: `npm run test:image`. Replicas need a proxy: `npm run test:scale`.
          exclude: [coverageTest, 'test/compat/image/**', 'test/compat/scale/**'],
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'coverage', include: [coverageTest], sequence: { groupOrder: 1 } },
      },
    ],
  },
});
