import { appendFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** The most failures that are named, so that the last lines stay a few. */
const mostNamed = 40;
/** The most characters of an error that are shown. */
const longestReason = 300;

/**
 * Ends a run with the line that CI reads: "N passed, N failed, N skipped", alone on its line. Before it, names what was
 * skipped, and each failed test with the first line of its error. `TEST_COUNTS` names a file that these lines are added
 * to, for a command that runs several suites.
 */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    // No test was run: vitest says why, and a line of zeros would hide it.
    if (modules.length === 0) return;
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const count = (state: string) => tests.filter((test) => test.result().state === state).length;
    const failures = [...modules.flatMap(failuresIn), ...unhandledErrors.map(strayError)];
    const skipped = count('skipped');
    const line = `${count('passed')} passed, ${failures.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
    process.stdout.write(`\n${notRun(modules)}${failedLines(failures)}${line}\n`);
    const counts = process.env['TEST_COUNTS'];
    if (counts !== undefined) appendFileSync(counts, `${failedLines(failures)}${line}\n`);
  }
}

/** What failed in a file. A file that cannot be loaded and a failed hook have no failed test of their own. */
function failuresIn(module: TestModule): readonly string[] {
  const name = module.relativeModuleId;
  const tests = [...module.children.allTests('failed')].map((test) =>
    failure(`${name} > ${test.fullName}`, test.result().errors),
  );
  const hooks = [...module.children.allSuites()].flatMap((suite) =>
    suite.errors().map((error) => failure(`${name} > ${suite.fullName}`, [error])),
  );
  const others = module.errors().map((error) => failure(name, [error]));
  const all = [...tests, ...hooks, ...others];
  return module.ok() || all.length > 0 ? all : [failure(name, undefined)];
}

/** An error outside of any test, such as a rejection that nothing handles. */
const strayError = (error: SerializedError): string => failure('outside of any test', [error]);

/** Where it failed, and the first line of the error. */
function failure(where: string, errors: readonly SerializedError[] | undefined): string {
  const why = stripVTControlCharacters(errors?.[0]?.message ?? 'no error was reported');
  const [first = ''] = why.trim().split('\n');
  return `Failed: ${where}: ${first.slice(0, longestReason)}\n`;
}

function failedLines(failures: readonly string[]): string {
  const more = failures.length - mostNamed;
  return failures.slice(0, mostNamed).join('') + (more > 0 ? `Failed: ${more} more\n` : '');
}

/** One line for each file with skipped tests. test/README.md says what each of them needs. */
function notRun(modules: readonly TestModule[]): string {
  return modules
    .map((module) => {
      const skipped = [...module.children.allTests('skipped')].length;
      const needs = 'left out by a filter, or by a missing program that test/README.md names';
      return skipped === 0 ? '' : `Skipped ${skipped} in ${module.relativeModuleId}: ${needs}.\n`;
    })
    .join('');
}
