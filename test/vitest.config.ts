import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { ClosingLine } from './support/vitest/closing-line.ts';

/** Reads which responses all other tests have seen, so it runs after them. */
const coverageTest = 'test/coverage.test.ts';

/** They replace timers or globals, so each of these files gets a process of its own. */
const isolatedTests = ['test/behaviour/scenarios/shipped-playthroughs.test.ts'];

/**
 * They need other programs, a build or a browser, or search all memory, and take minutes: `npm run test:all`. Each of
 * these files gets a process of its own.
 */
const compatTests = [
  'test/compat/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/behaviour/metrics/prometheus.test.ts',
  'test/behaviour/model-clients/matrix.test.ts',
  'test/behaviour/verdict/reference-client.test.ts',
  'test/properties/linear/linear.test.ts',
  'test/properties/secrets/card-number-memory.test.ts',
  'test/properties/secrets/cvv-memory.test.ts',
];

/** The image's tests need an image: `npm run test:image`. Replicas need a proxy: `npm run test:scale`. */
const elsewhere = ['test/compat/image/**', 'test/compat/scale/**'];

export default defineConfig({
  root: fileURLToPath(new URL('..', import.meta.url)),
  // Recipes import the package by its name, so that a copy of one runs; here the sources stand behind that name.
  resolve: {
    alias: [
      {
        find: /^card-vault-sandbox$/,
        replacement: fileURLToPath(new URL('../src/index.ts', import.meta.url)),
      },
    ],
  },
  test: {
    globalSetup: 'test/support/vitest/global-setup.ts',
    setupFiles: 'test/support/vitest/property-runs.ts',
    reporters: ['default', new ClosingLine()],
    // Counts what helpers assert as well, which a linter cannot see.
    // Waiting ends when the value is there; the time-out only ends a test that hangs.
    expect: { requireAssertions: true, poll: { timeout: 120_000 } },
    // One less by default, which leaves a machine with two cores half idle.
    maxWorkers: availableParallelism(),
    // They end a test that hangs. No test may depend on the speed of the machine.
    testTimeout: 600_000,
    hookTimeout: 600_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include: ['test/**/*.test.ts'],
          exclude: [coverageTest, ...isolatedTests, ...compatTests],
          // Loading the sources again for every file would take more time than the tests.
          isolate: false,
          sequence: { groupOrder: 0 },
        },
      },
      {
        extends: true,
        test: { name: 'isolated', include: isolatedTests, sequence: { groupOrder: 0 } },
      },
      {
        extends: true,
        test: {
          name: 'compat',
          include: compatTests,
          exclude: elsewhere,
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
