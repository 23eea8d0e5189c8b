/** Reports of many merchants, findings and pending sales: short enough to read, with counts that are true. */
import { beforeAll, describe, expect, it } from 'vitest';
import { createSandbox, type Merchant, type OutcomeId, type Verdict } from '../../../src/index.ts';
import { describePending, pendingFates, type Finding } from '../../../src/report/verdicts.ts';
import { verdictHtml } from '../../../src/report/html/page.ts';
import { storyOf, verdictText } from '../../../src/report/text.ts';
import { rawPaymentBody } from '../../support/samples.ts';
import { sampleVerdicts } from './sample-verdicts.ts';

let careful: Verdict;
let careless: Verdict;

beforeAll(async () => {
  [careful, careless] = await sampleVerdicts();
});

const merchants = (count: number): Verdict[] =>
  Array.from({ length: count }, (_, at) => ({ ...careful, merchant: `calm-${at}` }));

describe('the text of many merchants', () => {
  it('gives one line to more than twenty that passed with nothing to say', () => {
    const lines = verdictText([...merchants(21), careless], 100).split('\n\n');
    expect(lines[0]).toMatch(/^FAILED careless {2}/);
    expect(lines.slice(-2)).toEqual([
      'PASSED 21 merchants: calm-0, calm-1, calm-2, calm-3, calm-4 and 16 more',
      'FAILED 1 of 22 merchants: careless',
    ]);
  });

  it('shows twenty that failed in full, and counts the others', () => {
    const failed = Array.from({ length: 600 }, (_, at) => ({ ...careless, merchant: `bad-${at}` }));
    const text = verdictText([...merchants(3), ...failed], 100);
    expect(text.match(/^FAILED bad-\d+ {2}/gm)).toHaveLength(20);
    expect(text).toContain(
      '\n\n580 more merchants with something to say. Select one with --merchant <id>. For more: --html or --json with a file name.\n',
    );
    expect(text.match(/^PASSED calm-\d {2}/gm)).toHaveLength(3);
    expect(text).toMatch(/\nFAILED 600 of 603 merchants: bad-0, .* and 595 more$/);
  });

  it('lists up to twenty of them, and each that has something to say', () => {
    expect(verdictText(merchants(20), 100)).toContain('\n\nPASSED calm-19  7 requests');
    const [finding] = careless.findings;
    const remark: Verdict = {
      ...careful,
      merchant: 'with-remark',
      findings: finding === undefined ? [] : [{ ...finding, severity: 'low' }],
    };
    const text = verdictText([...merchants(21), remark], 100);
    expect(text).toContain('PASSED with-remark  7 requests, 3 purchases, 1 finding\n');
    expect(text).not.toContain('PASSED calm-0');
  });
});

describe('the text of many findings', () => {
  it('shows ten of each rule and ten purchases, and counts all', async () => {
    const merchant = createSandbox({ seed: 'many', fixtures: 'empty' }).merchant('shop');
    merchant.force({ op: 'payment.create', outcome: 'executed-twice-by-proxy', times: 12 });
    for (let at = 0; at < 12; at++) {
      await merchant.fetch('http://sandbox/v1/payments/payment', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'PayPal-Request-Id': `key of order ${at}` },
        body: JSON.stringify(rawPaymentBody({}, { transaction: { custom: `order ${at}` } })),
      });
    }
    const verdict = await merchant.verdict();
    const doubled = verdict.findings.filter(({ rule }) => rule === 'double-charge').length;
    const total = verdict.findings.length;
    const text = verdictText([verdict], 100);
    expect(doubled).toBe(12);
    expect(text).toContain(`12 purchases, ${total} findings`);
    expect(text.match(/ double-charge\b/g)).toHaveLength(10);
    expect(text).toContain('of the same rules. For more: --html or --json with a file name.');
    expect(text.match(/What happened to order/g)).toHaveLength(10);
    expect(text).toMatch(
      /\n\n {2}2 more purchases\. For more: --html or --json with a file name\.$/,
    );
  });
});

describe('the findings of a rule that has very many', () => {
  const rules = ['double-charge', 'orphaned-charge', 'new-key-on-retry'] as const;

  /** Sixty findings of the first rule, and one of each other rule behind them. */
  function verdictWithMany(): Verdict {
    const [finding] = careless.findings;
    const [purchase] = careless.purchases;
    if (finding === undefined || purchase === undefined) throw new Error('There is no finding.');
    const at = (rule: Finding['rule'], number: number): Finding => ({
      ...finding,
      rule,
      what: `${rule} ${number}.`,
      intent: `key ${number}`,
    });
    const [many, ...others] = rules;
    return {
      ...careless,
      findings: [
        ...Array.from({ length: 60 }, (_, number) => at(many, number)),
        ...others.map((rule) => at(rule, 1)),
      ],
      purchases: Array.from({ length: 60 }, (_, number) => ({ ...purchase, key: `key ${number}` })),
      counts: { ...careless.counts, purchases: 5000, findingsLeftOut: 4900 },
    };
  }

  it('hide no other rule on the page, which says what it leaves out', async () => {
    const verdicts = [verdictWithMany()];
    const coverage = createSandbox().all.coverage();
    const page = await verdictHtml({ verdicts, coverage, madeAt: '2026-05-06', version: '1' });
    const titles = [...page.matchAll(/<h4>([a-z-]+)<\/h4>/g)].map(([, rule]) => rule);
    expect(titles).toHaveLength(20);
    expect(new Set(titles)).toEqual(new Set(rules));
    expect(page.replaceAll(/\s+/g, ' ')).toContain('4942 more findings are not on this page.');
  });

  it('make the number of their purchases a least one', () => {
    expect(verdictText([verdictWithMany()], 100)).toMatch(
      /\n {2}At least 50 more purchases\. For more: --html or --json with a file name\.$/,
    );
  });
});

