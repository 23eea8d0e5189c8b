/** Reads the flags of a container's main process, for commands that run in the same container. */
import { readFileSync, realpathSync } from 'node:fs';
import { Command } from 'commander';
import { declareFlag } from '../settings/declare-flag.ts';
import { flags } from '../settings/flags.ts';

type ParsedFlags = Readonly<Record<string, unknown>>;

/**
 * The flags of the sandbox that runs as process 1, directly or under an init. A health check needs them, because
 * `docker run image --port 9000` sets nothing in the environment. Empty if process 1 is another program.
 */
export function mainProcessFlags({ argv }: Pick<NodeJS.Process, 'argv'>): ParsedFlags {
  return flagsIn(commandLine(), argv[1]);
}

/** Empty on a machine without /proc. */
function commandLine(): string {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8');
  } catch {
    return '';
  }
}

/** Parses a command line with NUL-terminated words. Empty unless it runs `serve` with this script. */
export function flagsIn(words: string, script: string | undefined): ParsedFlags {
  const given = words.split('\0').slice(0, -1);
  const real = script && realPath(script);
  const at = script === undefined ? -1 : given.findIndex((word) => realPath(word) === real);
  const [first = '', ...rest] = given.slice(at + 1);
  const isServe = first === 'serve';
  if (at === -1 || !(isServe || first.startsWith('-'))) return {};
  const command = new Command().helpOption(false).allowUnknownOption().allowExcessArguments();
  for (const flag of flags) declareFlag(command, flag);
  return command.parse(isServe ? rest : [first, ...rest], { from: 'user' }).opts();
}

/** The path without links: the image has the command on its path too, as a link. Other words stay as they are. */
function realPath(word: string): string {
  try {
    return realpathSync(word);
  } catch {
    return word;
  }
}
