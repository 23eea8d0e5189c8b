#!/usr/bin/env node
/** The command's entry: nothing is loaded before it is known that this Node can run it. Builds keep it apart. */
import { keepCompiled } from './keep-compiled.ts';
import { nodeMistake } from './node-version.ts';

const mistake = nodeMistake(process.versions.node);
if (mistake === undefined) {
  keepCompiled();
  void import('./command.ts').then(({ runCommand }) => runCommand(process.argv.slice(2)));
} else {
  process.stderr.write(`card-vault-sandbox: ${mistake}\n`);
  process.exitCode = 2;
}
