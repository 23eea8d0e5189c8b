/** README's examples are run as written, and its tables are made from the contract. */
import { execFile, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { flags, flagWord } from '../../src/cli/settings/flags.ts';
import { controlRoutes } from '../../src/contract/control/routes.ts';
import { findingIdsByGroup, type FindingId } from '../../src/contract/finding-ids.ts';
import { operationNames, operations } from '../../src/contract/service/operations.ts';
import { problems } from '../../src/contract/problems.ts';
import { decisions } from '../../src/control/decisions.ts';
import { brands } from '../../src/domain/card/brand.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { metricRows } from '../../src/metrics/rows.ts';
import { catalogue } from '../../src/outcomes/catalogue.ts';
import { packageRoot } from '../../src/shared/package-root.ts';
import { listShippedScenarios } from '../../src/scenarios/load.ts';
import type { FindingRule } from '../../src/verdict/findings/finding-rule.ts';
import { findingRules } from '../../src/verdict/findings/finding-rules.ts';
import { expectPart, expectReadmePart, readmePath, table } from '../support/readme-part.ts';

const run = promisify(execFile);

function ruleOf(id: FindingId): FindingRule {
  return findingRules.find((rule) => rule.id === id) ?? expect.fail(`No rule finds ${id}.`);
}

const readme = readFileSync(readmePath, 'utf8');
const scenariosPath = join(packageRoot(), 'scenarios', 'README.md');

/** Fenced blocks marked to be run, by language. */
function examples(language: string): string[] {
  const fence = new RegExp(`<!-- run -->\\n\\n\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'g');
  const pages = readme + readFileSync(scenariosPath, 'utf8');
  return [...pages.matchAll(fence)].map(([, code = '']) => code);
}

describe('README examples', () => {
  let sandbox: Sandbox;
  let port: number;
  let folder: string;

  beforeAll(async () => {
    sandbox = createSandbox({ seed: 'readme' });
    port = (await sandbox.listen({ port: 0 })).port;
    folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-readme-'));
    mkdirSync(join(folder, 'node_modules'));
    copyFileSync(
      join(packageRoot(), 'scenarios', 'lost-answer.yaml'),
      join(folder, 'my-scenario.yaml'),
    );
    symlinkSync(packageRoot(), join(folder, 'node_modules', 'card-vault-sandbox'), 'junction');
    symlinkSync(
      join(packageRoot(), 'node_modules', 'paypal-rest-sdk'),
      join(folder, 'node_modules', 'paypal-rest-sdk'),
      'junction',
    );
  });

  afterAll(async () => {
    await sandbox.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const here = (code: string): string =>
    code
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      .replaceAll('port: 3000', `port: ${port}`);

  const hasCurl = spawnSync('curl', ['--version']).status === 0;
  if (!hasCurl) process.stdout.write('README curl lines were not run: this machine has no curl.\n');

  it.runIf(hasCurl).each(examples('sh'))('curl lines answer in the contract: %#', async (code) => {
    const { stdout } = await run('bash', ['-euc', here(code)], { cwd: folder });
    const answers = stdout.replaceAll('}{', '}\n{').split('\n');
    for (const answer of answers) expect(JSON.parse(answer)).toBeTypeOf('object');
    expect(answers.length).toBe(code.split('\n').filter((line) => line.startsWith('curl')).length);
  });

  it.each(examples('js'))('code runs: %#', async (code) => {
    const file = join(folder, 'example.mjs');
    writeFileSync(file, here(code));
    const { stdout } = await run(process.execPath, ['--no-deprecation', file]);
    expect(stdout).toMatch(/completed|CARD-/);
  });

  it('has examples of both kinds', () => {
    expect(examples('sh').length).toBeGreaterThanOrEqual(2);
    expect(examples('js').length).toBeGreaterThanOrEqual(2);
  });

  it.each(
    [...readme.matchAll(/^\| (\w+) +\| (\d{12,19}) +\|$/gm)].map(([, brand, pan]) => ({
      brand,
      pan,
    })),
  )('test card is stored: $brand $pan', async ({ brand, pan }) => {
    expect(brands).toContain(brand);
    const answer = await sandbox.request('/v1/vault/credit-cards', {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ number: pan, type: brand, expire_month: 11, expire_year: 2099 }),
    });
    expect(answer.status).toBe(201);
  });
});

/** What the README has below its first example. */
const sections = [...readme.replaceAll(/```[\s\S]*?```/g, '').matchAll(/^## (.+)$/gm)]
  .map(([, title = '']) => title)
  .filter((title) => title !== 'Thirty seconds');

const anchorOf = (title: string): string => title.toLowerCase().replaceAll(' ', '-');

/** Of nearly all operations those that are left out. */
function namesOf(patterns: readonly string[]): string {
  if (patterns.length <= operationNames.length / 2) return patterns.join(', ');
  const left = operationNames.filter((name) => !patterns.includes(name));
  return `any but ${left.join(' and ')}`;
}

it('the outcomes are listed (UPDATE_README=1 makes the table anew)', () => {
  expectPart(
    scenariosPath,
    'outcomes',
    table(
      ['Outcome', 'Operations', 'What is committed', 'On the wire', 'A client may conclude'],
      catalogue.map(({ id, operations: on, commit, wire, concludes }) => [
        `\`${id}\``,
        namesOf(on),
        commit,
        wire,
        concludes,
      ]),
    ),
  );
});

