#!/usr/bin/env node
/** The command's entry: nothing is loaded before it is known that this Node can run it. Builds keep it apart. */
import { fileURLToPath } from 'node:url';
import { loadKept } from '../compiled/keep-compiled.ts';
import type * as command from './command.ts';
import { keepOnceStarted, verbOf } from './process/kept-run.ts';
import { nodeVersionProblem } from './process/node-version.ts';

const problem = nodeVersionProblem(process.versions.node);
if (problem === undefined) {
  const args = process.argv.slice(2);
  const bundle = fileURLToPath(new URL('command.cjs', import.meta.url));
  const { exports, keptAt, keep } = loadKept(bundle, verbOf(args));
  if (keptAt === 0 && keep !== undefined) keepOnceStarted(() => keep(1), args);
  const { runCommand } = exports as typeof command; // It is bundled from there.
  void runCommand(args);
} else {
  process.stderr.write(`card-vault-sandbox: ${problem}\n`);
  process.exitCode = 2;
}
