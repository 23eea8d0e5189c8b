/** The suites in each language pass, and the sandbox has seen what they say they did. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { exchange } from '../bad-input/raw-socket.ts';
import { Door } from '../support/doors.ts';
import { rawPaymentBody } from '../support/samples.ts';
import { expectPart, table } from '../support/readme-part.ts';
import { runOrSkip } from './programs.ts';
import { suites, suitesFolder } from './suites.ts';

let door: Door;
beforeEach(async () => {
  door = new Door('socket', {});
  await door.open();
});
afterEach(() => door.close());

/** One payment, one decline, one lost answer with its retry, one beside another merchant. */
function expectFourTests(): void {
  const { operations, tried } = door.sandbox.coverageOfAll();
  expect(operations['payment.create']).toBe(5);
  expect(tried).toEqual({
    'payment.create': { 'decline-insufficient-funds': 1, 'reset-after-commit': 1 },
  });
  const charges = door.sandbox
    .merchants()
    .flatMap((merchant) => door.sandbox.merchant(merchant).ledger().transfers);
  expect(charges.map(({ amount }) => amount.minor)).toEqual([3011, 3011, 3011]);
}

describe('the suite of a shop', () => {
  it.for(suites)('in $language', { timeout: 120_000 }, async (suite, context) => {
    const { stdout, stderr } = await runOrSkip(context, suite, suite.args, {
      cwd: dirname(join(suitesFolder, suite.file)),
      env: { SANDBOX_URL: door.base, GOPROXY: 'off', GOFLAGS: '' },
    });
    expect(stdout + stderr).toMatch(suite.proof);
    expectFourTests();
  });

  it('in C#, by the bytes that its client sends', async () => {
    // .NET is on none of the machines that test this: its client writes JSON in chunks, with the headers in this order.
    const body = JSON.stringify(rawPaymentBody({}, { total: '30.11' }));
    const send = async (merchant: string, requestId?: string) => {
      const [answer] = await exchange(
        door,
        [
          'POST /v1/payments/payment HTTP/1.1',
          `Host: ${new URL(door.base).host}`,
          `Authorization: Bearer sandbox.${merchant}`,
          ...(requestId === undefined ? [] : [`PayPal-Request-Id: ${requestId}`]),
          'Transfer-Encoding: chunked',
          'Content-Type: application/json; charset=utf-8',
          '',
          Buffer.byteLength(body).toString(16).toUpperCase(),
          body,
          '0',
          '',
          '',
        ].join('\r\n'),
      );
      return answer;
    };
    expect((await send('dotnet-pays'))?.status).toBe(201);
    const declined = door.sandbox.merchant('dotnet-declined');
    declined.force({ op: 'payment.create', outcome: 'decline-insufficient-funds' });
    expect((await send('dotnet-declined'))?.status).toBe(400);
    const lost = door.sandbox.merchant('dotnet-lost');
    lost.force({ op: 'payment.create', outcome: 'reset-after-commit' });
    expect(await send('dotnet-lost', 'order-7')).toBeUndefined();
    expect((await send('dotnet-lost', 'order-7'))?.headers.get('sandbox-replayed')).toBe('true');
    expect((await lost.verdict()).passed).toBe(true);
    expect((await send('dotnet-alone'))?.status).toBe(201);
    expectFourTests();
    const page = readFileSync(join(suitesFolder, 'dotnet', 'ShopTests.cs'), 'utf8');
    expect(page.match(/\[Fact\]/g)).toHaveLength(4);
  });
});

it('is listed for people (UPDATE_README=1 makes the table anew)', () => {
  const rows = suites.map(({ language, file, line }) => [
    language,
    `[\`${file}\`](${file})`,
    `\`${line}\``,
  ]);
  const dotnet = ['C#', '[`dotnet/ShopTests.cs`](dotnet/ShopTests.cs)', '`dotnet test`'];
  expectPart(
    join(suitesFolder, 'README.md'),
    'suites',
    table(
      ['Language', 'Tests', 'Run them with'],
      [...rows, dotnet].toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
    ),
  );
});
