/** Suppressed findings: for a reason, and until a day of the machine's calendar. */
import { expect, it } from 'vitest';
import { onEveryTransport, type Shop } from '../../support/transports.ts';

const lastDay = '2026-12-31';
const suppression = {
  rule: 'unknown-path',
  reason: 'the old client goes away',
  until: lastDay,
} as const;
let machineMs = 0;

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
      const { findings, counts } = await shop.merchant.verdict({ suppress: [suppression] });
      expect(findings.map(({ rule, suppressed: why }) => [rule, why])).toEqual([
        ['unknown-path', suppressed],
      ]);
      expect(counts).toMatchObject(
        suppressed === undefined
          ? { findings: { low: 1 }, suppressed: 0 }
          : { findings: {}, suppressed: 1 },
      );
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
