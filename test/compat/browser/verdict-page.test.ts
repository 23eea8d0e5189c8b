/** The HTML page of verdicts in a real browser: it loads nothing, fits its width and can be read. */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import { verdictHtml } from '../../../src/report/html/page.ts';
import { rawPaymentBody } from '../../support/samples.ts';
import { hostile, made, playPage, type SampleRun } from '../../unit/report/sample-verdicts.ts';

let played: SampleRun;
let page: string;

beforeAll(async () => {
  ({ played, page } = await playPage());
});

afterAll(() => played.sandbox.close());

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';
const found = existsSync(executablePath);
if (!found) {
  process.stdout.write(
    `The browser tests of the verdict page did not run: no Chromium at ${executablePath}. ` +
      'Install it (Debian: apt-get install chromium) or set CHROMIUM to its path.\n',
  );
}

describe.runIf(found)('the page of a verdict in a browser', () => {
  let browser: Browser;
  let folder: string;

  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
    folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-page-'));
    writeFileSync(join(folder, 'verdict.html'), page);
  });

  afterAll(async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  });

  it.each([
    ['a desk', 1280, 'light'],
    ['a phone', 390, 'dark'],
  ] as const)('opens from a file on %s and fits its width', async (_name, width, colorScheme) => {
    const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme });
    const tab = await context.newPage();
    const [asked, errors]: [string[], string[]] = [[], []];
    tab.on('request', (request) => asked.push(request.url()));
    tab.on('console', (line) => errors.push(line.text()));
    tab.on('pageerror', (error) => errors.push(error.message));
    const url = pathToFileURL(join(folder, 'verdict.html')).href;
    await tab.goto(url);
    expect([asked, errors]).toEqual([[url], []]);
    // The script in a description did not run.
    expect(await tab.title()).toBe('3 merchants: verdict failed – card-vault-sandbox');
    expect(await tab.getByRole('heading', { level: 1 }).innerText()).toContain(
      'Verdict failed: 2 of 3 merchants',
    );
    expect(await tab.getByRole('heading', { name: hostile.markup }).count()).toBe(1);
    expect(
      await tab.getByRole('img', { name: /Timeline of purchase two tickets: 3 requests/ }).count(),
    ).toBe(1);
    const wide = await tab.evaluate('document.documentElement.scrollWidth');
    expect(wide).toBeLessThanOrEqual(width);
    await context.close();
  });

  it('breaks long names of gates, and marks money that is too much, on a phone', async () => {
    const sandbox = createSandbox({ seed: 'page', fixtures: 'empty' });
    onTestFinished(() => sandbox.close());
    const merchant = sandbox.merchant('shop');
    const pay = () =>
      merchant.fetch('http://sandbox.local/v1/payments/payment', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(rawPaymentBody({}, { transaction: { custom: 'A-7' } })),
      });
    for (const letter of ['g', 'h']) {
      merchant.hold({ op: 'payment.create', count: 2, name: letter.repeat(90) });
    }
    const payments = [pay(), pay()];
    await merchant.waitForHeld({ times: 2, timeoutMs: 120_000 });
    merchant.release();
    await Promise.all(payments);
    const tab = await browser.newPage({ viewport: { width: 360, height: 800 } });
    await tab.setContent(await merchant.verdictPage());
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBe(360);
    const colorOf = (selector: string) =>
      tab
        .locator(selector)
        .first()
        .evaluate((element) => getComputedStyle(element).color);
    expect(await colorOf('.tiles small.bad')).toBe(await colorOf('.mast.bad h1'));
    await tab.close();
  });

  it('draws long amounts in full', async () => {
    const careless = played.verdicts[1];
    if (careless === undefined) throw new Error('A sample verdict is missing.');
    const amount = { total: '9999999.99', currency: 'USD' };
    const purchases = careless.purchases.map((purchase) => ({
      ...purchase,
      charges: purchase.charges.map((charge) => ({ ...charge, amount })),
    }));
    const coverage = played.sandbox.all.coverage();
    const text = await verdictHtml({ verdicts: [{ ...careless, purchases }], coverage, ...made });
    const tab = await browser.newPage({ viewport: { width: 360, height: 800 } });
    await tab.setContent(text);
    const sums = await tab.locator('.sum').allTextContents();
    expect(new Set(sums)).toEqual(new Set(['9999999.99', '2 × 9999999.99']));
    expect(await tab.evaluate(cutOff)).toEqual([]);
    await tab.close();
  });

  it('shows the coverage bar with forced colours', async () => {
    const context = await browser.newContext({ forcedColors: 'active' });
    const tab = await context.newPage();
    await tab.goto(pathToFileURL(join(folder, 'verdict.html')).href);
    const styleOf = (selector: string) =>
      tab.locator(selector).evaluate((element) => {
        const { backgroundColor, borderTopStyle } = getComputedStyle(element);
        return { backgroundColor, borderTopStyle };
      });
    const [bar, fill] = await Promise.all([styleOf('.bar'), styleOf('.bar div')]);
    expect(bar.borderTopStyle).toBe('solid');
    expect(fill.backgroundColor).not.toBe(bar.backgroundColor);
    await context.close();
  });

  it('fits the width of paper', async () => {
    const tab = await browser.newPage({ viewport: { width: 794, height: 1123 } });
    await tab.emulateMedia({ media: 'print' });
    await tab.goto(pathToFileURL(join(folder, 'verdict.html')).href);
    expect(await tab.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(794);
    await tab.close();
  });

  it.each([
    ['a desk', 1280, 'screen'],
    ['paper', 794, 'print'],
  ] as const)(
    'shows the whole merchant table with long names on %s',
    async (_name, width, media) => {
      const named = played.verdicts.map((verdict, at) => ({
        ...verdict,
        merchant: `${at}`.padEnd(128, 'm'),
      }));
      const coverage = played.sandbox.all.coverage();
      const tab = await browser.newPage({ viewport: { width, height: 800 } });
      await tab.emulateMedia({ media });
      await tab.setContent(await verdictHtml({ verdicts: named, coverage, ...made }));
      const table = await tab.getByRole('table').first().boundingBox();
      const region = await tab.getByRole('region', { name: 'Merchants' }).boundingBox();
      expect(table?.width).toBeGreaterThan(0);
      expect(table?.width).toBeLessThanOrEqual(region?.width ?? 0);
      await tab.close();
    },
  );

  it('has enough contrast for every text', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const context = await browser.newContext({ colorScheme });
      const tab = await context.newPage();
      await tab.goto(pathToFileURL(join(folder, 'verdict.html')).href);
      expect(await tab.evaluate(weakTexts)).toEqual([]);
      await context.close();
    }
  });
});

