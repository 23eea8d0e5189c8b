/** `verdict` and `coverage` against a running sandbox: output, report files and exit codes. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { printVerdicts } from '../../../../src/cli/commands/verdict.ts';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { verdictText } from '../../../../src/report/text.ts';
import { cardBody, paymentBody } from '../../../support/samples.ts';
import { runCli } from '../cli-process.ts';
import { folder, open } from '../judged-sandbox.ts';

async function post(sandbox: Sandbox, path: string, body: object, key: string): Promise<Response> {
  return sandbox.request(path, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${sandbox.token}`,
      'Content-Type': 'application/json',
      'PayPal-Request-Id': key,
    },
    body: JSON.stringify(body),
  });
}

/** The first answer is lost, and the retry uses another request id: the customer pays twice. */
async function payTwice(sandbox: Sandbox): Promise<void> {
  const stored = await post(sandbox, '/v1/vault/credit-cards', cardBody(), 'card-of-the-test');
  const { id } = (await stored.json()) as { readonly id: string };
  const body = paymentBody({ cardId: id });
  sandbox.force({ op: 'payment.create', outcome: 'reset-after-commit' });
  await post(sandbox, '/v1/payments/payment', body, 'one-of-the-keys').catch(() => undefined);
  await post(sandbox, '/v1/payments/payment', body, 'another-of-them');
}

