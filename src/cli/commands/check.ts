/** `check`: says of scenario files what is wrong with them, as a linter does. */
import { checkFiles } from '../../scenarios/load.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Prints every mistake with file, line and nearest match; exit code 1 where there is one. */
export function checkScenarios(paths: readonly string[], program: NodeJS.Process): void {
  if (paths.length === 0) {
    throw new UsageError(
      'Name the scenario files to check, or a folder of them: card-vault-sandbox check ./scenarios',
    );
  }
  const checked = checkFiles(paths);
  const wrong = checked.filter(({ mistakes }) => mistakes.length > 0);
  const lines = wrong.flatMap(({ mistakes }) => mistakes);
  if (lines.length === 0) {
    program.stdout.write(`${files(checked.length)} good.\n`);
    return;
  }
  const count = lines.length === 1 ? '1 mistake' : `${lines.length} mistakes`;
  program.stdout.write(
    `${lines.join('\n')}\n\n${count} in ${wrong.length} of ${checked.length} files.\n`,
  );
  program.exitCode = 1;
}

function files(count: number): string {
  return count === 1 ? '1 file is' : `${count} files are`;
}
