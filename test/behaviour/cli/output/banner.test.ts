/** The banner, colours and pretty log lines, without a process. */
import { describe, expect, it } from 'vitest';
import { banner, type StartInfo } from '../../../../src/cli/output/banner.ts';
import { asCurl, examplesFor } from '../../../../src/cli/output/examples.ts';
import { exampleMerchant } from '../../../../src/contract/constants.ts';
import { wantsColour } from '../../../../src/cli/output/colour.ts';
import { prettyLines } from '../../../../src/cli/output/pretty.ts';
import { createSandbox } from '../../../../src/sandbox/create-sandbox.ts';

const started: StartInfo = {
  version: '1.2.3',
  url: 'http://127.0.0.1:3000',
  tlsUrl: undefined,
  caFile: undefined,
  trustProxy: undefined,
  controlUrl: undefined,
  profile: 'documented',
  seed: 'V1StGXR8_Z5jdHi6B-myT',
  seedGiven: false,
  auth: 'open',
  realCards: 'warn',
  fixtures: 'default',
  baseUrl: undefined,
  scenario: undefined,
  watched: false,
};

// Colours are made of control characters.
// oxlint-disable-next-line no-control-regex
const colours = /\u001B\[\d+m/g;

describe('the examples', () => {
  it.each(['default', 'empty', 'shop'])('work on the fixtures %s', async (fixtures) => {
    const sandbox = createSandbox({ fixtures });
    const { token } = sandbox.merchant(exampleMerchant);
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const statuses = [];
    for (const { path, body } of examplesFor(fixtures)) {
      const init = body === undefined ? {} : { method: 'POST', body: body.join('\n') };
      statuses.push((await sandbox.request(path, { headers, ...init })).status);
    }
    expect(statuses).toEqual(fixtures === 'default' ? [200, 201, 201] : [200, 201, 200]);
  });

  it('are commands to copy', () => {
    const [, pay] = examplesFor('default');
    expect(pay && asCurl(pay, 'http://127.0.0.1:3000', 'open')).toBe(
      `curl http://127.0.0.1:3000/v1/payments/payment \\
  -H 'Authorization: Bearer sandbox.my-shop' \\
  -H 'Content-Type: application/json' \\
  -d '{"intent":"sale","payer":{"payment_method":"credit_card",
    "funding_instruments":[{"credit_card_token":
    {"credit_card_id":"CARD-VISA0000000000001EXAMPLE"}}]},
    "transactions":[{"amount":{"total":"7.50","currency":"USD"}}]}'`,
    );
  });
});

describe('the banner', () => {
  it.each<Partial<StartInfo>>([
    {},
    { auth: 'strict', fixtures: 'shop', baseUrl: 'https://sandbox.test' },
    { scenario: 'lost-answer', watched: true },
    { seedGiven: true, url: 'http://[::1]:65535' },
    { controlUrl: 'http://127.0.0.1:3001' },
  ])('fits 80 columns with %j', (change) => {
    const lines = banner({ ...started, ...change }, false).split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('shows how to repeat a run with a random seed', () => {
    expect(banner(started, false)).toContain(`To repeat this run: --seed=${started.seed}`);
    expect(banner({ ...started, seedGiven: true }, false)).not.toContain('To repeat');
  });

  it.each(['refuse', 'warn', 'off'] as const)('shows the setting for real cards: %s', (mode) => {
    const [row] = banner({ ...started, realCards: mode }, false).match(/^ {2}Cards .*$/m) ?? [];
    expect(row).toContain(`(--real-cards=${mode})`);
    expect(row?.length).toBeLessThanOrEqual(80);
  });

  it('shows the token call first with --auth strict', () => {
    const text = banner({ ...started, auth: 'strict' }, false);
    expect(text).not.toContain('Bearer sandbox.');
    expect(text.indexOf('TOKEN=$(curl')).toBeLessThan(text.indexOf('Bearer $TOKEN'));
  });

  it('has the same text with and without colours', () => {
    const coloured = banner(started, true);
    expect(coloured).toMatch(colours);
    expect(coloured.replaceAll(colours, '')).toBe(banner(started, false));
  });
});

describe('colours', () => {
  const terminal = { isTTY: true, hasColors: () => true };

  it('are used on terminals that have them', () => {
    expect(wantsColour(terminal, {})).toBe(true);
    expect(wantsColour({ ...terminal, hasColors: () => false }, {})).toBe(false);
    expect(wantsColour({}, { FORCE_COLOR: '1' })).toBe(false);
  });

  it('are never used with NO_COLOR', () => {
    expect(wantsColour(terminal, { NO_COLOR: '1', FORCE_COLOR: '1' })).toBe(false);
    expect(wantsColour(terminal, { NO_COLOR: '' })).toBe(true);
  });
});

describe('a pretty log line', () => {
  const line = { level: 'info', time: '2030-01-02T03:04:05.678Z', msg: 'exchange' };
  const words = (more: object, colour = false) =>
    prettyLines(colour)(JSON.stringify({ ...line, ...more }));

  it('marks a replayed answer', () => {
    expect(
      words({
        status: 201,
        method: 'POST',
        operation: 'card.create',
        merchant: exampleMerchant,
        replayed: true,
      }),
    ).toMatch(/\] INFO: 201 POST card\.create my-shop replayed\n$/);
  });

  it('shows the stack of a failure', () => {
    const err = { type: 'Error', message: 'broken', stack: 'Error: broken\n    at somewhere' };
    const shown = words({ status: 500, method: 'GET', level: 'error', reason: 'A bug.', err });
    expect(shown).toMatch(
      /\] ERROR: 500 GET unknown path\n {4}A bug\.\n {4}Error: broken\n {8}at somewhere\n$/,
    );
  });

  it('shows forced outcomes below the debug id', () => {
    const forced = [
      { outcome: 'hang-after-commit', by: 'rule', rule: 'rule-1' },
      { outcome: 'number-as-string', by: 'header' },
    ];
    expect(words({ status: 201, method: 'POST', debugId: 'f00d', level: 'warn', forced })).toMatch(
      /\] WARN: 201 POST unknown path f00d\n {4}Forced: hang-after-commit, by rule-1\.\n {4}Forced: number-as-string, by its header\.\n$/,
    );
  });

  it('has colours only if they are wanted', () => {
    expect(words({ status: 200 }, true)).toMatch(colours);
    expect(words({ status: 200 })).not.toMatch(colours);
  });
});