describe('verdict', () => {
  it('explains how to pass the control token, as coverage does', async () => {
    const sandbox = createSandbox({ controlToken: 'kept-secret' });
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ port: 0 });
    const hint = 'Set CARD_VAULT_CONTROL_TOKEN, or name a file in';
    const env = { CARD_VAULT_CONTROL_TOKEN: 'kept-secret' };
    expect((await runCli(['verdict', '--help'])).stdout).toContain('CARD_VAULT_CONTROL_TOKEN');
    expect((await runCli(['verdict', '--help'])).stdout).not.toContain('Examples');
    for (const command of ['verdict', 'coverage']) {
      const refused = await runCli([command, url]);
      expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(hint)]);
      expect((await runCli([command, url], { env })).stderr).toBe('');
    }
  });

  it('does not judge a merchant that was only read by a verdict', async () => {
    const { sandbox, url } = await open();
    await post(sandbox, '/v1/vault/credit-cards', cardBody(), 'card-of-the-test');
    const mistyped = await runCli(['verdict', url, '--merchant', 'defualt']);
    expect(mistyped.code).toBe(1);
    expect(mistyped.stdout).toContain('FAILED defualt');
    const { code, stdout } = await runCli(['verdict', url]);
    expect(code).toBe(0);
    expect(stdout).not.toContain('defualt');
  });

  it('settles pending sales as far as --settle says, and shows them', async () => {
    const { sandbox, url } = await open();
    const stored = await post(sandbox, '/v1/vault/credit-cards', cardBody(), 'card-of-the-test');
    const { id } = (await stored.json()) as { readonly id: string };
    sandbox.force({ op: 'payment.create', outcome: 'sale-pending-then-completed' });
    await post(sandbox, '/v1/payments/payment', paymentBody({ cardId: id }), 'key-of-the-test');
    const settled = await runCli(['verdict', url]);
    expect(settled.stdout).toContain('Pending: 1 sale, counted as completed');
    const asItIs = await runCli(['verdict', url, '--settle', '0s']);
    expect(asItIs.stdout).toContain('\n  Pending: 1 sale, still pending (30.11 USD)\n');
  });

  it.each([
    [
      '--settle',
      '3 days',
      '--settle must be a duration, or 0s to settle nothing, got "3 days". Write a number with',
    ],
    ['--settle', '-1d', '--settle must be a duration'],
    ['--service-time', 'soon', '--service-time must be'],
  ])('refuses %s %j with what is allowed', async (flag, value, message) => {
    const { code, stderr } = await runCli(['verdict', 'http://127.0.0.1:9', flag, value]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  it('fails after a double charge, in every format', async () => {
    const { sandbox, url } = await open();
    await payTwice(sandbox);
    const at = folder();
    const files = ['json', 'junit', 'sarif'].flatMap((name) => [`--${name}`, join(at, name)]);
    const { code, stdout, stderr } = await runCli(['verdict', url, ...files]);
    expect([code, stderr]).toEqual([1, '']);
    expect(stdout).toContain('FAILED default');
    expect(stdout).toContain('CRITICAL double-charge');
    expect(stdout).toContain('USD: 60.22 charged, 0.00 returned, 60.22 kept');
    expect(stdout.split('\n').filter((line) => line.length > 100)).toEqual([]);
    // The output is not a terminal, so there are no colours.
    expect(stdout).not.toContain('\u001b');
    const written = (name: string): string => readFileSync(join(at, name), 'utf8');
    expect(JSON.parse(written('json'))).toMatchObject({
      passed: false,
      verdicts: [{ merchant: 'default', passed: false }],
    });
    expect(written('junit')).toMatch(
      /<testcase [^>]*name="critical double-charge: [^"]+" time="0">\n +<failure /,
    );
    expect(JSON.parse(written('sarif'))).toMatchObject({ version: '2.1.0' });
    expect(written('sarif')).toContain(
      '"text": "One purchase was charged or put on hold more than once, and the extra money was not returned."',
    );
  });

  it('writes a page with the coverage of the judged merchants', async () => {
    const { sandbox, url } = await open();
    await payTwice(sandbox);
    const path = join(folder(), 'verdict.html');
    const { code, stderr } = await runCli(['verdict', url, '--html', path]);
    expect([code, stderr]).toEqual([1, '']);
    const page = readFileSync(path, 'utf8');
    expect(page).toMatch(/<title>\S.*: verdict failed/);
    expect(page).toContain('<strong>3 %</strong> covered');
    const silent = ['--html', path, '--merchant', 'another-merchant'];
    expect((await runCli(['verdict', url, ...silent])).code).toBe(1);
    const failed = readFileSync(path, 'utf8');
    expect(failed).toContain('<title>another-merchant: verdict failed');
    expect(failed).not.toContain('covered');
    const lost = await runCli(['verdict', url, '--html', join(path, 'no-folder', 'page.html')]);
    expect([lost.code, lost.stderr]).toEqual([
      2,
      expect.stringContaining('Cannot write the report'),
    ]);
  });

  it('creates missing folders and writes every report that can be written', async () => {
    const { url } = await open();
    const at = folder();
    const file = join(at, 'a-file');
    writeFileSync(file, '');
    const under = (name: string): string => join(at, 'made', 'for it', name);
    const lost = [join(file, 'verdict.json'), join(file, 'verdict.sarif')];
    const flags = ['--json', ...lost.slice(0, 1), '--sarif', ...lost.slice(1)];
    const kept = ['--junit', under('verdict.xml'), '--html', under('verdict.html')];
    const { code, stdout, stderr } = await runCli(['verdict', url, ...flags, ...kept], {
      env: { GITHUB_ACTIONS: 'true' },
    });
    expect(code).toBe(2);
    expect(stdout).toContain('::error title=default%3A no-requests::');
    for (const path of lost) expect(stderr).toContain(`Cannot write the report ${path}`);
    expect(readFileSync(under('verdict.xml'), 'utf8')).toContain('<testsuites');
    expect(readFileSync(under('verdict.html'), 'utf8')).toContain('</html>');
  });

  it.each([0, undefined])('is 100 columns wide on a terminal that reports %s', async (columns) => {
    const { sandbox } = await open();
    await payTwice(sandbox);
    const verdicts = [await sandbox.verdict()];
    let text = '';
    const write = (part: string): boolean => (text += part) !== '';
    const stream = { columns, write } as NodeJS.WriteStream;
    printVerdicts(verdicts, 'text', { stream, env: {} });
    expect(text).toBe(`${verdictText(verdicts, 100)}\n`);
  });

  it('prints annotations for GitHub Actions', async () => {
    const { sandbox, url } = await open();
    await payTwice(sandbox);
    const { stdout } = await runCli(['verdict', url, '--format', 'github']);
    expect(stdout).toMatch(/^::error title=default%3A double-charge::/m);
  });

  it('passes without findings, and with suppressed findings', async () => {
    const { sandbox, url } = await open();
    await post(sandbox, '/v1/vault/credit-cards', cardBody(), 'card-of-the-test');
    expect((await runCli(['verdict', url])).code).toBe(0);
    await payTwice(sandbox);
    const accepted = ['double-charge', 'orphaned-charge', 'new-key-on-retry'];
    const suppress = accepted.flatMap((finding) => [
      '--suppress',
      `${finding}=it is what this run shows`,
    ]);
    const { code, stdout } = await runCli(['verdict', ...suppress, url]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringContaining(
        '\n  Suppressed double-charge, 1 finding: "it is what this run shows"\n',
      ),
    ]);
  });

  it('fails if no request arrived', async () => {
    const { url } = await open();
    const { code, stdout } = await runCli(['verdict', url]);
    expect([code, stdout.includes('sent no requests')]).toEqual([1, true]);
    expect((await runCli(['verdict', url, '--allow-no-requests'])).code).toBe(0);
  });

  it.each([
    [['--suppress', 'double-chrge=x'], 'Did you mean "double-charge"?'],
    [['--suppress', 'double-charge'], 'needs a reason'],
    [['--fail-on', 'hihg'], 'Did you mean "high"?'],
    [['--fail-on', 'low'], '--fail-on must be one of critical, high, medium, got "low".'],
    [['--merchant', 'a b'], '--merchant: A merchant id must be 1 to 128 letters'],
    [['--prefix', 'a b'], '--prefix: A merchant id must be 1 to 128 letters'],
    [['--suppres', 'double-charge=x'], '--suppress'],
    [['--format', 'xml'], 'must be one of text, json, junit, sarif, github'],
    [['--wait', 'soon'], '--wait must be a duration'],
  ])('refuses %j', async (flags, words) => {
    const { url } = await open();
    const { code, stderr } = await runCli(['verdict', url, ...flags]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });
});

