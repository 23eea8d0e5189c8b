/** The HTML page of verdicts: its content, its escaping and its limited size. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Coverage, Verdict } from '../../../src/index.ts';
import { verdictHtml } from '../../../src/report/html/page.ts';
import { formatRounded, formatSince } from '../../../src/report/html/purchase-rows.ts';
import { sumTotals } from '../../../src/report/html/summary.ts';
import { hostile, made, playPage, type SampleRun } from './sample-verdicts.ts';

let played: SampleRun;
let page: string;

beforeAll(async () => {
  ({ played, page } = await playPage());
});

afterAll(() => played.sandbox.close());

const collapseSpaces = (text: string): string => text.replaceAll(/\s+/g, ' ');

describe('the page', () => {
  it('shows the result and the totals of all merchants', () => {
    const text = collapseSpaces(page);
    expect(text).toContain('<title>3 merchants: verdict failed &ndash; card-vault-sandbox</title>');
    expect(text).toContain('<dt>Merchants failed</dt> <dd>2 of 3</dd>');
    expect(text).toContain('card-vault-sandbox 1.2.3, <time datetime="2026-05-06T07:08:09.000Z">');
    expect(text).toContain(
      'USD more than ordered</small> <small>541.98 charged, 0.00 returned</small></dd>',
    );
    expect(text).toContain('Rule rule-4 never fired');
  });

  it('says for each merchant how much of the money is too much', () => {
    const rows = [
      ...collapseSpaces(page).matchAll(/<tr>.*?<bdi>([a-z]+)<.*?"Money kept"> (.*?) <\/td>/g),
    ];
    const bad = (money: string) => `<small class="bad">${money} more than ordered</small>`;
    expect(rows.map(([, name, money]) => [name, money])).toEqual([
      ['careless', `150.55 USD ${bad('90.33 USD')}`],
      ['hostile', `301.10 USD ${bad('150.55 USD')}`],
      ['careful', '90.33 USD'],
    ]);
  });

  it('names the merchant in its title if there is only one', async () => {
    const coverage = played.sandbox.all.coverage();
    const pages = await Promise.all(
      played.verdicts.map(async (verdict) =>
        collapseSpaces(await verdictHtml({ verdicts: [verdict], coverage, ...made })),
      ),
    );
    const titles = pages.map((text) => /<title>(.*?) &ndash;/.exec(text)?.[1]);
    expect(titles.toSorted()).toEqual([
      'careful: verdict passed',
      'careless: verdict failed',
      'hostile: verdict failed',
    ]);
    expect(pages.filter((text) => /<h1>[^<]*: <bdi>care(ful|less)<\/bdi>/.test(text))).toHaveLength(
      2,
    );
  });

  it('shows failed merchants first', () => {
    const names = [...page.matchAll(/<bdi>([a-z]+)<\/bdi>\s*<\/h2>/g)].map(([, name]) => name);
    expect(names).toEqual(['careless', 'hostile', 'careful']);
  });

  it('links each finding to its purchase', () => {
    const anchors = [...page.matchAll(/<a href="#([^"]+)"/g)].map(([, anchor]) => anchor ?? '');
    expect(anchors.filter((anchor) => anchor.includes('purchase')).length).toBe(22);
    expect(anchors.filter((anchor) => !page.includes(`id="${anchor}"`))).toEqual([]);
    const ids = [...page.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('skips no heading level', () => {
    const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
    const jumps = levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1);
    expect(jumps).toEqual([]);
    expect(new Set(levels)).toEqual(new Set([1, 2, 3, 4]));
  });

  it('draws each purchase and lists the same in words', () => {
    const [, tickets = ''] =
      /(<article class="purchase[^>]*>\s*<header>\s*<h4>two tickets.*?<\/article>)/s.exec(page) ??
      [];
    expect(tickets.match(/class="coin"/g)).toHaveLength(3);
    expect(tickets.match(/class="learned never"/g)).toHaveLength(2);
    expect(tickets.match(/class="mark UNKNOWN"/g)).toHaveLength(2);
    expect(tickets.match(/class="mark OK"/g)).toHaveLength(1);
    expect(tickets).toContain('answer lost');
    const words = collapseSpaces(tickets.slice(tickets.indexOf('<ol>')).replaceAll(/<[^>]+>/g, ''));
    expect(words).toContain(
      '0 ms payment.create executed; answer lost; the client cannot know the result. reset-after-commit',
    );
    expect(words).toContain(
      '30.11 USD charged, completed, 30.11 kept; the client never learned of it.',
    );
    expect(words).toContain(
      '+700 ms payment.create executed; answer 201; the client knows that it succeeded.',
    );
  });

  it('shows when the client learned of each charge', () => {
    const text = collapseSpaces(page);
    // The retry for INV-100 disclosed the charge 1.2 s later.
    expect(text).toMatch(/INV-100.*?>known \+1\.2 s<.*?INV-101.*?>known at once</);
  });

  it('shows the coverage and what to try next', () => {
    const text = collapseSpaces(page);
    expect(text).toContain('<strong>20 %</strong> covered');
    expect(text).toMatch(
      /reset-after-commit<\/th> <td class="met" data-name="payment.create">&check;<span> 7<\/span><\/td>/,
    );
    expect(text).toMatch(
      /close-after-commit<\/th> <td class="missed" data-name="payment.create"> &cir;/,
    );
    expect(text).toContain(`force({ op: 'payment.create', outcome: 'close-after-commit' })`);
  });

  it('loads nothing and runs no scripts', () => {
    expect(page).not.toMatch(/<(?:script|link|img|iframe|object|form|base)\b/i);
    const tags = [...page.matchAll(/<[a-z][^>]*>/gi)].join('\n');
    expect(tags.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/\b(?:src|srcset|action|data)=/i);
    expect(tags).not.toMatch(/(?:href|src)="(?!#)/);
    expect(page).toContain(`content="default-src 'none'; style-src 'unsafe-inline'"`);
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
    expect(style).toContain('prefers-color-scheme: dark');
    expect(style).toContain('@media print');
    expect(style).not.toMatch(/url\(|@import/);
  });

  it('escapes the texts of merchants', () => {
    expect(page).toContain('&lt;script&gt;document.title=&#39;owned&#39;&lt;/script&gt;');
    expect(page).toContain('&amp;lt;b&amp;gt; &amp;amp; ]]&gt; --&gt;');
    expect(page.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u);
    expect(page).toContain('INV\ufffd[31m\ufffd\ufffdtxet');
    // The page itself has no event handlers.
    expect(page.replaceAll(/"[^"]*"/g, '""')).not.toMatch(/<[^>]*\bon\w+=/);
    expect(page).not.toContain(hostile.attribute);
  });

  it('says how many expectations held', async () => {
    const [verdict] = played.verdicts;
    if (verdict === undefined) throw new Error('A sample verdict is missing.');
    const expectations = [true, false].map((ok) => ({
      place: 'orphans',
      expected: '0',
      found: '0',
      ok,
    }));
    const one = {
      verdicts: [{ ...verdict, expectations }],
      coverage: played.sandbox.all.coverage(),
      ...made,
    };
    expect(collapseSpaces(await verdictHtml(one))).toContain(
      'purchases, 1 of 2 expectations held. Findings',
    );
    expect(page).not.toContain('expectations held');
  });

  it.each([
    [true, 'Waiting for requests', '0 of 1', ' Send a request, then load this page again.'],
    [false, '✕ Verdict failed', '1 of 1', '</li>'],
  ])('says what to do, and shows no coverage, without requests (may wait: %s)', async (...row) => {
    const [mayWait, headline, failed, after] = row;
    const { sandbox } = played;
    const verdict = await sandbox.merchant('unused').verdict();
    const coverage: Coverage = { ...sandbox.all.coverage(), operations: {}, tried: {} };
    const input = { verdicts: [verdict], coverage, ...made, mayWait };
    const text = collapseSpaces(await verdictHtml(input));
    expect(text).toContain(`<h1>${headline}: <bdi>unused</bdi></h1>`);
    expect(text).toContain(`<dt>Merchants failed</dt> <dd>${failed}</dd>`);
    expect(text).toContain(
      `Merchant unused sent no requests, so nothing was tested. Check the client id in your code. Requests came from: careful, careless, hostile.${after}`,
    );
    expect(text).not.toContain('id="coverage"');
    expect(text).not.toContain('<article class="purchase');
  });

  it('limits its size and says what it leaves out', async () => {
    const careless = played.verdicts[1];
    const [finding, purchase] = [careless?.findings[0], careless?.purchases[0]];
    const attempt = purchase?.attempts[0];
    if (!careless || !finding || !purchase || !attempt)
      throw new Error('A sample verdict is missing.');
    const long = '"<&'.repeat(2000);
    const many = <T>(one: T, count: number): T[] => Array.from({ length: count }, () => one);
    const verdict: Verdict = {
      ...careless,
      findings: many({ ...finding, what: long, remedy: long, evidence: many('abcdef', 500) }, 300),
      reasons: many({ kind: 'expectation', text: long }, 300),
      purchases: many(
        { ...purchase, label: long, attempts: many({ ...attempt, problem: long }, 400) },
        100,
      ),
      counts: { ...careless.counts, purchases: 5000 },
    };
    const coverage = played.sandbox.all.coverage();
    const explainedAt = (merchant: string, debugId: string): string =>
      `/_sandbox/journal/${debugId}?merchant=${merchant.padEnd(128, 'm')}`;
    const all = { verdicts: many(verdict, 700), coverage, ...made, explainedAt };
    const text = await verdictHtml(all);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000_000);
    const words = collapseSpaces(text);
    expect(words).toContain('680 more merchants are not on this page.');
    expect(words).toContain('280 more findings are not on this page.');
    expect(words).toContain('378 more requests are not on this page.');
    expect(words).toContain('4940 of 5000 purchases are not on this page.');
  });
});

describe('a duration', () => {
  it.each([
    [0.4, '0 ms'],
    [999, '999 ms'],
    [1000, '1 s'],
    [3240, '3.2 s'],
    [119_000, '119 s'],
    [120_000, '2 min'],
    [7_300_000, '2 h'],
    [12 * 86_400_000, '12 d'],
  ])('shows %d ms as %s', (ms, words) => {
    expect(formatRounded(ms)).toBe(words);
  });

  it('counts from the first row', () => {
    expect(formatSince(made.madeAt, made.madeAt)).toBe('0 ms');
    expect(formatSince(made.madeAt, '2026-05-09T07:08:09.000Z')).toBe('+3 d');
  });
});

describe('the totals of several merchants', () => {
  it('add up to the cent for each currency', () => {
    const [one] = played.verdicts;
    if (one === undefined) throw new Error('A sample verdict is missing.');
    const of = (
      currency: string,
      charged: string,
      returned: string,
      net: string,
      more: Partial<Verdict['totals'][number]> = {},
    ): Verdict => ({ ...one, totals: [{ currency, charged, returned, net, ...more }] });
    expect(
      sumTotals([
        of('USD', '0.10', '0.00', '0.10', { excess: '0.03', excessRefunded: '0.70' }),
        of('USD', '0.00', '0.00', '0.00', { excessRefunded: '0.05' }),
        of('USD', '9999999.20', '10000000.30', '-1.10'),
        of('JPY', '1200', '200', '1000'),
      ]),
    ).toEqual([
      {
        currency: 'USD',
        charged: '9999999.30',
        returned: '10000000.30',
        net: '-1.00',
        excess: '0.03',
        excessRefunded: '0.75',
      },
      { currency: 'JPY', charged: '1200', returned: '200', net: '1000' },
    ]);
  });
});
