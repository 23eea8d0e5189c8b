/** How a flag is told to commander. */
import { Option, type Command } from 'commander';
import { flagWord, type Flag } from './flags.ts';
import { describe } from '../output/help-text.ts';

/** Declares a flag of `serve`, and for a switch the word that switches it off. */
export function declareFlag(command: Command, flag: Flag): void {
  const word = flagWord(flag.name);
  const written = flag.value === undefined ? word : `${word} ${flag.value}`;
  command.addOption(new Option(written, describe(flag)).helpGroup(flag.group));
  // Switches off what the environment switched on.
  if (flag.value === undefined) command.addOption(new Option(`--no-${word.slice(2)}`).hideHelp());
}