describe('a file of suppressions', () => {
  const listed = (...rows: readonly string[]) =>
    ['suppress:', ...rows.map((row) => `  - ${row}`), ''].join('\n');

  function written(text: string): string {
    const path = join(folder(), 'accepted.yaml');
    writeFileSync(path, text);
    return path;
  }

  it('suppresses findings until their end date', async () => {
    const { sandbox, url } = await open();
    await payTwice(sandbox);
    const rows = ['double-charge', 'orphaned-charge', 'new-key-on-retry'].map(
      (rule) => `{ rule: ${rule}, reason: it is what this run shows, until: '9999-12-31' }`,
    );
    const current = written(listed(...rows));
    const { code, stdout } = await runCli(['verdict', url, '--suppressions', current]);
    expect([code, stdout.includes('suppressed')]).toEqual([0, true]);
    const expired = written(listed(...rows).replaceAll('9999', '2020'));
    expect((await runCli(['verdict', url, '--suppressions', expired])).code).toBe(1);
  });

  it.each([
    ['suppress: [', 'accepted.yaml:1:'],
    [listed('{ rule: double-chrge, reason: x }'), ':2:7 suppress[0].rule: must be one of'],
    [listed('{ rule: double-chrge, reason: x }'), 'Did you mean "double-charge"?'],
    [listed('{ rule: double-charge }'), 'suppress[0].reason: this key is missing.'],
    [
      listed("{ rule: double-charge, reason: x, until: '2026-02-30' }"),
      'until: must be a day such',
    ],
    [listed('{ rule: double-charge, reson: x }'), 'Did you mean "reason"?'],
    ['suppressions: []', 'suppressions: this key is not known here. Known: suppress.'],
    ['7', 'must be an object of keys and values'],
  ])('is refused if it is invalid: %j', async (text, words) => {
    const { code, stdout, stderr } = await runCli(['verdict', '--suppressions', written(text)]);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
  });

  it('is refused if it does not exist', async () => {
    const path = join(folder(), 'nothing.yaml');
    const { code, stderr } = await runCli(['verdict', '--suppressions', path]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(path)]);
  });
});

