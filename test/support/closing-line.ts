import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Ends a run with the line that CI reads: "N passed, N failed", alone on its line. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    // Nothing was run: vitest says why, and a line of zeros would hide it.
    if (modules.length === 0) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded, a failed hook and a stray rejection have no test of their own.
    const failedOutsideTests = modules.filter(
      (module) => !module.ok() && ![...module.children.allTests('failed')].length,
    ).length;
    const failed = count('failed') + failedOutsideTests + unhandledErrors.length;
    process.stdout.write(`\n${count('passed')} passed, ${failed} failed\n`);
  }
}
