import { appendFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/**
 * Ends a run with the line that CI reads: "N passed, N failed, N skipped", alone on its line. Before it, names what was
 * skipped. `TEST_COUNTS` names a file that the counts are added to, for a command that runs several suites.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    // No test was run: vitest says why, and a line of zeros would hide it.
    if (modules.length === 0) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    // A file that cannot be loaded, a failed hook and a stray rejection have no test of their own.
    const failedOutsideTests = modules.filter(
      (module) => !module.ok() && ![...module.children.allTests('failed')].length,
    ).length;
    const failed = count('failed') + failedOutsideTests + unhandledErrors.length;
    const skipped = count('skipped');
    const line = `${count('passed')} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.stdout.write(`\n${notRun(modules)}${line}\n`);
    const counts = process.env['TEST_COUNTS'];
    if (counts !== undefined) appendFileSync(counts, `${line}\n`);
  }
}

/** One line for each file with skipped tests. CONTRIBUTING.md says what each of them needs. */
function notRun(modules: readonly TestModule[]): string {
  return modules
    .map((module) => {
      const skipped = [...module.children.allTests('skipped')].length;
      const needs = 'a program that this machine does not have; see test/README.md';
      return skipped === 0 ? '' : `Skipped ${skipped} in ${module.relativeModuleId}: ${needs}.\n`;
    })
    .join('');
}
