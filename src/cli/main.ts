#!/usr/bin/env node
/** Entry of the command. It checks the version of Node before it loads anything else. */
import module from 'node:module';
import { nodeVersionProblem } from './process/node-version.ts';

const problem = nodeVersionProblem(process.versions.node);
if (problem === undefined) {
  // From Node 22.1 on, Node stores compiled code, which makes the next start faster.
  if ('enableCompileCache' in module && typeof module.enableCompileCache === 'function') {
    module.enableCompileCache();
  }
  void run();
} else {
  process.stderr.write(`card-vault-sandbox: ${problem}\n`);
  process.exitCode = 2;
}

async function run(): Promise<void> {
  const { runCommand } = await import('./command.ts');
  await runCommand(process.argv.slice(2));
}
