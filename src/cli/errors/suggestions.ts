/** Rejects unknown commands and options, with the nearest match. */
import type { Command } from 'commander';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { programName } from '../output/help-text.ts';
import { flagWord } from '../settings/flags.ts';
import { UsageError } from './usage-error.ts';

/** Names the help page of a command, or of the program. */
export function seeHelp(command?: Command): string {
  const name = command === undefined ? '' : ` ${command.name()}`;
  return `Run "${programName}${name} --help" for ${command === undefined ? 'help' : 'all options'}.`;
}

/** Whether an argument looks like an option. */
export const isFlag = (arg: string): boolean => arg.startsWith('-');

/** Throws a `UsageError` for the first of the arguments that commander could not assign to anything. */
export function rejectUnknown(
  program: Command,
  command: Command,
  unknown: readonly string[],
): void {
  const flag = unknown.find(isFlag);
  if (command.name() === 'serve') rejectLateCommand(program, unknown);
  if (flag !== undefined) {
    const known = [...command.options, ...program.options].flatMap(({ long }) => long ?? []);
    const problem = flagProblem(flag, [...known, '--help'], command);
    throw new UsageError(`${problem} ${seeHelp(command)}`);
  }
  const [word] = unknown;
  if (word === undefined) return;
  if (command.name() === 'serve') rejectCommand(program, word);
  throw new UsageError(
    `Unexpected argument "${word}". Usage: ${programName} ${command.name()} ${command.usage()}. ${seeHelp(command)}`,
  );
}

/** The options after a misplaced command may belong to it, so report the place of the command first. */
function rejectLateCommand(program: Command, unknown: readonly string[]): void {
  const [word] = unknown;
  if (program.commands.some((command) => command.name() === word))
    rejectCommand(program, String(word));
}

function flagProblem(arg: string, known: readonly string[], command: Command): string {
  if (known.includes(arg)) return `The option ${arg} must come before "--".`;
  const [word = arg] = arg.split('=');
  if (known.includes(word)) return `The option ${word} is a switch and takes no value.`;
  return `Unknown option "${word}".${addressHint(word, command) || didYouMean(word, known)}`;
}

/** Options that people try in order to name the sandbox. */
const addressFlags: ReadonlySet<string> = new Set([
  '--url',
  '--uri',
  '--address',
  ...(['baseUrl', 'host', 'port', 'controlHost', 'controlPort'] as const).map(flagWord),
]);

/** How to pass the address, for commands that accept one; otherwise empty. */
function addressHint(word: string, command: Command): string {
  const takesUrl = command.registeredArguments.some((argument) =>
    argument.name().endsWith('address'),
  );
  return takesUrl && addressFlags.has(word)
    ? ` Pass the address without an option: ${programName} ${command.name()} localhost:3000.`
    : '';
}

/** Throws a `UsageError` that lists the commands, for a word in the place of one. */
export function rejectCommand(program: Command, word: string): never {
  const commands = program.commands.map((command) => command.name());
  const problem = commands.includes(word)
    ? `The command "${word}" must come before all options.`
    : `Unknown command "${word}".${didYouMean(word, commands)} Commands: ${commands.join(', ')}.`;
  throw new UsageError(`${problem} ${seeHelp()}`);
}
