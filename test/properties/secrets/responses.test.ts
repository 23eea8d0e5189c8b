/** No response contains the card number or code that a client sent. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSandbox, type Exchange, type FixtureDocument } from '../../../src/index.ts';
import {
  transportNames,
  testNow,
  type TestTransport,
  type Request,
  type Shop,
} from '../../support/transports.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { cvvOf, pan, appearsIn, twins, type Pan } from '../support/card-numbers.ts';
import { echoedPlaces, hiddenPlaces, type Place } from './secret-places.ts';
import { sendSecret } from './send-secret.ts';
import { withTransport, runsFor, writeResponse } from '../support/own-transport.ts';

/** Everything that can be read after a request: lists, exchanges, output, journal, ledger. */
async function readable(shop: Shop, exchanges: readonly Exchange[], printed: readonly unknown[]) {
  const { merchant, transport } = shop;
  const lists = await Promise.all([
    shop.send('card.list', { query: { page_size: '20' } }),
    shop.send('payment.list', { query: { count: '20' } }),
  ]);
  return [
    ...lists.map(writeResponse),
    ...[exchanges, printed, merchant.journal(), merchant.ledger(), transport.sandbox.about()].map(
      (value) => inspect(value, { depth: Infinity, showHidden: true, maxStringLength: Infinity }),
    ),
    await merchant.verdictPage(),
  ].join('\n');
}

function listenToConsole(): unknown[] {
  const printed: unknown[] = [];
  for (const method of ['log', 'info', 'warn', 'error', 'debug'] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => void printed.push(words));
  }
  for (const stream of ['stdout', 'stderr'] as const) {
    vi.spyOn(process[stream], 'write').mockImplementation((words) => {
      printed.push(words);
      return true;
    });
  }
  return printed;
}

const places = [...hiddenPlaces, ...echoedPlaces];

const examples: [Pan, Place][] = places.map((place) => [
  { number: '4929851042331971', brand: 'visa' },
  place,
]);

afterEach(() => {
  vi.restoreAllMocks();
});

async function used(
  transport: TestTransport,
  place: Place,
  text: string,
): Promise<{ shop: Shop; answer: string }> {
  const shop = transport.shop();
  return {
    shop,
    answer: await sendSecret(transport.fetch, transport.base, shop.merchant.id, place, text),
  };
}

describe.each(transportNames)('a card number (%s)', (name) => {
  it('is in no response, exchange, ledger, list, inspection, page, metric or output', async () => {
    const exchanges: Exchange[] = [];
    const printed = listenToConsole();
    await withTransport(
      name,
      { listeners: { onExchange: (exchange) => exchanges.push(exchange) } },
      (transport) =>
        fc.assert(
          fc.asyncProperty(pan, fc.constantFrom(...places), async ({ number }, place) => {
            exchanges.length = 0;
            printed.length = 0;
            const { shop, answer } = await used(transport, place, number);
            const all =
              answer +
              (await readable(shop, exchanges, printed)) +
              (await transport.sandbox.metrics());
            expect(appearsIn(all, number), `${place.name}: ${answer}`).toBe(false);
            expect(answer, place.name).not.toMatch(/^5/);
          }),
          // Examples cover every place; random runs follow.
          { examples, numRuns: examples.length + runsFor(name, 25).numRuns },
        ),
    );
  });

  it('is masked, with a warning, where the contract says that a text is echoed', () =>
    withTransport(name, {}, async (transport) => {
      for (const place of echoedPlaces) {
        for (const text of ['4929851042331971', '4929/8510/4233/1971', 'of 4929 8510 4233 1971!']) {
          // A client id with a slash or a space would be refused for that.
          if (place.name === 'token call client id' && /[ /]/.test(text)) continue;
          const { shop, answer } = await used(transport, place, text);
          const what = `${place.name}: ${answer}`;
          if (place.name === 'token call client id') expect(answer, what).toMatch(/^401/);
          // The longer spellings do not fit everywhere.
          else if (text.length === 16 || !answer.startsWith('400'))
            expect(answer, what).toContain('sandbox-warning: card-number-in-text');
          const kept = [answer, JSON.stringify(shop.merchant.export())].join('\n');
          expect(appearsIn(kept, '4929851042331971'), what).toBe(false);
        }
      }
    }));

  it('is refused in any text if real cards are refused, and leaves nothing', () =>
    withTransport(name, { realCards: 'refuse' }, async (transport) => {
      for (const place of echoedPlaces) {
        const { shop, answer } = await used(transport, place, '4929851042331971');
        expect(answer, place.name).toMatch(/^40[01]\n/);
        if (place.name !== 'token call client id') expect(answer).toContain('REAL_CARD_REFUSED');
        const kept = [
          answer,
          inspect(shop.merchant.journal()),
          JSON.stringify(shop.merchant.export()),
        ];
        expect(kept.join('\n'), place.name).not.toMatch(/98510|x+1971/);
      }
    }));

  it('is masked and not refused if it is a test number', () =>
    withTransport(name, { realCards: 'refuse' }, async (transport) => {
      const shop = transport.shop();
      const body = cardBody({ first_name: '4111 1111 1111 1111' });
      const stored = await shop.ask('card.create', 201, { body });
      expect(stored.first_name).toBe('xxxxxxxxxxxx1111');
    }));

  it('does not change what counts as a repeat or as the same customer where it is in a text', () =>
    withTransport(name, {}, async (transport) => {
      const shop = transport.shop();
      const headers = { 'PayPal-Request-Id': 'order 4929 8510 4233 1971' };
      const body = cardBody({ external_customer_id: '4929851042331971' });
      const card = await shop.ask('card.create', 201, { body, headers });
      const repeat = await shop.send('card.create', { body, headers });
      expect(repeat.headers.get('sandbox-replayed')).toBe('true');
      const payment = paymentBody({
        cardId: card.id,
        externalCustomerId: '4929851042331971',
      });
      await shop.ask('payment.create', 201, { body: payment });
      const query = { external_customer_id: '4929851042331971' };
      expect((await shop.ask('card.list', 200, { query })).items).toHaveLength(1);
      expect(JSON.stringify(shop.merchant.export())).not.toMatch(/4929.?8510/);
    }));

  it('affects nothing visible with its code except the last four digits', () =>
    fc.assert(
      fc.asyncProperty(
        twins.chain((both) =>
          fc.record({
            both: fc.constant(both),
            codes: fc.tuple(cvvOf(both.one), cvvOf(both.one)),
          }),
        ),
        async ({ both: { one, other }, codes }) => {
          expect(await allSeen(name, other, codes[1])).toEqual(await allSeen(name, one, codes[0]));
        },
      ),
      runsFor(name, 15),
    ));
});