it('the scenarios that ship are listed (UPDATE_README=1 makes the table anew)', () => {
  expectPart(
    scenariosPath,
    'scenarios',
    table(
      ['Scenario', 'What happens'],
      listShippedScenarios().map(({ name, about }) => [`[\`${name}\`](${name}.yaml)`, about]),
    ),
  );
});

describe('README tables', () => {
  const tables: Readonly<Record<string, string>> = {
    operations: table(
      ['Operation', 'Request', 'Answers'],
      Object.entries(operations).map(([name, { method, path, summary, responses }]) => [
        `${summary} (\`${name}\`)`,
        `\`${method.toUpperCase()} ${path}\``,
        Object.keys(responses).join(', '),
      ]),
    ),
    errors: table(
      ['Status', 'Name', 'Message'],
      Object.values(problems)
        .toSorted((a, b) => a.status - b.status || a.name.localeCompare(b.name))
        .map(({ status, name, message }) => [
          String(status),
          `\`${name}\``,
          message.replace('{}', '…'),
        ]),
    ),
    flags: table(
      ['Flag', 'Default', 'Meaning'],
      flags.map(({ name, value, text, ...flag }) => [
        `\`${[flagWord(name), ...(value === undefined ? [] : [value])].join(' ').replaceAll('|', String.raw`\|`)}\``,
        'default' in flag ? `\`${flag.default}\`` : '',
        text,
      ]),
    ),
    control: table(
      ['Call', 'What it does'],
      Object.values(controlRoutes).map(({ method, path, summary }) => [
        `\`${method.toUpperCase()} ${path}\``,
        summary,
      ]),
    ),
    metrics: table(
      ['Metric', 'Type', 'Labels', 'What it says'],
      Object.values(metricRows).map(({ name, type, labels, help }) => [
        `\`${name}\``,
        type,
        labels.map((label) => `\`${label}\``).join(', '),
        help,
      ]),
    ),
    findings: table(
      ['Finding', 'Severity', 'What it looks for', 'What to do'],
      Object.entries(findingIdsByGroup).flatMap(([group, ids]) => [
        [`**${group}**`, '', '', ''],
        ...ids.map((id) => {
          const { severity, about, remedy } = ruleOf(id);
          return [`\`${id}\``, severity, about, remedy];
        }),
      ]),
    ),
    contents: `**Contents:** ${sections.map((title) => `[${title}](#${anchorOf(title)})`).join(' · ')}`,
    decisions: decisions.map(({ decision, where }) => `- ${decision} (\`${where}\`)`).join('\n'),
  };

  it.each(Object.entries(tables))(
    '%s: made from the contract (UPDATE_README=1 makes it anew)',
    (name, made) => {
      expectReadmePart(name, made);
    },
  );
});
