/** Published numbers, magic numbers and generated numbers are accepted while other numbers are refused. */
import { describe, expect, it } from 'vitest';
import { brands, brandOf, looksIssued, passesLuhn } from '../../../src/domain/card/brand.ts';
import {
  publishedUnionPayNumbers,
  publishedNumbers,
} from '../../../src/domain/card/published-numbers.ts';
import { CardGuard } from '../../../src/guard/card-guard.ts';
import { catalogue } from '../../../src/outcomes/catalogue.ts';
import { cardOutcomes } from '../../../src/outcomes/triggers/card-outcomes.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { cardBody, pans, rawPaymentBody } from '../../support/samples.ts';
import { filesIn, readText } from '../../support/repository/source-files.ts';

const published = [...Object.values(publishedNumbers).flat(), ...publishedUnionPayNumbers];
const magic = catalogue.flatMap(({ cards = [] }) => cards);

describe('published numbers', () => {
  it('are valid, of their brand, and unique', () => {
    for (const number of [...published, ...magic]) {
      expect([number, passesLuhn(number), looksIssued(number)]).toEqual([number, true, true]);
    }
    for (const brand of brands) {
      expect(publishedNumbers[brand].filter((number) => brandOf(number) !== brand)).toEqual([]);
    }
    expect(new Set(published).size).toBe(published.length);
  });

  it('include the numbers that SDKs and this repository use', () => {
    const guard = new CardGuard('refuse');
    const used = ['README.md', ...['docs', 'fixtures', 'scenarios'].flatMap(filesIn)]
      .flatMap((path) => readText(path).match(/(?<!\d)\d{13,19}(?!\d)/g) ?? [])
      .filter((digits) => passesLuhn(digits) && looksIssued(digits));
    expect(used.length).toBeGreaterThan(10);
    expect([...used, ...Object.values(pans)].filter((number) => !guard.accepts(number))).toEqual(
      [],
    );
  });
});

onEveryTransport(
  'test numbers, with realCards refuse',
  (transport) => {
    it('accepts every published number', async () => {
      const shop = transport.shop();
      for (const number of published) {
        const change = { number, type: brandOf(number) };
        const body = cardBody({ ...change, cvv2: undefined });
        const stored = await shop.reply('card.create', 201, { body });
        expect(stored.headers.get('sandbox-warning'), number).toBeNull();
        const raw = rawPaymentBody({ ...change, cvv2: undefined });
        const paid = await shop.reply('payment.create', 201, { body: raw });
        expect(paid.headers.get('sandbox-warning'), number).toBeNull();
      }
    });

    it('accepts every number that triggers an outcome', async () => {
      const shop = transport.shop();
      const dealt = cardOutcomes.flatMap((outcome) => shop.merchant.generateCards({ outcome }));
      for (const number of [...magic, ...dealt.map((card) => card.number)]) {
        const { headers } = await shop.reply('card.create', 201, { body: cardBody({ number }) });
        expect(headers.get('sandbox-warning'), number).toBeNull();
      }
    });

    it.each(brands)('accepts every generated %s number', async (brand) => {
      const shop = transport.shop();
      for (const { number, type } of shop.merchant.generateCards({ brand, count: 5 })) {
        const change = { number, type, cvv2: undefined };
        await shop.ask('card.create', 201, { body: cardBody(change) });
        await shop.ask('payment.create', 201, { body: rawPaymentBody(change) });
      }
      expect(shop.merchant.journal({ warning: 'real-looking-card' }).entries).toEqual([]);
    });
  },
  { realCards: 'refuse' },
);
