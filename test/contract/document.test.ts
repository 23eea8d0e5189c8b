/** The OpenAPI documents: complete, well made, and true where they show an example. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { operationNames } from '../../src/contract/service/operations.ts';
import { createSandbox } from '../../src/index.ts';
import {
  documentsOf,
  operationsIn,
  type Declared,
  type Document,
} from '../support/repository/documents.ts';
import { root } from '../support/repository/source-files.ts';

const redocly = join(
  dirname(createRequire(import.meta.url).resolve('@redocly/cli/package.json')),
  'bin',
  'cli.js',
);

/** What the linter says of a document; an empty text when it is content. */
function lint(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-lint-'));
  const path = join(folder, 'openapi.json');
  // One key a line, so that what the linter says names the place.
  writeFileSync(path, JSON.stringify(JSON.parse(text), null, 2));
  const run = spawnSync(
    process.execPath,
    [redocly, 'lint', path, '--config', '.ci/checks/redocly.yaml', '--format', 'stylish'],
    {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    },
  );
  rmSync(folder, { recursive: true });
  return run.status === 0 && !/\bwarning/i.test(run.stdout) ? '' : run.stdout + run.stderr;
}

const { service, control } = await documentsOf();

describe.each([
  ['service', service],
  ['control', control],
])('the %s document', (_name, { text, document }) => {
  const declared = operationsIn(document);

  it('passes the linter', () => {
    expect(lint(text)).toBe('');
  });

  it('declares the errors of each operation', () => {
    const silent = declared.filter(
      ({ operation }) => !Object.keys(operation.responses).some((status) => status.startsWith('4')),
    );
    expect(silent.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  it('requires every body, so that every body is validated', () => {
    const optional = declared.filter(({ operation }) => operation.requestBody?.required === false);
    expect(optional.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  it('shows an example of every body', () => {
    const bare = declared.filter(
      (one) =>
        one.operation.requestBody !== undefined && exampleBodyOf(document, one) === undefined,
    );
    expect(bare.map(({ operation }) => operation.operationId)).toEqual([]);
  });
});

describe('the service document', () => {
  const { document } = service;
  const declared = operationsIn(document);

  it('declares 400 for every operation, because any request may name an unknown outcome', () => {
    const silent = declared.filter(({ operation }) => !('400' in operation.responses));
    expect(silent.map(({ operation }) => operation.operationId)).toEqual([]);
  });

  it('names the problems of each status, and shows one as an example', () => {
    const shown = declared
      .filter(({ operation }) => operation.operationId !== 'token.create')
      .flatMap(({ operation }) =>
        Object.entries(operation.responses).flatMap(([status, { description, content }]) => {
          if (Number(status) < 400) return [];
          const example = content?.['application/json']?.example;
          const names = description.split(', ');
          return [{ place: `${operation.operationId} ${status}`, names, example }];
        }),
      );
    expect(shown.filter(({ names, example }) => !names.includes(example?.name ?? ''))).toEqual([]);
    const named = (place: string) => shown.find((one) => one.place === place)?.names;
    expect(named('card.list 400')).toEqual(['VALIDATION_ERROR', 'SANDBOX_OUTCOME_UNKNOWN']);
    expect(named('auth.void 400')).toContain('AUTHORIZATION_CANNOT_BE_VOIDED');
    expect(named('capture.refund 400')).not.toContain('TRANSACTION_REFUSED');
  });

  it('declares every operation once, with one spelling of the vault path', () => {
    const names = declared.map(({ operation }) => operation.operationId);
    expect(names.toSorted()).toEqual([...operationNames].toSorted());
    expect(Object.keys(document.paths).filter((path) => /credit-card(?!s)/.test(path))).toEqual([]);
  });

  it('declares no success for the operations that always refuse', () => {
    const hopeless = declared.filter(
      ({ operation }) => !Object.keys(operation.responses).some((status) => status.startsWith('2')),
    );
    expect(hopeless.map(({ operation }) => operation.operationId)).toEqual([
      'payment.execute',
      'auth.reauthorize',
    ]);
  });

  it.each(declared.map((one) => [one.operation.operationId, one] as const))(
    'shows a request for %s that works in a fresh sandbox',
    async (name, one) => {
      const sandbox = createSandbox({ clock: { start: '2026-05-06T07:08:09Z', frozen: true } });
      const body = exampleBodyOf(document, one);
      const response = await sandbox.request(examplePathOf(one), {
        method: one.method.toUpperCase(),
        headers: headersOf(sandbox.token, one),
        ...(body === undefined ? {} : { body: encoded(one, body) }),
      });
      const refusal = await response.text();
      const always = alwaysRefused.get(name);
      if (always !== undefined) expect(refusal).toContain(always);
      else expect(response.ok, refusal).toBe(true);
    },
  );
});

/** The error of an operation that always refuses. */
const alwaysRefused: ReadonlyMap<string, string> = new Map([
  ['payment.execute', 'PAYMENT_ALREADY_DONE'],
  ['auth.reauthorize', 'DCC_REAUTHORIZATION_NOT_ALLOWED'],
]);

function examplePathOf({ path, operation }: Declared): string {
  return operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((so, { name, schema }) => so.replace(`{${name}}`, String(schema.example)), path);
}

function exampleBodyOf(document: Document, { operation }: Declared): unknown {
  const [content] = Object.values(operation.requestBody?.content ?? {});
  const schema = content?.schema.$ref.split('/').at(-1) ?? '';
  return document.components.schemas[schema]?.example;
}

function isForm({ operation }: Declared): boolean {
  return 'application/x-www-form-urlencoded' in (operation.requestBody?.content ?? {});
}

function headersOf(token: string, one: Declared): Record<string, string> {
  return isForm(one)
    ? {
        Authorization: `Basic ${btoa('shop:secret')}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      }
    : { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
}

function encoded(one: Declared, body: unknown): string {
  return isForm(one)
    ? new URLSearchParams(Object.entries(Object(body))).toString()
    : JSON.stringify(body);
}
