/** Suppressed findings: for a reason, and until a day of the machine's calendar. */
import { expect, it } from 'vitest';
import { verdictGithub } from '../../../src/report/github.ts';
import { verdictHtml } from '../../../src/report/html/page.ts';
import { verdictJunit } from '../../../src/report/junit.ts';
import { verdictSarif } from '../../../src/report/sarif.ts';
import { verdictText } from '../../../src/report/text.ts';
import { onEveryTransport, testNow, type Shop } from '../../support/transports.ts';

const lastDay = '2026-12-31';
const suppression = {
  rule: 'unknown-path',
  reason: 'the old client goes away',
  until: lastDay,
} as const;
let machineMs = 0;

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ');

async function requestUnknownPath(shop: Shop): Promise<void> {
  await shop.transport.fetch(`${shop.transport.base}/v1/payments/payments`, {
    headers: { Authorization: `Bearer ${shop.merchant.token}` },
  });
}

onEveryTransport(
  'a suppressed finding',
  (transport) => {
    it.each([
      ['on its last day', '2026-12-31T23:59:59.999Z', suppression.reason],
      ['no longer on the day after', '2027-01-01T00:00:00.000Z', undefined],
    ])('is suppressed %s', async (_when, now, suppressed) => {
      machineMs = Date.parse(now);
      const shop = transport.shop();
      await requestUnknownPath(shop);
      const verdict = await shop.merchant.verdict({ suppress: [suppression] });
      const { findings, counts } = verdict;
      expect(findings.map(({ rule, suppressed: why }) => [rule, why])).toEqual([
        ['unknown-path', suppressed],
      ]);
      const text = verdictText([verdict]);
      const line = 'Suppressed unknown-path, 1 finding: "the old client goes away"';
      expect(text.includes(line)).toBe(suppressed !== undefined);
      expect(counts).toMatchObject(
        suppressed === undefined
          ? { findings: { low: 1 }, suppressed: 0 }
          : { findings: {}, suppressed: 1 },
      );
    });

    it('says that it expired, when, why it was there, and what to do', async () => {
      machineMs = Date.parse('2027-01-01T00:00:00.000Z');
      const shop = transport.shop();
      for (let sent = 0; sent < 2; sent++) await requestUnknownPath(shop);
      const older = { ...suppression, reason: 'an older reason', until: '2026-06-30' };
      const unrelated = { ...suppression, rule: 'token-per-call' } as const;
      const verdict = await shop.merchant.verdict({
        suppress: [older, suppression, unrelated, older],
      });
      const count = verdict.findings.length;
      expect(verdict.expiredSuppressions).toEqual([{ ...suppression, findings: count }]);
      const again = count === 1 ? '1 finding counts' : `${count} findings count`;
      const whole = `The suppression of unknown-path expired after 2026-12-31, so ${again} again. Its reason was: "the old client goes away". Fix the cause, or set a later until if the reason still holds.`;
      const note =
        'Its suppression expired after 2026-12-31. Fix the cause, or set a later until if the reason still holds.';
      expect(oneLine(verdictText([verdict]))).toContain(whole);
      const coverage = shop.transport.sandbox.all.coverage();
      const page = await verdictHtml({
        verdicts: [verdict],
        coverage,
        madeAt: testNow,
        version: '1',
      });
      expect(oneLine(page)).toContain(`<li>${whole.replaceAll('"', '&quot;')}</li>`);
      const sarif = verdictSarif([verdict], { version: '1.0.0', aboutOf: () => undefined });
      for (const text of [verdictJunit([verdict]), sarif, verdictGithub([verdict])]) {
        expect(text).toContain(note);
      }
    });

    it.each([
      ['it has not expired', '2026-12-31T23:59:59.999Z', [suppression]],
      [
        'another one of the rule is active',
        '2027-01-01T00:00:00.000Z',
        [suppression, { ...suppression, until: '2027-01-31' }],
      ],
      [
        'its rule found nothing',
        '2027-01-01T00:00:00.000Z',
        [{ ...suppression, rule: 'token-per-call' }],
      ],
    ] as const)('is not called expired if %s', async (_, now, suppress) => {
      machineMs = Date.parse(now);
      const shop = transport.shop();
      await requestUnknownPath(shop);
      const verdict = await shop.merchant.verdict({ suppress });
      expect(verdict).not.toHaveProperty('expiredSuppressions');
      expect(verdictText([verdict])).not.toContain('expired');
    });

    it('does not fail the verdict but is counted, and other findings still fail it', async () => {
      const shop = transport.shop();
      await requestUnknownPath(shop);
      await shop.send('card.list', { query: { access_token: 'sandbox.a-token' } });
      const rule = 'token-in-url';
      const [failed, suppressedVerdict] = [
        await shop.merchant.verdict({ suppress: [{ ...suppression, until: undefined }] }),
        await shop.merchant.verdict({ suppress: [{ rule, reason: 'a test of exactly that' }] }),
      ];
      expect([failed.passed, failed.counts.suppressed]).toEqual([false, 1]);
      expect(failed.reasons.map(({ text }) => text)).toEqual([expect.stringContaining(rule)]);
      expect([suppressedVerdict.passed, suppressedVerdict.counts.suppressed]).toEqual([true, 1]);
    });

    it.each([
      [{ rule: 'unknown-pth', reason: 'x' }, 'unknown-path'],
      [{ rule: 'unknown-path', reason: ' ' }, 'must say why'],
      [{ rule: 'unknown-path', reason: 'x', until: 'tomorrow' }, 'must be a day such as'],
    ])('is refused if it is %j', async (suppress, words) => {
      const order = { suppress: [suppress] } as Parameters<Shop['merchant']['verdict']>[0];
      await expect(transport.shop().merchant.verdict(order)).rejects.toThrow(words);
    });
  },
  { systemClock: { nowMs: () => machineMs } },
);
