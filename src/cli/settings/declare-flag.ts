/** Declares flags with commander. */
import { Option, type Command } from 'commander';
import { flagWord, type Flag } from './flags.ts';
import { describeFlag } from '../output/help-text.ts';

/** Declares a flag, and for a switch the hidden `--no-` form that overrides the environment. */
export function declareFlag(command: Command, flag: Flag): void {
  const word = flagWord(flag.name);
  const usage = flag.value === undefined ? word : `${word} ${flag.value}`;
  command.addOption(new Option(usage, describeFlag(flag)).helpGroup(flag.group));
  if (flag.value === undefined) command.addOption(new Option(`--no-${word.slice(2)}`).hideHelp());
}
