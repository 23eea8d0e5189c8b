/** The image that the Dockerfile builds: its contents, and its behaviour in a restricted container. */
import { chmodSync, readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { NodeSdkShop } from '../sdks/node-sdk-shop.ts';
import { jsonLines } from '../../behaviour/cli/json-lines.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { root } from '../../support/repository/source-files.ts';
import { call, Container, inspect, runToEnd, startedAs, tag } from './container.ts';
import { folderWith, oneCard, ownScenario } from './mounts.ts';

const authorization = { Authorization: 'Bearer sandbox.my-shop' };
const Cards = z.object({ items: z.array(z.object({ id: z.string() })) });
const About = z.object({ seed: z.string(), profile: z.string(), scenario: z.string().optional() });

async function json(url: string): Promise<unknown> {
  return (await fetch(url, { headers: authorization })).json();
}

describe('the image', () => {
  const Sized = z.object({ Size: z.number() });
  const Config = z.object({
    Config: z.object({
      User: z.string(),
      Entrypoint: z.array(z.string()),
      Labels: z.record(z.string(), z.string()),
      ExposedPorts: z.record(z.string(), z.unknown()),
      StopSignal: z.string().optional(),
    }),
  });
  const Health = z.union([
    z.object({ Config: z.object({ Healthcheck: z.object({ Test: z.array(z.string()) }) }) }),
    z.object({ Healthcheck: z.object({ Test: z.array(z.string()) }) }),
  ]);

  it('runs as an unprivileged user without a shell, and describes itself in labels', async () => {
    const image = await inspect('image', tag);
    const { Config: config } = Config.parse(image);
    expect(config.User).toBe('1000:1000');
    expect(config.Entrypoint).toEqual(['node', '/app/dist/cli.cjs']);
    expect(config.ExposedPorts).toEqual({ '3000/tcp': {} });
    expect(config.Labels).toMatchObject({
      'org.opencontainers.image.title': 'card-vault-sandbox',
      'org.opencontainers.image.licenses': 'MIT',
    });
    const health = Health.parse(image);
    const { Test } = 'Config' in health ? health.Config.Healthcheck : health.Healthcheck;
    expect(Test).toEqual(['CMD', 'node', '/app/dist/health-check.cjs']);
  });

  it('adds less than 7.5 MB to its base', async () => {
    const [, base = ''] =
      /^ARG NODE_IMAGE=(\S+)$/m.exec(readFileSync(join(root, 'Dockerfile'), 'utf8')) ?? [];
    const sizes = await Promise.all([tag, base].map((name) => inspect('image', name)));
    const [ours = 0, below = 0] = sizes.map((image) => Sized.parse(image).Size);
    process.stdout.write(`image: ${ours - below} bytes on top of ${base}\n`);
    expect(ours - below).toBeGreaterThan(1_000_000);
    expect(ours - below).toBeLessThan(7_500_000);
  });
});

describe('a container with a read-only root, no capabilities and no shell', () => {
  const noShell = ['-v', '/dev/null:/usr/bin/dash'];

  it('is healthy, is not root, and is process 1', async () => {
    const container = await Container.start(noShell);
    const health = await container.exec('card-vault-sandbox', 'health');
    expect(health).toMatchObject({ code: 0, stdout: expect.stringContaining('is ready') });
    const inside = await container.exec(
      'node',
      '-p',
      `process.getuid() + ' ' + fs.readFileSync('/proc/1/cmdline', 'utf8').split('\\0').slice(0, 2).join(' ')`,
    );
    expect(inside.stdout.trim()).toBe('1000 node /app/dist/cli.cjs');
    expect((await container.exec('sh', '-c', 'true')).code).not.toBe(0);
    expect((await fetch(`${container.url}/docs`)).status).toBe(200);
  });

  it('serves the official SDK from token to refund, and logs it as JSON without secrets', async () => {
    const container = await Container.start(noShell, ['--log-level', 'debug']);
    const at = { url: container.url, host: '127.0.0.1', port: container.port };
    const shop = new NodeSdkShop(at, 'in-a-container');
    const card = await shop.storeCard(cardBody());
    const payment = await shop.pay(paymentBody({ cardId: card.id, total: '7.50' }));
    const [related] = payment.transactions[0]?.related_resources ?? [];
    if (related === undefined || !('sale' in related)) throw new Error('The payment has no sale.');
    const refund = await shop.refundSale(related.sale.id, {});
    expect(refund).toMatchObject({ state: 'completed', sale_id: related.sale.id });
    await shop.deleteCard(card.id);
    expect((await shop.listCards({})).items.map(({ id }) => id)).not.toContain(card.id);

    const logs = await container.logs();
    expect(jsonLines(logs).map(({ operation }) => operation)).toEqual(
      expect.arrayContaining(['token.create', 'card.create', 'payment.create', 'sale.refund']),
    );
    const { number, cvv2 } = cardBody();
    for (const secret of [number, `"${cvv2}"`, 'any secret', 'Bearer']) {
      expect(logs).not.toContain(secret);
    }
  });

  it('answers requests in progress when it is stopped, and exits with 0', async () => {
    const container = await Container.start(noShell);
    const body = JSON.stringify(cardBody());
    const pending = request(`${container.url}/v1/vault/credit-cards`, {
      method: 'POST',
      headers: {
        ...authorization,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(body),
        Expect: '100-continue',
      },
    });
    const status = new Promise<number | undefined>((resolve, reject) => {
      pending.on('response', (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      pending.on('error', reject);
    });
    // The server has seen the head of the request once it asks for its body.
    await new Promise((resolve) => pending.on('continue', resolve).flushHeaders());
    pending.write(body.slice(0, 10));
    const stopped = container.stop();
    while (!(await container.logs()).includes('"stopping"')) {
      // Reading the log takes long enough to need no pause.
    }
    pending.end(body.slice(10));
    expect(await status).toBe(201);
    expect(await stopped).toBe(0);
    expect(jsonLines(await container.logs()).at(-1)).toMatchObject({ msg: 'stopped' });
  });

  it('has the compile cache that Node wrote when the image was built', async () => {
    const container = await Container.start(noShell);
    const count = "fs.readdirSync('/app/compile-cache', { recursive: true }).length";
    const listed = await container.exec('node', '-p', count);
    expect(Number(listed.stdout)).toBeGreaterThan(5);
  });

  it('runs as another user', async () => {
    const user = ['--user', '4321:4321'];
    const { code, stdout, stderr } = await runToEnd([...noShell, ...user], ['--version']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
  });

  it('accepts flags and variables', async () => {
    const container = await Container.start(
      [...noShell, '-e', 'CARD_VAULT_SEED=from-env', '-e', 'CARD_VAULT_PROFILE=documented'],
      ['--profile', 'recorded'],
    );
    const about = About.parse(await json(`${container.url}/_sandbox/about`));
    expect(about).toMatchObject({ seed: 'from-env', profile: 'recorded' });
  });

  it.each([
    ['process 1', []],
    ['the child of an init', ['--init']],
  ])('is found by its own commands at ports from arguments, as %s', async (_what, options) => {
    const args = ['--port', '9000', '--control-port=9001', '--control-token', 'kept-secret'];
    const id = await startedAs([...noShell, ...options], args);
    const own = (command: string) => call('exec', id, 'card-vault-sandbox', command);
    expect(await own('wait')).toMatchObject({ stdout: 'http://127.0.0.1:9001 is ready.\n' });
    expect(await own('health')).toMatchObject({ code: 0 });
    const check = await call('exec', id, 'node', '/app/dist/health-check.cjs');
    expect(check).toMatchObject({ code: 0, stderr: '' });
    expect(await own('coverage')).toMatchObject({ code: 0, stderr: '' });
  });

  it.each([
    ['a PORT and HOST that are meant for others', ['PORT=8080', 'HOST=127.0.0.1']],
    ['a link to a service', ['CARD_VAULT_PORT=tcp://10.0.0.1:80']],
  ])('keeps its address with %s', async (_what, variables) => {
    const given = variables.flatMap((variable) => ['-e', variable]);
    const container = await Container.start([...noShell, ...given]);
    expect(await container.exec('card-vault-sandbox', 'health')).toMatchObject({
      stdout: 'http://127.0.0.1:3000 is ready.\n',
    });
  });

  it('writes its address to a ready file on a tmpfs', async () => {
    const container = await Container.start(
      ['--tmpfs', '/ready:mode=1777'],
      ['--ready-file', '/ready/url'],
    );
    const read = await container.exec('node', '-p', "fs.readFileSync('/ready/url', 'utf8')");
    expect(read.stdout.trim()).toBe('http://127.0.0.1:3000');
  });
});

describe('folders mounted in /sandbox', () => {
  it('are the fixtures of every merchant and the scenarios known by name', async () => {
    const folder = folderWith({
      'fixtures/cards.yaml': oneCard,
      'scenarios/bad-day.yaml': ownScenario,
    });
    const container = await Container.start(['-v', `${folder}:/sandbox:ro`]);
    const cards = Cards.parse(await json(`${container.url}/v1/vault/credit-cards`));
    expect(cards.items.map(({ id }) => id)).toEqual(['CARD-MOUNTED00000000000000001']);
    const played = await fetch(`${container.url}/_sandbox/scenario?merchant=my-shop`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{"name":"our-bad-day"}',
    });
    expect(await played.json()).toEqual({ merchant: 'my-shop', scenario: 'our-bad-day' });
  });

  it('can have one of the two, and the package supplies the other', async () => {
    const folder = folderWith({ 'bad-day.yaml': ownScenario });
    const container = await Container.start(
      ['-v', `${folder}:/sandbox/scenarios:ro`],
      ['--scenario', 'our-bad-day'],
    );
    const about = About.parse(await json(`${container.url}/_sandbox/about`));
    expect(about.scenario).toBe('our-bad-day');
    const cards = Cards.parse(await json(`${container.url}/v1/vault/credit-cards`));
    expect(cards.items.length).toBe(8);
  });

  it.each([
    ['fixtures', 'cards:\n  - typ: visa\n', /^card-vault-sandbox: Cannot use the fixtures\.\n/],
    ['scenarios', 'scenario: x\nrulez: []\n', /^card-vault-sandbox: Cannot use the scenario\.\n/],
  ])('cause one message and exit code 2 if %s have a mistake', async (kind, text, message) => {
    const folder = folderWith({ 'mine.yaml': text });
    const ended = await runToEnd(['-v', `${folder}:/sandbox/${kind}:ro`]);
    expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.stringMatching(message) });
    expect(ended.stderr).toContain(`/sandbox/${kind}/mine.yaml:`);
    expect(ended.stderr).not.toMatch(/^\s+at /m);
  });

  it('cause one message and exit code 2 if only their owner may read them', async () => {
    const folder = folderWith({ 'mine.yaml': oneCard });
    chmodSync(folder, 0o700);
    const ended = await runToEnd(['-v', `${folder}:/sandbox/fixtures:ro`]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe(
      'card-vault-sandbox: Cannot use the fixtures.\n/sandbox/fixtures: this folder cannot be read (EACCES). ' +
        'Make it readable for the user that runs the sandbox, for example with chmod -R a+rX.\n',
    );
  });

  it('cause one message and exit code 2 if only the owner may read /sandbox itself', async () => {
    const folder = folderWith({ 'fixtures/mine.yaml': oneCard });
    chmodSync(folder, 0o700);
    const ended = await runToEnd(['-v', `${folder}:/sandbox:ro`]);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toBe(
      'card-vault-sandbox: CARD_VAULT_HOME names "/sandbox", which cannot be read (EACCES). ' +
        'Make it readable for the user that runs the sandbox, for example with chmod -R a+rX.\n',
    );
  });
});

it('a port in use causes one message and exit code 2', async () => {
  const first = await Container.start();
  const second = await runToEnd([`--network=container:${first.id}`]);
  expect(second).toMatchObject({ code: 2, stdout: '' });
  expect(second.stderr).toMatch(/^card-vault-sandbox: Port 3000 on 0\.0\.0\.0 is in use\. .+\n$/);
});

it('a ready file that cannot be written causes one message and exit code 2', async () => {
  const ended = await runToEnd([], ['--ready-file', '/sandbox/ready']);
  expect(ended).toMatchObject({ code: 2, stdout: '' });
  expect(ended.stderr).toMatch(
    /^card-vault-sandbox: Cannot write the ready file .+ \(EROFS\)\. .+\n$/,
  );
});

it('the image prints its version without serving', async () => {
  const version = await call('run', '--rm', tag, '--version');
  expect(version.stdout.trim()).toMatch(/^\d+\.\d+\.\d+$/);
});
