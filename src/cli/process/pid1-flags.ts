/** What the main process of a container was told, for commands that run beside it. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { declareFlag } from '../settings/declare-flag.ts';
import { flags } from '../settings/flags.ts';

type GivenFlags = Readonly<Record<string, unknown>>;

/**
 * Flags of the sandbox that is process 1, or is what an init of the container started: `docker run image --port 9000`
 * says nothing in the environment of a health check. Nothing where process 1 is something else.
 */
export function mainProcessFlags({ argv }: Pick<NodeJS.Process, 'argv'>): GivenFlags {
  return flagsIn(commandLine(), argv[1]);
}

/** Nothing on a machine that tells no such thing. */
function commandLine(): string {
  try {
    return readFileSync('/proc/1/cmdline', 'utf8');
  } catch {
    return '';
  }
}

/** Flags of a command line, its words ended by NUL, if it serves by this script. */
export function flagsIn(words: string, script: string | undefined): GivenFlags {
  const given = words.split('\0').slice(0, -1);
  const at = script === undefined ? -1 : given.indexOf(script);
  const [first = '', ...rest] = given.slice(at + 1);
  const isServe = first === 'serve';
  if (at === -1 || !(isServe || first.startsWith('-'))) return {};
  const command = new Command().helpOption(false).allowUnknownOption().allowExcessArguments();
  for (const flag of flags) declareFlag(command, flag);
  return command.parse(isServe ? rest : [first, ...rest], { from: 'user' }).opts();
}
