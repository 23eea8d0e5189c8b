/** `init`: starts a folder with fixtures, a scenario, a compose file and a first test. It asks nothing. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { describeReadFailure } from '../../documents/read-failure.ts';
import { didYouMean } from '../../shared/did-you-mean.ts';
import { packageVersion } from '../../shared/package-root.ts';
import { UsageError } from '../errors/usage-error.ts';
import { starterFiles, type StarterFile } from '../init/starter-files.ts';
import { testRunners, type Project, type TestRunner } from '../init/test-runners.ts';
import { makeFolder } from '../output/make-folder.ts';

export interface InitFlags {
  readonly runner?: string;
}

const defaultFolder = 'card-vault';

/**
 * Writes the files that do not exist yet, and prints what to do next.
 *
 * @throws {UsageError} If the runner is unknown or a file cannot be written.
 */
export function initProject(
  folder = defaultFolder,
  { runner: name }: InitFlags,
  program: NodeJS.Process,
): void {
  const project = readProject(program.cwd());
  const runner = name === undefined ? foundRunner(project) : runnerNamed(name);
  const files = filesFor(folder, project, runner);
  const states = files.map((file) => ({ file, isNew: writeNew(join(folder, file.path), file) }));
  const width = Math.max(...files.map(({ path }) => path.length));
  const rows = states.map(
    ({ file, isNew }) =>
      `  ${file.path.padEnd(width)}  ${isNew ? file.about : 'kept: it exists already'}`,
  );
  const steps = nextSteps(folder, project, runner);
  program.stdout.write(`${folder}\n${rows.join('\n')}\n\nNext\n${steps.join('\n')}\n`);
}

function filesFor(folder: string, project: Project, runner: TestRunner): StarterFile[] {
  const schemas = join('node_modules', 'card-vault-sandbox');
  const fromFile = relative(join(folder, 'fixtures'), schemas).split(sep).join('/');
  const packagePath = project.packages === undefined ? undefined : fromFile;
  return [
    ...starterFiles({ packagePath, version: packageVersion() }),
    {
      path: runner.file(project),
      about: `a first test for ${runner.name}`,
      text: runner.text(),
      mode: runner.mode,
    },
  ];
}

function nextSteps(folder: string, project: Project, runner: TestRunner): string[] {
  const missing = runner.needs.filter((name) => project.packages?.has(name) !== true);
  const test = join(folder, runner.file(project)).split(sep).join('/');
  const steps = [
    ...(missing.length === 0
      ? []
      : [['install what the test imports', `npm install --save-dev ${missing.join(' ')}`]]),
    ['run the first test', runner.command(test)],
    ['start a sandbox with these files', `npx card-vault-sandbox --home ${folder}`],
    ['validate the scenarios', `npx card-vault-sandbox check ${folder}/scenarios`],
  ];
  return steps.map(([what = '', command = '']) => `  ${command}\n      ${what}`);
}

/** Writes a file that does not exist. Gives whether it did. */
function writeNew(path: string, { text, mode }: StarterFile): boolean {
  if (existsSync(path)) return false;
  try {
    makeFolder(dirname(path));
    // "wx" fails for a file that another program made in the meantime.
    writeFileSync(path, text, { flag: 'wx', mode });
    return true;
  } catch (error) {
    throw new UsageError(`Cannot write ${path}: it ${describeReadFailure(error)}`);
  }
}

function readProject(folder: string): Project {
  const files = new Set(readdirSync(folder));
  if (!files.has('package.json')) return { packages: undefined, isModule: false, files };
  const manifest = readManifest(join(folder, 'package.json'));
  const packages = [manifest.dependencies, manifest.devDependencies].flatMap(namesIn);
  return { packages: new Set(packages), isModule: manifest.type === 'module', files };
}

interface Manifest {
  readonly type?: unknown;
  readonly dependencies?: unknown;
  readonly devDependencies?: unknown;
}

function readManifest(path: string): Manifest {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path, 'utf8'));
    return typeof manifest === 'object' && manifest !== null ? manifest : {};
  } catch (error) {
    const why = error instanceof SyntaxError ? 'is not valid JSON.' : describeReadFailure(error);
    throw new UsageError(`${basename(path)} ${why}`);
  }
}

const namesIn = (packages: unknown): string[] =>
  typeof packages === 'object' && packages !== null ? Object.keys(packages) : [];

function foundRunner(project: Project): TestRunner {
  const runner = testRunners.find(({ isUsed }) => isUsed(project));
  if (runner === undefined) throw new Error('The last runner fits every project.');
  return runner;
}

function runnerNamed(name: string): TestRunner {
  const runner = testRunners.find((one) => one.name === name);
  if (runner !== undefined) return runner;
  const names = testRunners.map((one) => one.name);
  throw new UsageError(
    `--runner must be one of ${names.join(', ')}, got "${name}".${didYouMean(name, names)}`,
  );
}
