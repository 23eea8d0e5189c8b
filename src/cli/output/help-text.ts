/** Help for the program and for each command. */
import type { Command, Help, Option } from 'commander';
import { envNames, flags, flagWord, type Flag, type FlagName } from '../settings/flags.ts';

export const programName = 'card-vault-sandbox';

const programSummary = 'a local card vault and payments API that fails on purpose';

const commandWidth = 17;
const optionWidth = 22;

/** Options that most people need, shown in the help of the program. */
const commonFlags: readonly FlagName[] = ['port', 'fixtures', 'scenario', 'seed', 'quiet'];

/** The text of a flag, and below it its default and its environment variables. */
export function describeFlag(flag: Flag): string {
  const preset = flag.default === undefined ? '' : `(default ${flag.default}) `;
  return `${flag.text}\n${preset}${envNames(flag).join(', ')}`;
}

/** The help of the program: its commands and the most common options. */
export function programHelp(program: Command, help: Help): string {
  const commands = program.commands.map((command) => {
    const usage = command.usage().replace('[options]', '').replaceAll(/\s+/g, ' ').trim();
    return help.formatItem(`${command.name()} ${usage}`, commandWidth, command.summary(), help);
  });
  const common = flags.filter(({ name }) => commonFlags.includes(name));
  const options = common.map((flag) => {
    const preset = flag.default === undefined ? '' : ` (default ${flag.default})`;
    const word = `${flagWord(flag.name)} ${flag.value ?? ''}`;
    return help.formatItem(word, optionWidth, flag.text.replace(/\.$/, '') + preset, help);
  });
  for (const { flags: word, description } of help.visibleOptions(program)) {
    options.push(help.formatItem(word, optionWidth, description.replace(/\.$/, ''), help));
  }
  return `${programName}: ${programSummary}

Usage
  ${programName} [command] [options]

Commands
${commands.join('\n')}

Common options
${options.join('\n')}

Run "${programName} <command> --help" for all options of a command.
`;
}

/** The help of one command: what it does, how to call it, and its options by group. */
export function commandHelp(command: Command, help: Help): string {
  const width = help.padWidth(command, help);
  const groups = help.groupItems([], help.visibleOptions(command), (option) => {
    return option.helpGroupHeading ?? (command.name() === 'serve' ? 'Other' : 'Options');
  });
  const options = [...groups].map(([title, group]) => {
    const rows = group.map((option) => {
      return help.formatItem(option.flags, width, describeOption(option), help);
    });
    return `\n${title}\n${rows.join('\n')}\n`;
  });
  const summary = command.summary();
  const title = `${command.name()}: ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
  return `${help.boxWrap(`${programName} ${title}`, help.helpWidth ?? 80)}

Usage
  ${programName} ${command.name()} ${command.usage()}
${options.join('')}`;
}

/** The text of an option, with its default as the flags of `serve` show theirs. */
function describeOption({ description, defaultValue }: Option): string {
  return typeof defaultValue === 'string'
    ? `${description} (default ${defaultValue})`
    : description;
}

export const serveNotes = `
An option has precedence over its environment variable. In the environment, a
switch is true or false. --no-quiet and the like switch off what is on there.

Examples
  ${programName}
      Port 3000, with a card of every brand and a payment in every state.
  ${programName} --seed checkout \\
    --clock-start 2030-01-02T03:04:05Z --clock-frozen
      The same answers to the same requests, byte for byte.
  PORT=8080 ${programName} --fixtures ./shop.yaml --log-format json
      Your own cards and payments, and logs in JSON.

API documentation: http://127.0.0.1:3000/docs while the sandbox runs.`;

export const addressNotes = `
An address is a port, host:port or a URL: 3000, vault:3000, https://vault:3443.
Without one, the command uses the address at which a sandbox with the same
environment variables would listen. In a container, it uses the sandbox there.`;

export const tokenNotes = `
If the sandbox has a control token, set CARD_VAULT_CONTROL_TOKEN, or name a file
in CARD_VAULT_CONTROL_TOKEN_FILE.`;

/** The section that says when a script sees a failure. */
export function exitCodeNotes(...lines: readonly string[]): string {
  return ['', 'Exit code', ...lines.map((line) => `  ${line}`)].join('\n');
}