/** Everything that is visible of one merchant who uses a card in every way, valid and invalid. */
async function allSeen(
  name: (typeof transportNames)[number],
  card: Pan,
  code: string,
): Promise<unknown> {
  const exchanges: Exchange[] = [];
  const options = {
    baseUrl: 'http://shop.test',
    clock: { start: testNow, frozen: true },
    systemClock: { nowMs: () => Date.parse(testNow) },
    listeners: { onExchange: (exchange: Exchange) => exchanges.push(exchange) },
  };
  return withTransport(name, options, async (transport) => {
    const shop = transport.shop('merchant');
    const { number, brand } = card;
    const good = { number, type: brand, cvv2: code };
    const bent: readonly Readonly<Record<string, unknown>>[] = [
      {},
      { cvv2: Number(code) },
      { cvv2: `${code}00` },
      { cvv2: [code] },
      { number: `${number.slice(0, 4)} ${number.slice(4)}` },
      { number: `${number}0000` },
      { number: [number] },
      { type: brand === 'visa' ? 'amex' : 'visa' },
      { expire_year: 2020 },
      { expire_year: number },
      { unknown: number },
    ];
    const requests: [name: 'card.create' | 'payment.create', request: Request][] = bent.flatMap(
      (change) => [
        ['card.create', { body: cardBody({ ...good, ...change }) }],
        ['payment.create', { body: rawPaymentBody({ ...good, ...change }) }],
      ],
    );
    const body = JSON.stringify(cardBody(good));
    requests.push(
      ['card.create', { body: body.slice(0, -3) }],
      // Written digit by digit: 19 digits exceed a JavaScript number.
      ['card.create', { body: body.replace(`"${number}"`, number) }],
    );
    const seen: unknown[] = [];
    for (const [operation, request] of requests) {
      seen.push(writeResponse(await shop.send(operation, request)));
    }
    seen.push(await readable(shop, exchanges, []));
    return seen;
  });
}

it('a card number in fixtures is in no message about their mistakes', () => {
  const text = fc.constantFrom(
    (number: string): unknown => ({ cards: [{ number, type: number, expires: 'P3Y' }] }),
    (number: string): unknown => ({
      cards: [{ number: Number(number), type: 'visa', expires: 'P3Y' }],
    }),
    (number: string): unknown => ({
      cards: [{ number: `${number} `, type: 'visa', expires: number }],
    }),
    (number: string): unknown => ({ [number]: [] }),
    (number: string): unknown => ({ cards: [{ [number]: number }] }),
    (number: string): unknown => ({ payments: [{ card: number }] }),
    (number: string): unknown => number,
  );
  fc.assert(
    fc.property(pan, text, ({ number }, document) => {
      try {
        // What an untyped program could pass.
        createSandbox({ fixtures: document(number) as FixtureDocument });
      } catch (mistake) {
        expect(appearsIn(inspect(mistake, { depth: Infinity, showHidden: true }), number)).toBe(
          false,
        );
        return;
      }
      throw new Error('These fixtures are wrong and were taken.');
    }),
  );
});