/** Runs in the browser: returns texts that reach beyond the edge of their drawing. */
const cutOff = `[...document.querySelectorAll('.timeline text')]
  .filter((text) => {
    const [inner, outer] = [text, text.ownerSVGElement].map((box) => box.getBoundingClientRect());
    return inner.left < outer.left || inner.right > outer.right;
  })
  .map((text) => text.textContent.trim())`;

/** Runs in the browser: returns texts with a contrast below 4.5 to 1 (WCAG 2). */
const weakTexts = `(() => {
  const channels = (colour) => (colour.match(/[\\d.]+/g) ?? []).map(Number);
  const light = ([r, g, b]) => {
    const [x, y, z] = [r, g, b].map((v) => (v / 255 <= 0.04045 ? v / 255 / 12.92 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  };
  const behind = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const colour = channels(getComputedStyle(at).backgroundColor);
      if (colour.length === 3 || colour[3] === 1) return colour;
    }
    return [255, 255, 255];
  };
  const weak = new Set();
  for (const element of document.querySelectorAll('body *')) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '');
    if (!hasText || element.classList.contains('sign-word')) continue;
    const style = getComputedStyle(element);
    const ink = light(channels(element.namespaceURI.endsWith('svg') ? style.fill : style.color));
    const paper = light(behind(element));
    const contrast = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
    if (contrast < 4.5) weak.add(element.className.baseVal ?? element.tagName + '.' + element.className);
  }
  return [...weak];
})()`;
