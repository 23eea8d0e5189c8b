/** What people see first: the landing page, the docs pages and what those load. */
import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Assets } from '../../../../src/control/pages/assets.ts';
import { docsPage } from '../../../../src/control/pages/docs-page.ts';
import { createSandbox } from '../../../../src/index.ts';
import { SandboxCore } from '../../../../src/sandbox/sandbox.ts';
import { onEveryTransport } from '../../../support/transports.ts';

const html = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

onEveryTransport('the pages of a sandbox', (transport) => {
  const get = (path: string, headers: Record<string, string> = {}) =>
    transport.fetch(transport.base + path, { headers });

  it('show people a landing page', async () => {
    const response = await get('/', html);
    expect(response.headers.get('content-type')).toMatch(/^text\/html/);
    expect(response.headers.get('vary')).toBe('Accept');
    const page = await response.text();
    expect(page).toContain(`<code>${transport.base}</code>`);
    expect(page.match(/^.*curl .*$/gm)).toHaveLength(3);
  });

  it('link to each other for people', async () => {
    const [landing, docs, verdict] = await Promise.all(
      ['/', '/docs', '/_sandbox/verdict'].map(async (path) => (await get(path, html)).text()),
    );
    for (const path of ['/_sandbox/verdict', '/docs', '/docs/control']) {
      expect(landing).toContain(`href="${transport.base}${path}"`);
    }
    for (const path of ['/', '/docs/control', '/_sandbox/verdict']) {
      expect(docs).toContain(`href="${path}"`);
    }
    for (const path of ['/', '/docs/control']) expect(verdict).toContain(`href="${path}"`);
  });

  it('describe the sandbox in llms.txt, with links that work', async () => {
    const response = await get('/llms.txt');
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await response.text();
    expect(text).toMatch(/^# card-vault-sandbox\n\n> /);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
    expect(links).toContain(`${transport.base}/openapi.json`);
    const answers = await Promise.all(links.map((link) => transport.fetch(link)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it('give programs links that work', async () => {
    const response = await get('/', { Accept: 'application/json' });
    expect(response.headers.get('content-type')).toMatch(/^application\/json/);
    const { links } = (await response.json()) as { links: Record<string, string> };
    expect(Object.keys(links)).toEqual(expect.arrayContaining(['docs', 'openapi', 'health']));
    const answers = await Promise.all(Object.values(links).map((link) => transport.fetch(link)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });

  it.each([
    ['/docs', '/v1/vault/credit-cards/{card_id}', '/openapi.json'],
    ['/docs/', '/v1/vault/credit-cards/{card_id}', '/openapi.json'],
    ['/docs/control', '/_sandbox/clock', '/_sandbox/openapi.json'],
  ])('list every endpoint at %s, also without scripts', async (path, endpoint, document) => {
    const page = await (await get(path, html)).text();
    expect(page).toContain(`<code>${endpoint}</code>`);
    expect(page).toContain(`data-document="${document}"`);
    expect(page).toContain('aria-current="page"');
  });

  it('load nothing from other sites, and forbid it to the browser', async () => {
    const response = await get('/docs', html);
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    const page = await response.text();
    const loaded = [...page.matchAll(/(?:src|rel="stylesheet" href)="([^"]+)"/g)].map(
      ([, address = '']) => address,
    );
    expect(loaded).toHaveLength(5);
    expect(loaded.filter((address) => !address.startsWith('/docs/assets/'))).toEqual([]);
  });

  it.each([
    ['swagger-ui-bundle.js', 'text/javascript; charset=utf-8'],
    ['swagger-ui.css', 'text/css; charset=utf-8'],
    ['init.js', 'text/javascript; charset=utf-8'],
    ['docs.css', 'text/css; charset=utf-8'],
    ['page.css', 'text/css; charset=utf-8'],
  ])('send %s once, and then only after a change', async (name, type) => {
    const first = await get(`/docs/assets/${name}`);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, type]);
    expect((await first.arrayBuffer()).byteLength).toBeGreaterThan(100);
    const again = await get(`/docs/assets/${name}`, {
      'If-None-Match': first.headers.get('etag') ?? '',
    });
    expect([again.status, await again.text()]).toEqual([304, '']);
  });

  it.each(['nope.js', '..%2F..%2Fpackage.json', 'constructor'])(
    '404 refuses the asset %s',
    async (name) => {
      const response = await get(`/docs/assets/${name}`);
      expect(response.status).toBe(404);
    },
  );

  it('have no icon, and do not count a request for one', async () => {
    const counted = async () =>
      (await (await get('/_sandbox/metrics')).text()).match(/^\w+_requests_total\{.*/gm);
    const before = await counted();
    const answer = await get('/favicon.ico');
    expect([answer.status, await answer.text()]).toEqual([204, '']);
    expect(await counted()).toEqual(before);
  });

  it('include both OpenAPI documents', async () => {
    const titles = await Promise.all(
      ['/openapi.json', '/_sandbox/openapi.json'].map(async (path) => {
        const { info } = (await (await get(path)).json()) as { info: { title: string } };
        return info.title;
      }),
    );
    expect(titles).toEqual(['Card vault and vaulted-card payments', 'Sandbox control']);
  });
});

it('the landing page has an example payment that works and appears in the verdict', async () => {
  const sandbox = createSandbox();
  const page = await (await sandbox.request('/', { headers: html })).text();
  const [, written = ''] = / -d &#39;(.*)&#39;<\/code>/.exec(page) ?? [];
  const paid = sandbox.request('/v1/payments/payment', {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${sandbox.token}`,
      'Content-Type': 'application/json',
      'Sandbox-Outcome': 'reset-after-commit',
    },
    body: written.replaceAll('&quot;', '"'),
  });
  await expect(paid).rejects.toThrow(/fetch failed/);
  expect(await (await sandbox.request('/_sandbox/verdict')).text()).toContain('orphaned-charge');
});

const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) process.stdout.write('The landing page was not tried: this machine has no curl.\n');

it.runIf(hasCurl).each(['open', 'strict'] as const)(
  'the landing page has lines that a shell can run, with any fixtures: %s',
  async (auth) => {
    const sandbox = createSandbox({ fixtures: 'empty', auth });
    onTestFinished(() => sandbox.close());
    const { url } = await sandbox.listen({ port: 0 });
    const page = await (await fetch(url, { headers: html })).text();
    const commands = [...page.matchAll(/<pre><code>([\s\S]*?)<\/code>/g)].map(([, command = '']) =>
      command.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&'),
    );
    const reset = commands.pop();
    const merchant = sandbox.merchant('my-shop');
    const runLines = (lines: readonly (string | undefined)[]) =>
      promisify(execFile)('bash', ['-c', lines.join('\n')]);
    // The answer to the payment is lost, so that curl fails.
    await runLines(commands).catch(() => undefined);
    expect(merchant.ledger().transfers).toHaveLength(1);
    await runLines([reset]);
    expect(merchant.ledger().transfers).toHaveLength(0);
  },
);

describe('the pages of a sandbox with options', () => {
  it('show the configured base URL', async () => {
    const sandbox = createSandbox({ fixtures: 'empty', baseUrl: 'https://sandbox.test/' });
    expect(await (await sandbox.request('/')).json()).toMatchObject({
      baseUrl: 'https://sandbox.test',
      links: { docs: 'https://sandbox.test/docs' },
    });
  });

  it('show a token request under auth strict', async () => {
    const sandbox = createSandbox({ fixtures: 'empty', auth: 'strict' });
    const landing = await (await sandbox.request('/', { headers: html })).text();
    expect(landing).toContain('/v1/oauth2/token');
    expect(landing).not.toContain('Bearer sandbox.');
    expect(await (await sandbox.request('/docs')).text()).toContain('data-token=""');
  });
});

describe('the docs page of a package that was not built', () => {
  it('names the build command and lists the endpoints', async () => {
    const assets = new Assets('no/such/folder');
    expect(assets.find('swagger-ui-bundle.js')).toBeUndefined();
    const document = new SandboxCore({ fixtures: 'empty' }).document();
    const unbuilt = {
      name: 'service',
      document,
      interactive: assets.built,
      openAuth: true,
      bases: { service: '', control: '' },
    } as const;
    const page = String(await docsPage(unbuilt));
    expect(page).toContain('npm run build');
    expect(page).toContain('/v1/vault/credit-cards');
    expect(page).not.toContain('<script');
  });
});
