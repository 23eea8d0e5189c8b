/** `check`: validates scenario files. */
import { checkFiles } from '../../scenarios/load.ts';
import { UsageError } from '../errors/usage-error.ts';

/** Prints every problem with file, line and nearest match. The exit code is 1 if there is one. */
export function checkScenarios(paths: readonly string[], program: NodeJS.Process): void {
  if (paths.length === 0) {
    throw new UsageError(
      'Name the scenario files or a folder: card-vault-sandbox check ./scenarios',
    );
  }
  const checked = checkFiles(paths);
  const invalid = checked.filter(({ mistakes }) => mistakes.length > 0);
  const lines = invalid.flatMap(({ mistakes }) => mistakes);
  if (lines.length === 0) {
    const count = checked.length === 1 ? '1 file is' : `${checked.length} files are`;
    program.stdout.write(`${count} valid.\n`);
    return;
  }
  const count = lines.length === 1 ? '1 problem' : `${lines.length} problems`;
  program.stdout.write(
    `${lines.join('\n')}\n\n${count} in ${invalid.length} of ${checked.length} files.\n`,
  );
  program.exitCode = 1;
}
