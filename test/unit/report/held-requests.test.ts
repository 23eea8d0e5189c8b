/** The timeline of requests that gates held: each is drawn until its release, and said in words. */
import { chromium } from 'playwright-core';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createSandbox, type Merchant } from '../../../src/index.ts';
import { storyOf } from '../../../src/report/text.ts';
import { rawPaymentBody } from '../../support/samples.ts';

const start = '2026-05-06T07:08:09.000Z';

function newMerchant(): Merchant {
  return createSandbox({
    seed: 'held',
    fixtures: 'empty',
    clock: { start, frozen: true },
  }).merchant('shop');
}

function payOnce({ fetch }: Merchant, custom = 'A-7'): Promise<Response> {
  return fetch('http://sandbox/v1/payments/payment', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(rawPaymentBody({}, { transaction: { custom } })),
  });
}

/** Two clicks that a gate holds, released in this order, with a second between the releases. */
async function clickTwice(order: readonly number[], at?: 'before-answer'): Promise<Merchant> {
  const merchant = newMerchant();
  merchant.hold({ op: 'payment.create', count: 2, ...(at !== undefined && { at }) });
  const clicks = [payOnce(merchant), payOnce(merchant)];
  const held = await merchant.waitForHeld();
  for (const number of order) {
    merchant.clock.advance(1000);
    merchant.release([held[number - 1]?.debugId ?? '']);
    await clicks[number - 1];
  }
  await Promise.all(clicks);
  return merchant;
}

const words = (markup: string): string =>
  markup
    .replaceAll(/<svg.*?<\/svg>/gs, '')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/\s+/g, ' ');

/** The rows of the only purchase, as `0 ms what happened`, without debug ids. */
async function rowsOf(merchant: Merchant): Promise<string[]> {
  const page = await merchant.verdictPage();
  return [...page.matchAll(/<li>\s*<time.*?<\/li>/gs)].map(([row]) =>
    words(row)
      .replaceAll(/ [0-9a-f]{13}\b/g, '')
      .trim(),
  );
}

describe('the timeline of a double click', () => {
  it('shows both requests held, and released in reverse', async () => {
    const rows = await rowsOf(await clickTwice([2, 1]));
    expect(rows).toEqual([
      '0 ms payment.create held at gate gate-1 before commit, as request 1.',
      '0 ms payment.create held at gate gate-1 before commit, as request 2.',
      expect.stringMatching(
        /^\+1 s Released as number 1 by release: payment\.create executed; answer 201; .* 7\.47 USD charged/,
      ),
      expect.stringMatching(
        /^\+2 s Released as number 2 by release: payment\.create executed; answer 201; .* 7\.47 USD charged/,
      ),
    ]);
  });

  it('shows the money where it was charged if only the answer was held', async () => {
    const rows = await rowsOf(await clickTwice([1, 2], 'before-answer'));
    expect(rows.map((row) => [row.includes('held'), row.includes('USD charged')])).toEqual([
      [true, true],
      [true, true],
      [false, false],
      [false, false],
    ]);
    expect(rows[0]).toMatch(/^0 ms payment\.create executed and held at gate gate-1 before answer/);
  });

  it('shows a request that came after the release below it', async () => {
    const merchant = newMerchant();
    merchant.hold({ op: 'payment.create', count: 1 });
    const first = payOnce(merchant);
    await merchant.waitForHeld();
    await payOnce(merchant);
    merchant.release();
    await first;
    await payOnce(merchant);
    expect((await rowsOf(merchant)).map((row) => /held|Released|executed/.exec(row)?.[0])).toEqual([
      'held',
      'executed',
      'Released',
      'executed',
    ]);
  });

  it('draws how long each request was held, side by side', async () => {
    const page = await (await clickTwice([2, 1])).verdictPage();
    const lines = [...page.matchAll(/class="held"([^/]*)\/>/g)].map(([, parts = '']) =>
      [...parts.matchAll(/(\w+)="([\d.]+)"/g)].map(([, , value]) => Number(value)),
    );
    const [[x1 = 0, , from1 = 0, to1 = 0] = [], [x2 = 0, , from2 = 0, to2 = 0] = []] = lines;
    expect(lines).toHaveLength(2);
    expect(x1).not.toBe(x2);
    expect(from1).toBeLessThan(from2);
    // The second one is released first.
    expect([from2 < to2, to2 < to1]).toEqual([true, true]);
  });

  it('says in the text which request was released first', async () => {
    const { purchases } = await (await clickTwice([2, 1])).verdict();
    const rows = purchases.flatMap((one) => storyOf(one)).filter((line) => line.includes('gate-1'));
    expect(rows.map((row) => /\[.*\]$/.exec(row)?.[0])).toEqual([
      '[held at gate-1, released as number 2]',
      '[held at gate-1, released as number 1]',
    ]);
  });

  it('says in the text that the time of the gate released a request', async () => {
    const merchant = newMerchant();
    merchant.hold({ op: 'payment.create', count: 2, timeoutMs: 20 });
    await payOnce(merchant);
    const { purchases } = await merchant.verdict();
    expect(purchases.flatMap((one) => storyOf(one))[0]).toContain(
      '[held at gate-1, released as number 1 by its timeout]',
    );
  });

  it('has no gates in its verdict if none held a request', async () => {
    const merchant = newMerchant();
    await payOnce(merchant);
    const { purchases } = await merchant.verdict();
    expect(purchases[0]?.attempts[0]).not.toHaveProperty('held');
    expect(await merchant.verdictPage()).not.toContain('class="held"');
  });
});

const executablePath = process.env['CHROMIUM'] ?? '/usr/bin/chromium';

describe.runIf(existsSync(executablePath))('the timeline of held requests on a phone', () => {
  it('shows all texts within the drawing', async () => {
    const browser = await chromium.launch({
      executablePath,
      args: ['--no-sandbox', '--disable-gpu'],
    });
    try {
      const merchant = await clickTwice([2, 1]);
      merchant.hold({
        op: 'payment.create',
        count: 1,
        name: 'a gate with a very long name'.repeat(3),
      });
      const third = payOnce(merchant);
      await merchant.waitForHeld();
      merchant.release();
      await third;
      const tab = await browser.newPage({ viewport: { width: 360, height: 800 } });
      await tab.setContent(await merchant.verdictPage());
      const wide: unknown = await tab.evaluate('document.documentElement.scrollWidth');
      expect(wide).toBe(360);
      expect(await tab.locator('.timeline .gate').allInnerTexts()).toHaveLength(3);
      expect(await tab.evaluate(collisions)).toEqual([]);
    } finally {
      await browser.close();
    }
  });
});

/** Runs in the browser: returns texts that leave their drawing, or lie on another text. */
const collisions = `[...document.querySelectorAll('.timeline')].flatMap((drawing) => {
  const outer = drawing.getBoundingClientRect();
  const texts = [...drawing.querySelectorAll('text')].map((text) => [text.textContent.trim(), text.getBoundingClientRect()]);
  const meet = (a, b) => a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3;
  return texts
    .filter(([, box], at) => box.left < outer.left || box.right > outer.right || texts.some(([, other], index) => index > at && meet(box, other)))
    .map(([words]) => words);
})`;
