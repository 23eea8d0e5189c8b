/** Help, version and the check of the Node version. */
import { describe, expect, it } from 'vitest';
import { envNames, flags, flagWord } from '../../../../src/cli/settings/flags.ts';
import { nodeVersionProblem } from '../../../../src/cli/process/node-version.ts';
import { defaultLimits } from '../../../../src/sandbox/options.ts';
import { packageVersion } from '../../../../src/shared/package-root.ts';
import { readText } from '../../../support/repository/source-files.ts';
import { runCli } from '../cli-process.ts';

/** The lines that do not fit a terminal. */
const wideLines = (text: string) => text.split('\n').filter((line) => line.length > 80);

describe('--help', () => {
  it.each([[['--help']], [['-h']], [['help']], [['--port', '1', '-h']]])(
    'lists the commands and the common options for %j',
    async (args) => {
      const { code, stdout, stderr } = await runCli(args);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      const headings = stdout.split('\n').filter((line) => /^[A-Z][a-z ]+$/.test(line));
      expect(headings).toEqual(['Usage', 'Commands', 'Common options']);
      for (const command of ['serve', 'run -- <command>', 'verdict [address]', 'check <files>']) {
        expect(stdout).toContain(`\n  ${command} `);
      }
      expect(stdout).toContain('--port <number>');
      expect(wideLines(stdout)).toEqual([]);
    },
  );

  it.each([
    ['serve', '--help'],
    ['serve', '-h'],
    ['help', 'serve'],
  ])('names every option of serve for %s %s', async (...args) => {
    const { code, stdout, stderr } = await runCli(args);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const flag of flags) {
      expect(stdout).toContain(`  ${flagWord(flag.name)} `);
      expect(stdout).toContain(envNames(flag).join(', '));
      if ('default' in flag) expect(stdout).toContain(`(default ${flag.default})`);
    }
    expect(wideLines(stdout)).toEqual([]);
  });

  it.each(['check', 'outcomes', 'health', 'wait', 'verdict', 'coverage', 'run', 'help'])(
    'describes %s in lines that fit a terminal',
    async (command) => {
      const { code, stdout } = await runCli([command, '--help']);
      expect(code).toBe(0);
      expect(stdout).toMatch(new RegExp(`^card-vault-sandbox ${command}: [a-z]\\w+ `));
      expect(stdout).toContain(`\n\nUsage\n  card-vault-sandbox ${command} `);
      expect(wideLines(stdout)).toEqual([]);
    },
  );

  it.each(['health', 'wait', 'verdict'])(
    'explains which sandbox %s uses without an address',
    async (command) => {
      const { stdout } = await runCli([command, '--help']);
      expect(stdout).toContain('Without one, the command uses the address');
    },
  );

  it.each([
    ['check', ['0', '1']],
    ['health', ['0', '1']],
    ['wait', ['0', '1']],
    ['verdict', ['0', '1', '2']],
    ['coverage', ['0', '1', '2']],
    ['run', ['0', '1', '2', '126', '127', '128']],
  ])('explains the exit codes of %s', async (command, codes) => {
    const { stdout } = await runCli([command, '--help']);
    const [, notes = ''] = stdout.split('\nExit code\n');
    expect([...new Set(notes.match(/\d+/g))].toSorted((a, b) => Number(a) - Number(b))).toEqual(
      codes,
    );
  });

  it('shows groups, examples and the address of the API documentation for serve', async () => {
    const { stdout } = await runCli(['help', 'serve']);
    const headings = stdout.split('\n').filter((line) => /^[A-Z][a-z ]+$/.test(line));
    expect(headings).toEqual([
      'Usage',
      'Listening',
      'Starting data',
      'Behaviour',
      'Limits',
      'Output',
      'Other',
      'Examples',
    ]);
    expect(stdout).toContain('http://127.0.0.1:3000/docs');
  });

  it('shows the limits of the library', () => {
    const shown = flags.flatMap(({ name, default: preset = '' }) =>
      name.startsWith('max') ? [[name, Number(preset.replaceAll(',', ''))]] : [],
    );
    expect(Object.fromEntries(shown)).toEqual(defaultLimits);
  });
});

describe('--version', () => {
  it.each([['--version'], ['-v'], ['serve', '--version']])(
    'prints the version for %s',
    async (...args) => {
      expect(await runCli(args)).toEqual({ code: 0, stdout: `${packageVersion()}\n`, stderr: '' });
    },
  );
});

describe('the version of Node', () => {
  it.each(['18.20.4', '20.18.3'])('refuses %s', (version) => {
    expect(nodeVersionProblem(version)).toContain(`Node ${version} is too old. Install Node 20.19`);
  });

  it.each(['20.19.0', '22.0.0', '26.10.0'])('accepts %s', (version) => {
    expect(nodeVersionProblem(version)).toBeUndefined();
  });

  it('equals the minimum in package.json', () => {
    const manifest = readText('package.json');
    const [, least = ''] = /"node": ">=([\d.]+)"/.exec(manifest) ?? [];
    expect(nodeVersionProblem(least)).toBeUndefined();
    const [major = 0, minor = 0] = least.split('.').map(Number);
    expect(nodeVersionProblem(`${major}.${minor - 1}.0`)).toBeDefined();
  });

  it('is checked first', async () => {
    const pretend =
      "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.0.0'}})";
    const { code, stdout, stderr } = await runCli(['--port', '0'], { node: ['--import', pretend] });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^card-vault-sandbox: Node 18\.0\.0 is too old\..*\n$/);
  });
});
