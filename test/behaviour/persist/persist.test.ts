/** `persist`: worlds survive a restart. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import {
  createSandbox,
  OptionError,
  type Merchant,
  type Sandbox,
  type SandboxOptions,
} from '../../../src/index.ts';
import { cardBody, pans, paymentBody } from '../../support/samples.ts';
import { CliProcess, runCli } from '../cli/cli-process.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-persist-'));
  file = join(folder, 'worlds');
  onTestFinished(() => {
    rmSync(folder, { recursive: true });
  });
});

const frozen = { start: '2030-01-02T03:04:05Z', frozen: true } as const;

function open(more: SandboxOptions = {}): Sandbox {
  const sandbox = createSandbox({ fixtures: 'empty', clock: frozen, persist: file, ...more });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

interface Sent {
  readonly id: string;
  /** Status, debug id and body. */
  readonly bytes: string;
}

async function send(merchant: Merchant, path: string, body: unknown, key?: string): Promise<Sent> {
  const answer = await merchant.fetch(`http://sandbox${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'PayPal-Request-Id': key }),
    },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  const { id } = JSON.parse(text) as { readonly id: string };
  return { id, bytes: `${answer.status} ${answer.headers.get('paypal-debug-id')} ${text}` };
}

const store = (merchant: Merchant) => send(merchant, '/v1/vault/credit-card', cardBody());
const pay = (merchant: Merchant, cardId: string, key?: string) =>
  send(merchant, '/v1/payments/payment', paymentBody({ cardId, total: '10.00' }), key);

/** What a merchant does before and after a restart. */
async function before(sandbox: Sandbox): Promise<string> {
  const shop = sandbox.merchant('shop');
  const { id } = await store(shop);
  await pay(shop, id, 'key-1');
  shop.force({
    op: 'payment.create',
    outcome: 'decline-insufficient-funds',
    nth: 2,
    name: 'second',
  });
  shop.clock.advance('P1D');
  await pay(shop, id);
  return id;
}

async function after(sandbox: Sandbox, cardId: string): Promise<unknown[]> {
  const shop = sandbox.merchant('shop');
  return [
    (await pay(shop, cardId, 'key-1')).bytes,
    (await pay(shop, cardId)).bytes,
    (await store(shop)).bytes,
    JSON.stringify(shop.rules()),
    worldDocumentOf(shop).transfers,
    shop.clock.read(),
    shop.generateCards(),
    (await store(sandbox.merchant('later'))).bytes,
  ];
}

describe('a sandbox with a file', () => {
  it('answers after a restart as if it had never stopped', async () => {
    const whole = createSandbox({ fixtures: 'empty', clock: frozen, seed: 'kept' });
    const expected = await after(whole, await before(whole));
    const first = open({ seed: 'kept' });
    const cardId = await before(first);
    await first.close();
    // The seed comes from the file.
    const second = open();
    expect(await after(second, cardId)).toEqual(expected);
    expect(second.seed).toBe('kept');
  });

  it('keeps every merchant, and forgets deleted ones', async () => {
    const first = open();
    await Promise.all(['a', 'b', 'c'].map((id) => store(first.merchant(id))));
    first.deleteMerchant('b');
    await first.close();
    expect(open().merchants().toSorted()).toEqual(['a', 'c']);
  });

  it('saves soon after a change, without a close', async () => {
    const first = open();
    await store(first.merchant('shop'));
    await expect.poll(() => existsSync(file) && readFileSync(file, 'utf8')).toContain('"shop"');
    expect(readFileSync(file, 'utf8')).toMatch(/\n$/);
  });

  it('continues running clocks', async () => {
    const first = open({ clock: { start: frozen.start } });
    first.merchant('shop').clock.advance('P10D');
    await first.close();
    const { now } = open({ clock: { start: frozen.start } })
      .merchant('shop')
      .clock.read();
    expect(Date.parse(now)).toBeGreaterThanOrEqual(Date.parse(frozen.start) + 10 * 86_400_000);
  });

  it('never holds a card number or a code, not even in a rule', async () => {
    const problems: string[] = [];
    const first = open({ listeners: { onPersistProblem: (message) => problems.push(message) } });
    const shop = first.merchant('shop');
    await send(shop, '/v1/vault/credit-card', cardBody({ number: pans.visa, cvv2: '987' }));
    shop.force({ op: 'card.create', outcome: 'ok', match: { number: pans.visa }, name: 'secret' });
    shop.force({ op: 'card.create', outcome: 'ok', name: 'plain' });
    await first.close();
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain(pans.visa);
    expect(text).not.toMatch(/(?<!\d)987(?!\d)/);
    expect(problems).toEqual([expect.stringContaining('The rule "secret" of merchant shop')]);
    expect(
      open()
        .merchant('shop')
        .rules()
        .map(({ id }) => id),
    ).toEqual(['plain']);
  });

  it('holds no journal', async () => {
    const first = open();
    await store(first.merchant('shop'));
    await first.close();
    expect(open().merchant('shop').journal().entries).toEqual([]);
  });

  it('saves a merchant whose reset or import follows', async () => {
    const first = open();
    const shop = first.merchant('shop');
    await store(shop);
    const document = shop.export();
    shop.reset();
    await first.close();
    const second = open();
    expect(worldDocumentOf(second.merchant('shop')).records.cards.rows).toEqual([]);
    second.merchant('shop').import(document);
    await second.close();
    expect(worldDocumentOf(open().merchant('shop')).records.cards.rows).toHaveLength(1);
  });

  it('leaves only its own file behind', async () => {
    writeFileSync(`${file}.half.unfinished`, 'a crash left this');
    const first = open();
    await store(first);
    expect(readdirSync(folder).toSorted()).toEqual(['worlds.lock']);
    await first.close();
    expect(readdirSync(folder)).toEqual(['worlds']);
  });
});

describe('a broken file', () => {
  it.each<[string, (text: string) => string]>([
    ['is no JSON', () => 'hello\n'],
    ['is cut off in a line', (text) => text.slice(0, -20)],
    ['has lost a line', (text) => `${text.split('\n')[0]}\n`],
    ['has another format', (text) => text.replace('card-vault-sandbox/worlds', 'other')],
    ['has a world that is wrong', (text) => text.replace('"lastSeq":1', '"lastSeq":"1"')],
    [
      'has a world twice',
      (text) => {
        const [head = '', line = ''] = text.split('\n');
        return [head.replace('"worlds":1', '"worlds":2'), line, line, ''].join('\n');
      },
    ],
    ['is nested deeply', () => `${'['.repeat(100_000)}\n`],
  ])('is kept aside if it %s, and the sandbox starts fresh', async (_, breakIt) => {
    const first = open();
    await store(first.merchant('shop'));
    await first.close();
    const broken = breakIt(readFileSync(file, 'utf8'));
    writeFileSync(file, broken);
    const problems: string[] = [];
    const second = open({ listeners: { onPersistProblem: (message) => problems.push(message) } });
    expect(second.merchants()).toEqual([]);
    const aside = readdirSync(folder).find((name) => name.startsWith('worlds.broken-')) ?? '';
    expect(readFileSync(join(folder, aside), 'utf8')).toBe(broken);
    expect(problems).toEqual([expect.stringContaining(join(folder, aside))]);
  });
});

describe('a file', () => {
  it.each([0, 2])('is refused and stays if it has version %i', async (version) => {
    const first = open();
    await store(first.merchant('shop'));
    await first.close();
    const other = readFileSync(file, 'utf8').replace('"version":1', `"version":${version}`);
    writeFileSync(file, other);
    expect(() => open()).toThrow(OptionError);
    expect(() => open()).toThrow(
      new RegExp(
        `it has version ${version} \\(card-vault-sandbox .+\\), and this package reads version 1`,
      ),
    );
    expect(readdirSync(folder)).toEqual(['worlds']);
    expect(readFileSync(file, 'utf8')).toBe(other);
  });

  it('is refused while another sandbox of this process uses it', async () => {
    const first = open();
    expect(() => open()).toThrow(`process ${process.pid} on ${hostname()} uses it.`);
    await first.close();
    open();
  });

  it('is refused if it keeps more merchants than there is room for', async () => {
    const first = open();
    await Promise.all(['a', 'b'].map((id) => store(first.merchant(id))));
    await first.close();
    expect(() => open({ limits: { maxMerchants: 1 } })).toThrow('keeps 2 merchants');
    expect(open().merchants()).toHaveLength(2);
  });

  it.each<[string, () => void, string]>([
    ['a folder', () => mkdirSync(file), 'it is a folder'],
    ['a symbolic link', () => symlinkSync('/no/such', file), 'it is a symbolic link'],
  ])('is refused if it is %s', (_, make, words) => {
    make();
    expect(() => open()).toThrow(`Cannot keep worlds in "${file}": ${words}.`);
  });

  it.each(['/no/such/worlds', '/proc/worlds'])(
    'is refused if its folder cannot be written: %s',
    (persist) => {
      expect(() => open({ persist })).toThrow(/the folder cannot be written \(E\w+\)/);
    },
  );

  it('is unlocked again if another option is wrong', () => {
    expect(() => open({ fixtures: '/no/such/fixtures.yaml' })).toThrow('fixtures');
    open();
  });
});

describe('a lock', () => {
  const lock = (owner: object) => {
    writeFileSync(`${file}.lock`, JSON.stringify({ token: 'x', host: hostname(), ...owner }));
  };

  it.each<[string, () => void]>([
    [
      'whose process is gone',
      () => {
        lock({ pid: 2 ** 22 + 1 });
      },
    ],
    [
      'of an earlier process with the same id',
      () => {
        lock({ pid: process.pid, started: '1' });
      },
    ],
    [
      'of an earlier process with the id of another',
      () => {
        lock({ pid: process.ppid, started: '1' });
      },
    ],
    [
      'that is unreadable',
      () => {
        writeFileSync(`${file}.lock`, '{');
      },
    ],
  ])('is taken over if it is one %s', (_, make) => {
    make();
    open();
    expect(readFileSync(`${file}.lock`, 'utf8')).not.toContain('"x"');
  });

  it('is respected while its owner in another container touches it', () => {
    lock({ pid: 1, host: 'another-container' });
    expect(() => open()).toThrow('process 1 on another-container uses it.');
  });

  it('ends the saving, and says so, if another sandbox took it', async () => {
    const problems: string[] = [];
    const first = open({ listeners: { onPersistProblem: (message) => problems.push(message) } });
    await store(first.merchant('shop'));
    lock({ pid: process.pid, host: 'another-container' });
    await first.close();
    expect(existsSync(file)).toBe(false);
    expect(existsSync(`${file}.lock`)).toBe(true);
    expect(problems).toEqual([expect.stringContaining('Another sandbox has taken the file')]);
  });
});

describe('--persist', () => {
  const args = () => [
    '--port',
    '0',
    '--persist',
    file,
    '--fixtures',
    'empty',
    '--log-format',
    'json',
  ];
  const storeAt = (url: string) =>
    fetch(`${url}/v1/vault/credit-card`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sandbox.shop', 'Content-Type': 'application/json' },
      body: JSON.stringify(cardBody()),
    });
  const cardsAt = async (url: string): Promise<unknown> => {
    const headers = { Authorization: 'Bearer sandbox.shop' };
    const answer = await fetch(`${url}/v1/vault/credit-cards`, { headers });
    return ((await answer.json()) as { readonly total_items: number }).total_items;
  };

  it('keeps cards over a stop, and over a kill after a save', async () => {
    const first = new CliProcess(args());
    await storeAt(await first.url());
    expect((await first.stop()).code).toBe(0);
    const second = new CliProcess(args());
    const url = await second.url();
    expect(await cardsAt(url)).toBe(1);
    await storeAt(url);
    await expect
      .poll(() => readFileSync(file, 'utf8').match(/"last4"|"lastSeq":2/g)?.length)
      .toBeGreaterThan(0);
    await expect.poll(() => readFileSync(file, 'utf8')).toContain('"lastSeq":2');
    second.kill('SIGKILL');
    await second.ended;
    const third = new CliProcess(args());
    expect(await cardsAt(await third.url())).toBe(2);
  });

  it('refuses a file that another process uses', async () => {
    const first = new CliProcess(args());
    await first.url();
    const ended = await runCli(args());
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(
      /^card-vault-sandbox: Cannot keep worlds in .+: process \d+ on .+ uses it\./,
    );
  });

  it('warns about a broken file', async () => {
    writeFileSync(file, 'hello\n');
    const cli = new CliProcess(args());
    const [line] = await cli.printed(/"msg":"The file of --persist, .+ is broken/);
    expect(line).toContain('worlds');
  });
});

it('keeps worlds that play a scenario with cards of its own', async () => {
  const first = open({ scenario: 'dunning' });
  await store(first.merchant('shop'));
  const exported = first.merchant('shop').export();
  await first.close();
  expect(open({ scenario: 'dunning' }).merchant('shop').export()).toEqual(exported);
});
