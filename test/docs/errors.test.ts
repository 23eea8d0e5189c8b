/** The tables of errors in the documentation equal the code. UPDATE_DOCS=1 writes them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { remoteError } from '../../src/client/remote-error.ts';
import {
  controlProblems,
  serviceProblems,
  tokenProblems,
  type Problem,
} from '../../src/contract/problems.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { expectGenerated, table } from '../support/repository/documentation.ts';
import { filesIn } from '../support/repository/source-files.ts';

/** Codes that no control call answers with: who throws them, and when. */
const codesInCode = {
  'invalid-option': ['OptionError', 'an option of `createSandbox` or `listen` is wrong'],
  'cannot-listen': ['ListenError', 'a port is in use, or a certificate cannot be read'],
  'invalid-document': ['DocumentError', 'a file cannot be read or is not valid'],
  'invalid-allow-list': ['AllowListError', 'a line of `--allow-cards` is not a number or digest'],
  'invalid-coverage': ['CoverageError', 'a coverage file is not valid'],
  'verdict-failed': ['VerdictError', '`assertPassed` got a verdict that failed'],
  unreachable: ['SandboxError', '`connect` cannot reach the sandbox, or it is too slow'],
  'no-sandbox': ['SandboxError', 'something else answers at the address of `connect`'],
  'invalid-usage': ['UsageError', 'the command line is wrong: exit code 2'],
  'command-not-started': [
    'CommandStartError',
    '`run` cannot start the command: exit code 126, 127',
  ],
} as const satisfies Readonly<Record<string, readonly [error: string, when: string]>>;

/** The class that the client throws for a code. In process, the same class is thrown. */
function classOf(code: string): string {
  const verb = { on: 'merchant', http: 'GET /' } as const;
  return remoteError({ error: code, message: '' }, undefined, verb).name;
}

/** A row for each problem, by status. */
function problemRows(problems: Readonly<Record<string, Problem>>): string[][] {
  return Object.values(problems)
    .toSorted((a, b) => a.status - b.status || a.name.localeCompare(b.name))
    .map(({ status, name, message }) => [
      String(status),
      `\`${name}\``,
      message.replace('{}', '…'),
    ]);
}

const tables: Readonly<Record<string, string>> = {
  errors: table(['Status', 'Name', 'Message'], problemRows(serviceProblems)),
  'token-errors': table(['Status', 'Error', 'Description'], problemRows(tokenProblems)),
  'control-errors': table(
    ['Status', 'Code', 'When', 'Class in code'],
    Object.entries(controlProblems)
      .toSorted(([, a], [, b]) => a.status - b.status)
      .map(([code, { status, when }]) => [
        String(status),
        `\`${code}\``,
        when,
        `\`${classOf(code)}\``,
      ]),
  ),
  'code-errors': table(
    ['Code', 'When', 'Class'],
    Object.entries(codesInCode).map(([code, [name, when]]) => [`\`${code}\``, when, `\`${name}\``]),
  ),
};

it.each(Object.entries(tables))('the table of %s equals the code', (name, text) => {
  expectGenerated(name, text);
});

it('every code of a SandboxError is in a table', () => {
  const literal =
    /(?:\bsuper\(|\bsuper\(lines, |\bcode = |new (?:Sandbox|Merchant|Clock|Snapshot|ControlRequest)Error\()\s*'([a-z-]+)'/g;
  const used = filesIn('src').flatMap((path) =>
    [...readFileSync(join(packageRoot(), path), 'utf8').matchAll(literal)].map(
      ([, code = '']) => code,
    ),
  );
  const known = [...Object.keys(codesInCode), ...Object.keys(controlProblems)];
  expect(used.filter((code) => !known.includes(code))).toEqual([]);
  expect(Object.keys(codesInCode).filter((code) => !used.includes(code))).toEqual([]);
});
