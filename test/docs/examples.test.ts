/** Runs the examples of the documentation as they are written, each with a fresh sandbox. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, it, onTestFinished } from 'vitest';
import { brands } from '../../src/domain/card/brand.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { blocksOf, pages, readPage, type Block } from '../support/repository/documentation.ts';
import { freePorts } from '../support/free-port.ts';
import { rawPaymentBody } from '../support/samples.ts';
import { filesIn, readText, root } from '../support/repository/source-files.ts';

/** How a block of a language is run: the file to write, and the command for it. */
const languages: Readonly<Record<string, { file: string; command: readonly string[] }>> = {
  sh: { file: 'example.sh', command: ['bash', '-eu'] },
  js: { file: 'example.mjs', command: ['node', '--no-deprecation'] },
  py: { file: 'example.py', command: ['python3', '-B'] },
  php: { file: 'example.php', command: ['php'] },
  rb: { file: 'example.rb', command: ['ruby'] },
  go: { file: 'example.go', command: ['go', 'run'] },
  yaml: { file: 'example.yaml', command: ['card-vault-sandbox', 'check'] },
  java: { file: 'Example.java', command: ['java'] },
};

const blocks = pages.flatMap(blocksOf);

interface Example extends Block {
  readonly condition: string | undefined;
  /** What it prints, in this order: the texts after an arrow in its comments, or the lines of the block below. */
  readonly printed: readonly string[];
  /** The block below, if it is JSON. */
  readonly json: string | undefined;
}

const examples = blocks.flatMap((block, index): Example[] => {
  if (block.mark.kind !== 'run') return [];
  const next = blocks[index + 1];
  const output = next?.mark.kind === 'output' ? next : undefined;
  return [
    {
      ...block,
      condition: block.mark.condition,
      printed: [
        ...[...block.code.matchAll(/(?:#|\/\/) → (.+)$/gm)].map(([, text = '']) => text),
        ...(block.language === 'yaml' ? ['1 file is valid.'] : []),
        ...(output?.language === 'text' ? output.code.trimEnd().split('\n') : []),
      ],
      json: output?.language === 'json' ? output.code : undefined,
    },
  ];
});

/** A folder with the package, its command and what the examples name. */
function openFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-examples-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '.bin'), { recursive: true });
  symlinkSync(root, join(modules, 'card-vault-sandbox'), 'junction');
  symlinkSync(join(root, 'dist/cli.cjs'), join(modules, '.bin', 'card-vault-sandbox'));
  for (const name of ['paypal-rest-sdk', 'undici']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name), 'junction');
  }
  copyFileSync(join(root, 'scenarios', 'lost-answer.yaml'), join(folder, 'my-scenario.yaml'));
  return folder;
}

/** The environment of an example, with the command of the package in its path. It runs in no worker of a test runner. */
const environment = (folder: string): NodeJS.ProcessEnv => ({
  ...process.env,
  VITEST_WORKER_ID: undefined,
  PATH: `${join(folder, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`,
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
});

