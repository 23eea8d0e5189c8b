/** Rejects an option whose value is missing, so that the next option is not taken for it. */
import type { Command } from 'commander';
import { UsageError } from './usage-error.ts';
import { seeHelp } from './suggestions.ts';

/**
 * Throws a `UsageError` if "--" or another option of the command follows an option that needs a value. Commander would
 * take `--` in `--coverage -- npm test` for the name of a file.
 */
export function rejectMissingValues(command: Command | undefined, args: readonly string[]): void {
  if (command === undefined) return;
  const names = new Set(command.options.flatMap(({ long }) => long ?? []));
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  for (const [at, word] of args.slice(0, end).entries()) {
    const option = command.options.find(({ long, required }) => required && long === word);
    const next = args[at + 1] ?? '';
    const [name = ''] = next.split('=');
    if (option !== undefined && (next === '--' || names.has(name))) {
      throw new UsageError(`${word} needs a value: ${option.flags}. ${seeHelp(command)}`);
    }
  }
}