describe('coverage', () => {
  const coverage = (change: object) =>
    JSON.stringify({
      format: 'card-vault-sandbox/coverage',
      version: 1,
      operations: {},
      tried: {},
      ...change,
    });

  it('merges files and a sandbox, and fails below --min', async () => {
    const { sandbox, url } = await open();
    await payTwice(sandbox);
    const at = folder();
    const [first, both] = [join(at, 'made', 'first.json'), join(at, 'both.json')];
    const alone = await runCli(['coverage', '--url', url, '--out', first]);
    expect([alone.code, alone.stdout]).toEqual([0, expect.stringContaining('3 % covered')]);
    const { code, stderr } = await runCli([
      'coverage',
      first,
      '--url',
      url,
      '--out',
      both,
      '--min',
      '60',
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('--min requires 60 %')]);
    expect(JSON.parse(readFileSync(both, 'utf8'))).toMatchObject({
      operations: { 'payment.create': 4 },
      tried: { 'payment.create': { 'reset-after-commit': 2 } },
    });
  });

  it.each([
    [
      '{"format":"card-vault-sandbox/coverage","version":1,"operations":{},"tried":{"payment.create":{"reset-after-comit":1}}}',
      'Did you mean "reset-after-commit"?',
    ],
    ['{"format":"other"}', 'format: must be "card-vault-sandbox/coverage".'],
    [coverage({ version: 2 }), 'version: must be 1.'],
    [coverage({ operations: { 'payment.creat': 1 } }), 'Did you mean "payment.create"?'],
    [coverage({ tried: { 'sale.refnd': { ok: 1 } } }), 'Did you mean "sale.refund"?'],
    [coverage({ operations: { 'payment.create': -1 } }), 'payment.create: must be 1 or more.'],
    [coverage({ operations: { 'payment.create': 1.5 } }), 'must be a whole number.'],
    [coverage({ operations: [] }), 'operations: must be an object of keys and values.'],
    [coverage({ operation: {} }), 'Did you mean "operations"?'],
    ['[]', 'must be an object of keys and values.'],
    ['', ':1:1 format: this key is missing. It must be "card-vault-sandbox/coverage".'],
    ['{', ':1:'],
  ])('refuses an invalid file: %s', async (text, words) => {
    const path = join(folder(), 'broken.json');
    writeFileSync(path, text);
    const { code, stderr } = await runCli(['coverage', path]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(words)]);
  });

  it('refuses files that it cannot read or write', async () => {
    const at = folder();
    for (const path of [at, join(at, 'nothing.json')]) {
      const { code, stderr } = await runCli(['coverage', path]);
      expect([code, stderr]).toEqual([2, expect.stringContaining(`${path}: cannot be read (`)]);
    }
    const good = join(at, 'good.json');
    writeFileSync(good, coverage({}));
    const { code, stderr } = await runCli(['coverage', good, '--out', at]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`Cannot write the report ${at}`)]);
  });

  it.each(['101', '-1', '60.5', '1e2', 'most', ''])('refuses --min %j', async (min) => {
    // The message comes before any request to a sandbox.
    const { code, stdout, stderr } = await runCli(['coverage', `--min=${min}`]);
    const words = `--min must be a whole number from 0 to 100, got ${JSON.stringify(min)}.`;
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(words)]);
  });
});
