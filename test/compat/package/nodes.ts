/** What the package is tried on: this Node, and those, the Deno, the Bun, the Jest and the TypeScript that `.ci/package.mjs` has fetched. */
import { z } from 'zod';

const TriedNodes = z.array(z.object({ version: z.string(), path: z.string() }));

export type TriedNode = z.infer<typeof TriedNodes>[number];

export function nodesToTry(): readonly TriedNode[] {
  const here = { version: `${process.versions.node}, which runs this`, path: process.execPath };
  return [here, ...TriedNodes.parse(JSON.parse(process.env['TEST_NODES'] ?? '[]'))];
}

const TriedRuntimes = z.array(
  z.object({
    name: z.string(),
    version: z.string(),
    path: z.string(),
    /** Arguments before the program. */
    command: z.array(z.string()),
  }),
);

/** Deno and Bun: none where they were not fetched. */
export function runtimesToTry(): z.infer<typeof TriedRuntimes> {
  return TriedRuntimes.parse(JSON.parse(process.env['TEST_RUNTIMES'] ?? '[]'));
}

/** Paths of the command: none where it was not fetched. */
export function jestsToTry(): readonly string[] {
  return given('TEST_JEST');
}

/** Paths of an old compiler: none where it was not fetched. */
export function oldCompilersToTry(): readonly string[] {
  return given('TEST_TYPESCRIPT');
}

/** Paths of a registry for npm packages: none where it was not fetched. */
export function registriesToTry(): readonly string[] {
  return given('TEST_VERDACCIO');
}

/** Folders of the linter of workflow files: none where it was not fetched. */
export function workflowLintersToTry(): readonly string[] {
  return given('TEST_ACTIONLINT');
}

const given = (variable: string): readonly string[] =>
  [process.env[variable] ?? ''].filter((path) => path !== '');