/** Runs a program to its end. Its process group ends with the test, should it leave a sandbox behind. */
async function outputOf([program = '', ...args]: readonly string[], cwd: string): Promise<string> {
  const child = spawn(program, args, {
    cwd,
    env: environment(cwd),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(`${program} did not start.`);
  onTestFinished(() => {
    spawnSync('bash', ['-c', `kill -TERM -- -${pid}`]);
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  }
  const [code] = (await once(child, 'close')) as [unknown];
  expect(code, texts.stdout + texts.stderr).toBe(0);
  return texts.stdout;
}

/** Whether a command succeeds on this machine. Each is asked once. */
const answers = new Map<string, boolean>();
function succeeds(command: string, env: NodeJS.ProcessEnv): boolean {
  const known = answers.get(command) ?? spawnSync('bash', ['-c', command], { env }).status === 0;
  answers.set(command, known);
  return known;
}

const missing = new Set<string>();
function skipWithout(needs: string, skip: () => void): void {
  if (!missing.has(needs)) {
    missing.add(needs);
    process.stdout.write(`Examples of the documentation did not run: they need ${needs}.\n`);
  }
  skip();
}

describe('the examples of the documentation', () => {
  it.for(examples)('$page:$line runs', async (example, { skip }) => {
    const language = languages[example.language];
    if (language === undefined) throw new Error(`No program runs "${example.language}".`);
    const [program = '', ...options] = language.command;
    const folder = openFolder();
    const env = environment(folder);
    if (!succeeds(`command -v ${program}`, env)) return skipWithout(program, skip);
    const { code, condition, printed, json } = example;
    if (condition !== undefined && !succeeds(condition, env)) {
      return skipWithout(`what "${condition}" looks for`, skip);
    }
    const states = printed.length > 0 || json !== undefined || code.includes('node:assert');
    expect(states, 'it states what it prints, or asserts it').toBe(true);

    const sandbox = createSandbox({ seed: 'documentation' });
    onTestFinished(() => sandbox.close());
    const { port } = await sandbox.listen({ port: 0 });
    const others = await freePorts(2);
    const pasted = code
      .replaceAll('localhost:3000', `127.0.0.1:${port}`)
      .replaceAll('port: 3000', `port: ${port}`)
      .replaceAll(/(localhost:|port )4000\b/g, `$1${others[0]}`)
      .replaceAll(/(localhost:|port )4443\b/g, `$1${others[1]}`);
    writeFileSync(join(folder, language.file), pasted);
    const stdout = await outputOf([program, ...options, language.file], folder);
    expectInOrder(stdout, printed);
    await expectRulesToFire(sandbox);
    if (json !== undefined) {
      // Each answer has its own debug id.
      const shown: unknown = { ...JSON.parse(json), debug_id: expect.any(String) };
      expect(JSON.parse(stdout)).toEqual(shown);
    }
  });

  it.each(
    [...readPage('docs/reference/test-cards.md').matchAll(/^\| (\w+) +\| (\d{12,19}) +\|$/gm)].map(
      ([, brand, pan]) => ({ brand, pan }),
    ),
  )('stores the test card $brand $pan', async ({ brand, pan }) => {
    const sandbox: Sandbox = createSandbox();
    expect(brands).toContain(brand);
    const answer = await sandbox.request('/v1/vault/credit-cards', {
      method: 'POST',
      headers: { Authorization: `Bearer ${sandbox.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ number: pan, type: brand, expire_month: 11, expire_year: 2099 }),
    });
    expect(answer.status).toBe(201);
  });
});

describe('the code blocks of the documentation', () => {
  const place = ({ page, line }: Block): string => `${page}:${line}`;

  it('are all run, read by a test, generated, or marked with the reason why not', () => {
    expect(blocks.filter(({ mark }) => mark.kind === 'none').map(place)).toEqual([]);
  });

  it('have names that a test reads', () => {
    const tests = filesIn('test')
      .filter((path) => path.endsWith('.ts'))
      .map(readText)
      .join('\n');
    const unread = blocks.filter(
      ({ mark }) =>
        mark.kind === 'named' &&
        !tests.includes(`'${mark.name}'`) &&
        !tests.includes(`  ${mark.name}: {`),
    );
    expect(unread.map(place)).toEqual([]);
  });
});

/** Pays three times. Then no rule for payments that an example armed may be left that never fired. */
async function expectRulesToFire(sandbox: Sandbox): Promise<void> {
  const merchant = sandbox.merchant('my-shop');
  const unfired = () =>
    merchant.unfired().filter(({ operations }) => operations.includes('payment.create'));
  if (unfired().length === 0) return;
  for (let payment = 1; payment <= 3; payment++) {
    await merchant
      .fetch('http://sandbox.local/v1/payments/payment', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(rawPaymentBody({}, { transaction: { custom: 'A-7' } })),
      })
      .catch(() => 'lost');
  }
  expect(unfired()).toEqual([]);
}

/** Expects a text to contain these, one after the other. */
function expectInOrder(text: string, parts: readonly string[]): void {
  let from = 0;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    expect(at, `"${part}" in this order in:\n${text}`).not.toBe(-1);
    from = at + part.length;
  }
}
