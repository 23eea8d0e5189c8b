/** The test runners that `init` writes a first test for, and how it finds the one of a project. */
import { javaScriptTest } from './javascript-test.ts';
import { pythonTest } from './python-test.ts';
import { shellTest } from './shell-test.ts';

/** What the project folder tells about its runner. */
export interface Project {
  /** Packages in package.json; `undefined` without a package.json. */
  readonly packages: ReadonlySet<string> | undefined;
  /** package.json has `"type": "module"`. */
  readonly isModule: boolean;
  /** Names of the files in the folder. */
  readonly files: ReadonlySet<string>;
}

/** A runner, and the first test for it. */
export interface TestRunner {
  readonly name: string;
  /** Whether the project uses it. */
  readonly isUsed: (project: Project) => boolean;
  readonly file: (project: Project) => string;
  readonly text: () => string;
  /** Runs the test, from the folder of the project. */
  readonly command: (path: string) => string;
  /** Packages that the test imports. */
  readonly needs: readonly string[];
  readonly mode?: number | undefined;
}

const uses =
  (name: string) =>
  ({ packages }: Project): boolean =>
    packages?.has(name) === true;

const pythonFiles = ['pyproject.toml', 'requirements.txt', 'setup.py', 'setup.cfg', 'pytest.ini'];

/** In the order in which `init` looks for them. The last one fits every project. */
export const testRunners: readonly TestRunner[] = [
  {
    name: 'vitest',
    isUsed: uses('vitest'),
    file: () => 'pays-once.test.mjs',
    text: () => javaScriptTest('vitest'),
    command: (path) => `npx vitest run ${path}`,
    needs: ['card-vault-sandbox', 'vitest'],
  },
  {
    name: 'jest',
    isUsed: uses('jest'),
    file: ({ isModule }) => (isModule ? 'pays-once.test.cjs' : 'pays-once.test.js'),
    text: () => javaScriptTest('jest'),
    command: (path) => `npx jest ${path}`,
    needs: ['card-vault-sandbox', 'jest'],
  },
  {
    name: 'playwright',
    isUsed: uses('@playwright/test'),
    file: () => 'pays-once.spec.mjs',
    text: () => javaScriptTest('playwright'),
    command: (path) => `npx playwright test ${path}`,
    needs: ['card-vault-sandbox', '@playwright/test'],
  },
  {
    name: 'node',
    isUsed: ({ packages }) => packages !== undefined,
    file: () => 'pays-once.test.mjs',
    text: () => javaScriptTest('node'),
    command: (path) => `node --test ${path}`,
    needs: ['card-vault-sandbox'],
  },
  {
    name: 'pytest',
    isUsed: ({ files }) => pythonFiles.some((file) => files.has(file)),
    file: () => 'test_pays_once.py',
    text: pythonTest,
    command: (path) => `npx card-vault-sandbox run -- python3 -m pytest ${path}`,
    needs: [],
  },
  {
    name: 'curl',
    isUsed: () => true,
    file: () => 'pays-once.sh',
    text: shellTest,
    command: (path) => `npx card-vault-sandbox run -- ./${path}`,
    needs: [],
    mode: 0o755,
  },
];