describe('the story of a purchase', () => {
  it('has each charge after its request, also within one millisecond', async () => {
    const clock = { start: '2026-05-06T07:08:09.000Z', frozen: true };
    const merchant = createSandbox({ seed: 'order', fixtures: 'empty', clock }).merchant('shop');
    for (let times = 0; times < 2; times++) {
      await merchant.fetch('http://sandbox/v1/payments/payment', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(rawPaymentBody({}, { transaction: { custom: 'A-7' } })),
      });
    }
    const { purchases } = await merchant.verdict();
    const rows = purchases
      .flatMap((purchase) => storyOf(purchase))
      .map((line) => line.split(/ +/)[1]);
    const expected = purchases.flatMap(({ attempts, charges }) =>
      attempts.flatMap(({ debugId }) => [
        'payment.create',
        charges.find(({ createdBy }) => createdBy === debugId)?.id,
      ]),
    );
    expect(rows).toEqual(expected);
    expect(rows).toHaveLength(4);
  });
});

describe('what is pending', () => {
  it('is counted and summed, with what is not listed', () => {
    const one = (total: string, currency: string, becomes: 'completed' | 'pending') =>
      ({ id: 'x', kind: 'sale', amount: { total, currency }, becomes }) as const;
    const verdict: Verdict = {
      ...careful,
      pending: [
        one('30.11', 'USD', 'completed'),
        one('30.11', 'USD', 'completed'),
        one('1200', 'JPY', 'completed'),
        one('5.00', 'EUR', 'pending'),
      ],
      counts: { ...careful.counts, pendingLeftOut: 7 },
    };
    expect(describePending(verdict)).toBe(
      'Pending: 3 sales, counted as completed (60.22 USD, 1200 JPY); 1 sale, still pending (5.00 EUR); and 7 more',
    );
    expect(describePending(careful)).toBe(undefined);
  });

  async function payPending(outcome: OutcomeId): Promise<Merchant> {
    const merchant = createSandbox({ seed: 'pending', fixtures: 'empty' }).merchant('shop');
    merchant.force({ op: 'payment.create', outcome });
    await merchant.fetch('http://sandbox/v1/payments/payment', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(rawPaymentBody({}, { transaction: { custom: 'A-7' } })),
    });
    return merchant;
  }

  it.each([
    ['sale-pending-then-denied', 'pending, counted as denied, 0.00 of 7.47 USD kept'],
    ['sale-pending-then-completed', 'pending, counted as completed, 7.47 of 7.47 USD kept'],
  ] as const)('is no state that the client knew: %s', async (outcome, state) => {
    const merchant = await payPending(outcome);
    const verdict = await merchant.verdict();
    const [purchase] = verdict.purchases;
    if (purchase === undefined) throw new Error('There is no purchase.');
    const story = storyOf(purchase, pendingFates(verdict)).join('\n');
    expect(story).toContain(`  ${state}; the client knew only that it was pending`);
    const words = (await merchant.verdictPage()).replaceAll(/<[^>]+>|\s+/g, ' ');
    expect(words).toContain('the client learned only that it was pending');
    expect(words).not.toContain('learned of it at once');
  });

  it.each([
    ['sale-pending-then-denied', 'none', '1 sale, counted as denied (7.47 USD)'],
    ['sale-pending-then-completed', '7.47 USD', '1 sale, counted as completed (7.47 USD)'],
    ['sale-pending-forever', 'none', '1 sale, still pending (7.47 USD)'],
  ] as const)('is in the numbers and the table of a page: %s', async (outcome, kept, pending) => {
    const verdict = await (await payPending(outcome)).verdict();
    const coverage = createSandbox().all.coverage();
    const verdicts = [careful, verdict];
    const page = await verdictHtml({ verdicts, coverage, madeAt: '2026-05-06', version: '1' });
    const text = page.replaceAll(/\s+/g, ' ');
    expect(text).toContain(`<dt>Pending</dt> <dd><small>${pending}</small></dd>`);
    expect(text).toContain(
      `<td data-name="Money kept"> ${kept} <br /><small>Pending: ${pending}</small> </td>`,
    );
  });

  it('keeps its state if the time to look ahead ends before it', async () => {
    const verdict = await (await payPending('sale-pending-then-denied')).verdict({ settle: 0 });
    const stories = verdict.purchases.flatMap((one) => storyOf(one, pendingFates(verdict)));
    expect(stories.join('\n')).toContain(
      '  pending, 0.00 of 7.47 USD kept; the client knew from the answer',
    );
  });

  it('is listed up to a hundred sales, and the others are counted', async () => {
    const merchant = createSandbox({ seed: 'pending', fixtures: 'empty' }).merchant('shop');
    merchant.force({ op: 'payment.create', outcome: 'sale-pending-forever', times: 102 });
    for (let at = 0; at < 102; at++) {
      await merchant.fetch('http://sandbox/v1/payments/payment', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(rawPaymentBody({}, { transaction: { custom: `order ${at}` } })),
      });
    }
    const verdict = await merchant.verdict();
    expect(verdict.pending).toHaveLength(100);
    expect(verdict.counts.pendingLeftOut).toBe(2);
    const page = await merchant.verdictPage();
    expect(page).toContain('not charged, 1 pending or denied');
    expect(page).not.toContain('charged once');
  });
});
