/** What can be asked of the command without starting anything. */
import { describe, expect, it } from 'vitest';
import { envNames, flags, flagWord } from '../../../src/cli/settings/flags.ts';
import { nodeMistake } from '../../../src/cli/process/node-version.ts';
import { defaultLimits } from '../../../src/sandbox/options.ts';
import { packageVersion } from '../../../src/shared/package-root.ts';
import { readText } from '../../support/source-files.ts';
import { runCli } from './cli-process.ts';

describe('--help', () => {
  it('names every flag, its default and its variables, in lines that fit a terminal', async () => {
    const { code, stdout, stderr } = await runCli(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    for (const flag of flags) {
      expect(stdout).toContain(`  ${flagWord(flag.name)} `);
      expect(stdout).toContain(envNames(flag).join(', '));
      if ('default' in flag) expect(stdout).toContain(`[default ${flag.default}]`);
    }
    expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  });

  it.each(['check', 'outcomes', 'health', 'wait', 'verdict', 'coverage', 'run', 'help'])(
    'of %s says what that does, in lines that fit a terminal',
    async (command) => {
      const { code, stdout } = await runCli([command, '--help']);
      expect(code).toBe(0);
      const [usage, , about] = stdout.split('\n');
      expect(usage).toContain(`card-vault-sandbox ${command} `);
      expect(about).toMatch(/^[A-Z]\w+ /);
      expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
    },
  );

  it.each(['health', 'wait', 'verdict'])(
    'of %s says whom it asks without a URL',
    async (command) => {
      const { stdout } = await runCli([command, '--help']);
      expect(stdout).toContain('Without a URL, it asks where a sandbox with the same environment');
    },
  );

  it.each(['check', 'health', 'wait', 'verdict', 'coverage', 'run'])(
    'of %s says when a script that calls it fails',
    async (command) => {
      const { stdout } = await runCli([command, '--help']);
      expect(stdout).toMatch(/exit\s+code/i);
    },
  );

  it('shows groups, examples and where the docs are', async () => {
    const { stdout } = await runCli(['help']);
    const headings = stdout.split('\n').filter((line) => /^\S.*:$/.test(line));
    expect(headings).toEqual([
      'Where it listens:',
      'What it starts with:',
      'How it behaves:',
      'How much it takes:',
      'What it prints:',
      'Other:',
      'Commands:',
      'Examples:',
    ]);
    expect(stdout).toContain('http://127.0.0.1:3000/docs');
  });

  it.each([
    ['serve', '--help'],
    ['serve', '-h'],
    ['help', 'serve'],
    ['--port', '1', '-h'],
  ])('is there for %s %s', async (...args) => {
    const { code, stdout } = await runCli(args);
    expect(code).toBe(0);
    expect(stdout).toContain('--clock-frozen');
  });

  it('shows the limits that the library has', () => {
    const shown = flags.flatMap(({ name, default: preset = '' }) =>
      name.startsWith('max') ? [[name, Number(preset.replaceAll(',', ''))]] : [],
    );
    expect(Object.fromEntries(shown)).toEqual(defaultLimits);
  });
});

describe('--version', () => {
  it.each([['--version'], ['-v'], ['serve', '--version']])('prints it for %s', async (...args) => {
    expect(await runCli(args)).toEqual({ code: 0, stdout: `${packageVersion()}\n`, stderr: '' });
  });
});

describe('the version of Node', () => {
  it.each(['18.20.4', '20.18.3'])('%s is refused', (version) => {
    expect(nodeMistake(version)).toContain(`Node ${version} is too old. Install Node 20.19`);
  });

  it.each(['20.19.0', '22.0.0', '26.10.0'])('%s is taken', (version) => {
    expect(nodeMistake(version)).toBeUndefined();
  });

  it('is that of package.json', () => {
    const manifest = readText('package.json');
    const [, least = ''] = /"node": ">=([\d.]+)"/.exec(manifest) ?? [];
    expect(nodeMistake(least)).toBeUndefined();
    const [major = 0, minor = 0] = least.split('.').map(Number);
    expect(nodeMistake(`${major}.${minor - 1}.0`)).toBeDefined();
  });

  it('is looked at before anything else', async () => {
    const pretend =
      "data:text/javascript,Object.defineProperty(process,'versions',{value:{...process.versions,node:'18.0.0'}})";
    const { code, stdout, stderr } = await runCli(['--port', '0'], { node: ['--import', pretend] });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^card-vault-sandbox: Node 18\.0\.0 is too old\..*\n$/);
  });
});
