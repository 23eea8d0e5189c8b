/** Runs once before all tests: a fresh build for the tests of what ships, a fresh folder for coverage marks. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

const sources = [
  'src',
  '.ci',
  'fixtures',
  'scenarios',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
];
const results = ['dist/cli.cjs', 'dist/index.js', 'dist/LICENSES.txt'];

const modifiedMs = (path: string) => statSync(path).mtimeMs;

/** Folders count too: their time changes when a file is removed. */
function newestMs(path: string): number {
  if (!statSync(path).isDirectory()) return modifiedMs(path);
  const inside = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return Math.max(modifiedMs(path), ...inside.map((entry) => modifiedMs(join(path, entry))));
}

function isBuilt(root: string, needsTypes: boolean): boolean {
  const files = needsTypes ? [...results, 'dist/index.d.ts'] : results;
  const paths = files.map((file) => join(root, file));
  if (!paths.every((path) => existsSync(path))) return false;
  const builtMs = Math.min(...paths.map(modifiedMs));
  return sources.every((source) => newestMs(join(root, source)) < builtMs);
}

export function setup(project: TestProject): () => void {
  const { root } = project.config;
  // Only tests of the package look at its types.
  const needsTypes = project.vitest.projects.some(({ name }) => name === 'compat');
  if (!isBuilt(root, needsTypes)) {
    const task = needsTypes ? 'unchecked' : 'untyped';
    execFileSync(process.execPath, ['.ci/build.mjs', task], { cwd: root, stdio: 'inherit' });
  }
  const marks = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-marks-'));
  // Every worker inherits it: tests note there what they have seen, `test/coverage.test.ts` reads it at the end.
  process.env['COVERAGE_MARKS'] = marks;
  return () => rmSync(marks, { recursive: true, force: true });
}
