/** `--scenario` applies to every merchant and after every reset; `--watch` reloads its rules. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect } from '../../../../src/index.ts';
import { rawPaymentBody } from '../../../support/samples.ts';
import { CliProcess } from '../cli-process.ts';

const declining = (outcome: string) => `scenario: mine
version: 1
about: Declines.
rules:
  - op: payment.create
    then: ${outcome}
`;

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-scenario-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
  const file = join(folder, 'mine.yaml');
  writeFileSync(file, text);
  return file;
}

/** Saves as editors do, so that a reader never sees a partial file. */
function save(file: string, text: string): void {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** Sends a payment and returns its `Sandbox-Outcome`. */
async function forcedOn(url: string, merchant: string, number?: string): Promise<string | null> {
  const answer = await fetch(`${url}/v1/payments/payment`, {
    method: 'POST',
    headers: { Authorization: `Bearer sandbox.${merchant}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(rawPaymentBody(number === undefined ? {} : { number })),
  });
  return answer.headers.get('sandbox-outcome');
}

describe('--scenario', () => {
  it('applies to every merchant, and again after a reset', async () => {
    const cli = new CliProcess([
      '--port',
      '0',
      '--scenario',
      fileWith(declining('decline-generic')),
    ]);
    const url = await cli.url();
    const sandbox = connect(url);
    expect(await sandbox.about()).toMatchObject({ scenario: 'mine' });
    for (const merchant of ['one', 'two']) {
      expect(await forcedOn(url, merchant)).toBe('decline-generic; by=scenario');
    }
    const one = sandbox.merchant('one');
    await one.playScenario('lost-answer');
    expect(await one.rules()).toMatchObject([{ nth: 1 }]);
    await one.reset();
    expect(await forcedOn(url, 'one')).toBe('decline-generic; by=scenario');
    await sandbox.all.reset();
    expect(await forcedOn(url, 'two')).toBe('decline-generic; by=scenario');
  });

  it('is shown in the banner and in the first log line', async () => {
    const pretty = new CliProcess(['--port', '0', '--scenario', 'hang', '--log-format', 'pretty']);
    await pretty.printed(/Scenario {2}hang\n/);
    const json = new CliProcess(['--port', '0', '--scenario', 'hang']);
    await json.printed(/"scenario":"hang"/);
    expect((await json.stop()).stderr).toBe('');
  });
});

describe('--watch', () => {
  it('reloads the rules on a save, keeps the rest, and keeps the old rules if the file is invalid', async () => {
    const file = fileWith(declining('decline-generic'));
    const cli = new CliProcess(['--port', '0', '--watch', '--scenario', file]);
    const url = await cli.url();
    const sandbox = connect(url, { merchant: 'shop' });
    expect(await forcedOn(url, 'shop')).toBe('decline-generic; by=scenario');
    await sandbox.force({ op: 'card.create', outcome: 'hang-before-commit', name: 'mine' });
    await sandbox.merchant('other').playScenario('lost-answer');

    save(file, declining('decline-velocity'));
    await cli.printed(/"scenario":"mine".*"reloaded"/);
    expect(await forcedOn(url, 'shop')).toBe('decline-velocity; by=scenario');
    expect(await forcedOn(url, 'fresh')).toBe('decline-velocity; by=scenario');
    expect((await sandbox.rules()).map(({ id }) => id)).toContain('mine');
    expect(await sandbox.merchant('other').rules()).toMatchObject([{ nth: 1 }]);

    save(file, declining('decline-velcity'));
    const [line] = await cli.printed(/.*"not reloaded".*\n/);
    expect(JSON.parse(line)).toMatchObject({
      level: 'warn',
      problems: [expect.stringContaining('Did you mean "decline-velocity"?')],
    });
    expect(await forcedOn(url, 'shop')).toBe('decline-velocity; by=scenario');
    await sandbox.reset();
    expect(await forcedOn(url, 'shop')).toBe('decline-velocity; by=scenario');
    expect((await cli.stop()).code).toBe(0);
  });

  it('logs reloads as sentences', async () => {
    const file = fileWith(declining('decline-generic'));
    const cli = new CliProcess(['--port', '0', '--watch', '--scenario', file], {
      env: { CARD_VAULT_LOG_FORMAT: 'pretty' },
    });
    await cli.url();
    save(file, declining('decline-velocity'));
    await cli.printed(/INFO: Reloaded the rules of scenario mine\.\n/);
    save(file, 'scenario: mine\n');
    const [warned] = await cli.printed(
      /WARN: The scenario file is invalid\. The previous rules stay active\.\n {4}\S+mine\.yaml:/,
    );
    expect(warned).toContain('mine.yaml');
  });
});

describe('--magic-amounts', () => {
  it.each([
    [['--magic-amounts'], 'decline-insufficient-funds; by=amount'],
    [[], null],
  ])('%j makes cents choose an outcome: %s', async (flags, forced) => {
    const cli = new CliProcess(['--port', '0', ...flags]);
    const url = await cli.url();
    const answer = await fetch(`${url}/v1/payments/payment`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sandbox.shop', 'Content-Type': 'application/json' },
      body: JSON.stringify(rawPaymentBody({}, { total: '9000.51' })),
    });
    expect(answer.headers.get('sandbox-outcome')).toBe(forced);
  });
});

describe('--control-token', () => {
  it('is required, and never printed', async () => {
    const cli = new CliProcess(['--port', '0', '--log-level', 'debug'], {
      env: { CARD_VAULT_CONTROL_TOKEN: 'open-sesame' },
    });
    const url = await cli.url();
    await expect(connect(url).reset()).rejects.toThrow('--control-token');
    await connect(url, { token: 'open-sesame' }).reset();
    await cli.printed(/"controlToken":"\[secret\]"/);
    const { stdout, stderr } = await cli.stop();
    expect(stdout + stderr).not.toContain('open-sesame');
  });
});
