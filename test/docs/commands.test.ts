/** The commands in the documentation are those of the program. UPDATE_DOCS=1 writes them. */
import { expect, it } from 'vitest';
import { createProgram } from '../../src/cli/command.ts';
import { expectGenerated, table } from '../support/repository/documentation.ts';

const { commands } = createProgram([]);

it('lists every command', () => {
  const rows = commands.map((command) => {
    const words = ['card-vault-sandbox', command.name(), command.usage().replace('[options]', '')];
    return [`\`${words.join(' ').replaceAll(/\s+/g, ' ').trim()}\``, command.summary()];
  });
  expectGenerated('commands', table(['Command', 'What it does'], rows));
});

/** What `--help` prints on a terminal with 80 columns. */
function helpOf(name: string): string {
  const command = createProgram([name]).commands.find((found) => found.name() === name);
  let text = '';
  command?.configureOutput({ writeOut: (part) => (text += part), getOutHelpWidth: () => 80 });
  command?.outputHelp();
  expect(text).toContain('Usage');
  return text.trim();
}

it('shows the help of every command', () => {
  // The options of serve have a table of their own.
  const names = commands
    .map((command) => command.name())
    .filter((name) => !['serve', 'help'].includes(name));
  const parts = names.map((name) => `### ${name}\n\n\`\`\`text\n${helpOf(name)}\n\`\`\``);
  expectGenerated('command-helps', parts.join('\n\n'));
});
