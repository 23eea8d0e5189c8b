/** What is said of words and flags that no command knows. */
import type { Command } from 'commander';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { flagWord } from '../settings/flags.ts';
import { UsageError } from './usage-error.ts';

/** What the command is called by. */
export const programName = 'card-vault-sandbox';

/** Where the flags are listed: those of the command that was called, or of the program. */
export function seeHelp(command?: Command): string {
  const named = command === undefined || command.name() === 'serve' ? '' : ` ${command.name()}`;
  return `All flags: ${programName}${named} --help`;
}

/** Whether an argument is a flag by its looks. */
export const isFlag = (arg: string): boolean => arg.startsWith('-');

/**
 * Throws a `UsageError` for the first of the words that commander could not place, which it leaves in the command's
 * arguments; nothing where there are none.
 */
export function refuseUnknown(
  program: Command,
  command: Command,
  unknown: readonly string[],
): void {
  const flag = unknown.find(isFlag);
  if (command.name() === 'serve') refuseLateCommand(program, unknown);
  if (flag !== undefined) {
    const known = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
    const fault = flagFault(flag, [...known, '--help'], command);
    throw new UsageError(`${fault} ${seeHelp(command)}`);
  }
  const [word] = unknown;
  if (word === undefined) return;
  if (command.name() === 'serve') refuseWord(program, word);
  throw new UsageError(
    `"${word}" is one word too many: ${programName} ${command.name()} ${command.usage()}. ${seeHelp(command)}`,
  );
}

/** A flag that follows it may well be its own, so the command's place is the mistake. */
function refuseLateCommand(program: Command, unknown: readonly string[]): void {
  const [word] = unknown;
  if (program.commands.some((command) => command.name() === word))
    refuseWord(program, String(word));
}

function flagFault(arg: string, known: readonly string[], command: Command): string {
  if (known.includes(arg)) return `The flag ${arg} must come before "--".`;
  const [word = arg] = arg.split('=');
  if (known.includes(word)) return `The flag ${word} is a switch and takes no value.`;
  return `There is no flag "${word}".${addressHint(word, command) || didYouMean(word, known)}`;
}

/** Flags that whoever has a sandbox to name would try. */
const addressFlags: ReadonlySet<string> = new Set([
  '--url',
  '--uri',
  '--address',
  ...(['baseUrl', 'host', 'port', 'controlHost', 'controlPort'] as const).map(flagWord),
]);

/** Where the address stands; empty for another flag, and for a command that takes none. */
function addressHint(word: string, command: Command): string {
  const takesOne = command.registeredArguments.some((argument) => argument.name().endsWith('url'));
  return takesOne && addressFlags.has(word)
    ? ` The address needs none: ${programName} ${command.name()} http://127.0.0.1:3000.`
    : '';
}

/** Throws a `UsageError` that names the commands, for a word in the place of one. */
export function refuseWord(program: Command, word: string): never {
  const commands = program.commands.map((command) => command.name());
  const fault = commands.includes(word)
    ? `The command "${word}" must come before all flags.`
    : `There is no command "${word}".${didYouMean(word, commands)} Commands: ${commands.join(', ')}.`;
  throw new UsageError(`${fault} ${seeHelp()}`);
}
