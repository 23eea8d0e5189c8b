/** The docs page in a real browser: it renders, loads nothing from elsewhere, and can send requests. */
import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Sandbox } from '../../../src/index.ts';
import { rawPaymentBody } from '../../support/samples.ts';

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const found = existsSync(executablePath);

if (!found) {
  process.stdout.write(
    `test/compat/browser/docs.test.ts was not run: no Chromium at ${executablePath}. ` +
      'Install one (Debian: apt-get install chromium) or name it in CHROMIUM.\n',
  );
}

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // The owner of a name can make it resolve to this machine.
  '--host-resolver-rules=MAP rebound.test 127.0.0.1',
];

interface Visit {
  readonly page: Page;
  /** Errors that the page logged or threw. */
  readonly errors: readonly string[];
  /** Every address that the page requested. */
  readonly requests: readonly string[];
}

describe.runIf(found)('the docs page in a browser', () => {
  let browser: Browser;
  let sandbox: Sandbox;
  let base: string;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: flags });
    sandbox = createSandbox();
    base = (await sandbox.listen({ port: 0 })).url;
  });

  afterAll(async () => {
    await browser.close();
    await sandbox.close();
  });

  async function visit(path: string, options: BrowserContextOptions = {}): Promise<Visit> {
    const context = await browser.newContext({
      viewport: { width: 1280, height: 900 },
      ...options,
    });
    // A busy machine may draw slowly.
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    const errors: string[] = [];
    const requests: string[] = [];
    page.on('console', (line) => {
      if (line.type() === 'error') errors.push(line.text());
    });
    page.on('pageerror', (error) => errors.push(error.message));
    page.on('request', (request) => requests.push(request.url()));
    await page.goto(new URL(path, base).href, { waitUntil: 'networkidle' });
    return { page, errors, requests };
  }

  /** Opens a docs page. The network may be idle before Swagger UI has drawn the document. */
  async function visitDrawn(path: string, options?: BrowserContextOptions): Promise<Visit> {
    const visited = await visit(path, options);
    // It draws all groups and operations at once.
    await visited.page.locator('.opblock').first().waitFor();
    return visited;
  }

  const outside = (requests: readonly string[]): readonly string[] =>
    requests.filter((url) => !url.startsWith(`${base}/`) && !url.startsWith('data:'));

  it('lists cards as another merchant', async () => {
    const { page, errors, requests } = await visit('/docs');
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    const bearer = page.locator('.auth-container', { hasText: 'bearer' });
    await bearer.getByRole('button', { name: 'Remove authorization' }).click();
    await bearer.locator('input').fill('sandbox.demo');
    await bearer.getByRole('button', { name: 'Apply credentials' }).click();
    await bearer.getByRole('button', { name: 'Close', exact: true }).click();

    const list = page.locator('.opblock', { has: page.getByText('List cards', { exact: true }) });
    await list.locator('.opblock-summary').click();
    await list.getByRole('button', { name: 'Try it out' }).click();
    await list.getByRole('button', { name: 'Execute' }).click();
    const answer = list.locator('.live-responses-table');
    await answer.waitFor();

    expect(await answer.locator('.response-col_status').last().innerText()).toContain('200');
    expect(await answer.innerText()).toContain('CARD-VISA0000000000001EXAMPLE');
    expect(sandbox.merchants()).toContain('demo');
    expect(outside(requests)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('advances a clock from the control page', async () => {
    const { page, errors, requests } = await visit('/docs/control');
    const change = page.locator('.opblock-post', { hasText: '/_sandbox/clock' });
    await change.locator('.opblock-summary').click();
    await change.getByRole('button', { name: 'Try it out' }).click();
    const beforeMs = Date.parse(sandbox.clock.read().now);
    await change.getByRole('button', { name: 'Execute' }).click();
    await change.locator('.live-responses-table').waitFor();

    const dayMs = 86_400_000;
    expect(Date.parse(sandbox.clock.read().now) - beforeMs).toBeGreaterThanOrEqual(dayMs);
    expect(outside(requests)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('links the service document and the control document to each other', async () => {
    const { page, errors } = await visit('/');
    await page.getByRole('link', { name: 'Service', exact: true }).click();
    await page.locator('.opblock').first().waitFor();
    expect(await page.title()).toContain('Card vault and vaulted-card payments');
    await page.getByRole('link', { name: /^Control/ }).click();
    await page.getByText('/_sandbox/reset').first().waitFor();
    expect(await page.title()).toContain('Sandbox control');
    expect(errors).toEqual([]);
  });

  it('links to the verdict, which runs no script and loads nothing', async () => {
    // The other tests send requests, and this verdict is about none.
    const unused = createSandbox();
    const { url } = await unused.listen({ port: 0 });
    const { page, errors, requests } = await visit(`${url}/`);
    await page.getByRole('link', { name: 'Verdict', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Waiting for requests' }).waitFor();
    await page.getByRole('link', { name: 'Start', exact: true }).click();
    await page.getByRole('link', { name: 'About', exact: true }).waitFor();
    expect(requests.filter((address) => !address.startsWith(`${url}/`))).toEqual([]);
    expect(errors).toEqual([]);
    await unused.close();
  });

  it('links a verdict to its journal entries', async () => {
    const shop = sandbox.merchant('looked-at');
    await sandbox.request('/v1/payments/payment', {
      method: 'POST',
      headers: { Authorization: `Bearer ${shop.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify(rawPaymentBody()),
    });
    const { page, errors, requests } = await visit('/_sandbox/verdict?merchant=looked-at');
    const [entry] = shop.journal().entries;
    await page
      .getByRole('link', { name: entry?.debugId ?? '' })
      .first()
      .click();
    await page.getByText('POST /v1/payments/payment returned 201.').waitFor();
    expect(outside(requests)).toEqual([]);
    expect(errors).toEqual([]);
  });

  it('refuses a page whose host name resolves to this machine', async () => {
    const { port } = new URL(base);
    const context = await browser.newContext();
    context.setDefaultTimeout(120_000);
    const page = await context.newPage();
    await page.goto(`http://rebound.test:${port}/`);
    const statuses = await page.evaluate(async () => {
      const plain = await fetch('/_sandbox/world');
      const disguised = await fetch('/_sandbox/world', {
        headers: { 'Accept-Language': '*', 'User-Agent': 'node' },
      });
      const changing = await fetch('/_sandbox/reset', { method: 'POST' });
      return [plain.status, disguised.status, changing.status];
    });
    expect(statuses).toEqual([403, 403, 403]);
  });

  describe.each(['/docs', '/docs/control'])('%s', (path) => {
    it('follows the colour scheme, also when it changes', async () => {
      const { page } = await visitDrawn(path, { colorScheme: 'dark' });
      const brightness = () =>
        page.evaluate(() =>
          ['body', '#swagger-ui .info .title', '.opblock-tag a'].map((selector) => {
            const { backgroundColor, color } = getComputedStyle(
              document.querySelector(selector) ?? document.body,
            );
            const shown = selector === 'body' ? backgroundColor : color;
            return Math.max(...(shown.match(/\d+/g) ?? []).map(Number)) > 128;
          }),
        );
      await expect.poll(brightness).toEqual([false, true, true]);
      await page.emulateMedia({ colorScheme: 'light' });
      await expect.poll(brightness).toEqual([true, false, false]);
    });

    it.each(['light', 'dark'] as const)(
      'has enough contrast in the %s scheme',
      async (colorScheme) => {
        const { page } = await visitDrawn(path, { colorScheme });
        const faint = await page
          .locator('.opblock-summary-method, .info small pre, .info a, .btn.authorize')
          .evaluateAll((elements) => {
            const channels = (text: string) => (text.match(/[\d.]+/g) ?? []).map(Number);
            // The relative luminance of WCAG 2.
            const luminance = (text: string) => {
              const [red = 0, green = 0, blue = 0] = channels(text).map((channel) =>
                channel <= 10 ? channel / 3294 : ((channel / 255 + 0.055) / 1.055) ** 2.4,
              );
              return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
            };
            const paperOf = (element: Element | null): string => {
              if (element === null) return 'rgb(255, 255, 255)';
              const { backgroundColor } = getComputedStyle(element);
              return channels(backgroundColor)[3] === 0
                ? paperOf(element.parentElement)
                : backgroundColor;
            };
            return elements.flatMap((element) => {
              const both = [getComputedStyle(element).color, paperOf(element)].map(luminance);
              const contrast = (Math.max(...both) + 0.05) / (Math.min(...both) + 0.05);
              return contrast < 4.5 ? [`${element.textContent}: ${contrast.toFixed(2)}`] : [];
            });
          });
        expect(faint).toEqual([]);
      },
    );

    it('puts descriptions of groups on their own line on a narrow screen', async () => {
      const { page } = await visitDrawn(path, { viewport: { width: 360, height: 800 } });
      const widths = await page
        .locator('.opblock-tag small')
        .evaluateAll((texts) => texts.map((text) => text.getBoundingClientRect().width));
      expect(widths.length).toBeGreaterThan(3);
      expect(Math.min(...widths)).toBeGreaterThan(240);
    });
  });

  it('names its fields and sections, and lets a keyboard scroll code', async () => {
    const { page } = await visit('/docs#/Vault/card.list');
    await page.locator('.opblock.is-open').waitFor();
    await page.getByRole('combobox', { name: 'Server' }).waitFor();
    await page.getByRole('region', { name: 'Server and credentials' }).waitFor();
    await page.getByRole('combobox', { name: 'sort_by', exact: true }).waitFor();
    expect(await page.locator('pre.microlight:not([tabindex])').count()).toBe(0);
    expect(await page.locator('button a, [role=region]:not([aria-label])').count()).toBe(0);
    await page.locator('h3[aria-level="2"]', { hasText: 'Vault' }).waitFor();
    await page.locator('h4[aria-level="3"]', { hasText: 'Parameters' }).waitFor();
    await page.getByRole('button', { name: 'Authorize', exact: true }).click();
    await page.getByRole('button', { name: 'Close the dialog' }).click();
  });

  it('puts the open operation into the address bar', async () => {
    const { page } = await visit('/docs');
    await page.getByRole('button', { name: 'GET /v1/vault/credit-cards List cards' }).click();
    await page.locator('.opblock.is-open').waitFor();
    expect(new URL(page.url()).hash).toBe('#/Vault/card.list');
  });

  it.each(['/', '/docs', '/docs/control'])('fits a narrow screen: %s', async (path) => {
    const { page } = path === '/' ? await visit(path) : await visitDrawn(path);
    await page.setViewportSize({ width: 360, height: 800 });
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    expect(width).toBeLessThanOrEqual(360);
  });

  it('is a plain list without scripts', async () => {
    const { page } = await visit('/docs', { javaScriptEnabled: false });
    expect(await page.getByRole('table').isVisible()).toBe(true);
    expect(await page.getByRole('row').count()).toBeGreaterThan(15);
  });
});
