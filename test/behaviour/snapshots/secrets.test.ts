/** Exports contain no card number, verification code, token or secret. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ExportError, type ForcedRule, type Merchant } from '../../../src/index.ts';
import { transportNames, testNow, type TransportName } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { withTransport, runsFor } from '../../properties/support/own-transport.ts';
import { cvvOf, pan, appearsIn, twins, type Pan } from '../../properties/support/card-numbers.ts';
import { hiddenPlaces } from '../../properties/secrets/secret-places.ts';
import { sendSecret } from '../../properties/secrets/send-secret.ts';
import { worldDocumentOf } from '../../support/worlds/world-document.ts';

const still = {
  clock: { start: testNow, frozen: true },
  systemClock: { nowMs: () => Date.parse(testNow) },
};

/** Counts by purchase, so that purchase keys are in the export. */
const counting: readonly ForcedRule[] = [
  { op: 'card.*', then: ['ok', 'error-500-after-commit'], per: 'intent', times: 99 },
  { op: 'payment.*', then: ['ok', 'error-500-after-commit'], per: 'intent', times: 99 },
];

function count(merchant: Merchant): void {
  for (const rule of counting) merchant.force(rule);
}

const exported = (merchant: Merchant) => JSON.stringify(merchant.export());

describe.each(transportNames)('an export (%s)', (name) => {
  it('contains no card number in any place where a client put it', () =>
    withTransport(name, still, (transport) =>
      fc.assert(
        fc.asyncProperty(pan, fc.constantFrom(...hiddenPlaces), async ({ number }, place) => {
          const { merchant } = transport.shop();
          count(merchant);
          await sendSecret(transport.fetch, transport.base, merchant.id, place, number);
          expect(appearsIn(exported(merchant), number), place.name).toBe(false);
        }),
        {
          examples: hiddenPlaces.map((place): [Pan, (typeof hiddenPlaces)[number]] => [
            { number: '4929851042331971', brand: 'visa' },
            place,
          ]),
          numRuns: hiddenPlaces.length + runsFor(name, 50).numRuns,
        },
      ),
    ));

  it('is the same for cards with the same brand, length and last four digits', () =>
    fc.assert(
      fc.asyncProperty(
        twins.chain(({ one, other }) =>
          fc.tuple(
            fc.tuple(fc.constant(one), cvvOf(one)),
            fc.tuple(fc.constant(other), cvvOf(one)),
          ),
        ),
        async ([[one, code], [other, otherCode]]) => {
          expect(await exportAfterUse(name, other, otherCode)).toBe(
            await exportAfterUse(name, one, code),
          );
        },
      ),
      runsFor(name, 40),
    ));

  it('contains no token, secret or fingerprint of a body', () =>
    withTransport(name, still, async (transport) => {
      const shop = transport.shop('shop');
      const token = await shop.ask('token.create', 200, {
        body: 'grant_type=client_credentials',
        authorization: `Basic ${btoa('shop:canary-of-a-secret')}`,
      });
      const authorization = `Bearer ${token.access_token}`;
      const headers = { 'PayPal-Request-Id': 'canary-of-a-request' };
      await shop.ask('card.create', 201, { body: cardBody(), authorization, headers });
      const text = exported(shop.merchant);
      const [, , nonce = 'none'] = token.access_token.split('-');
      for (const canary of [token.access_token, nonce, token.nonce, 'canary']) {
        expect(text).not.toContain(canary);
      }
      expect(worldDocumentOf(shop.merchant).requestIds.settled).toEqual([
        expect.not.objectContaining({ fingerprint: expect.anything() }),
      ]);
    }));
});

async function exportAfterUse(transport: TransportName, card: Pan, code: string): Promise<string> {
  return withTransport(transport, still, async (at) => {
    const shop = at.shop('shop');
    count(shop.merchant);
    const body = cardBody({ number: card.number, type: card.brand, cvv2: code });
    await shop.send('card.create', { body, headers: { 'PayPal-Request-Id': 'one' } });
    await shop.send('card.create', { body });
    await shop.send('payment.create', {
      body: rawPaymentBody({ number: card.number, type: card.brand, cvv2: code }),
    });
    return exported(shop.merchant);
  });
}

describe('a rule that matches a secret', () => {
  const outcome = 'decline-generic';
  const number = '4111111111111111';
  const inCard = 'payer.funding_instruments[0].credit_card';

  it.each<[string, ForcedRule]>([
    [
      'a number',
      { name: 'waiting', op: 'card.create', match: { number }, outcome: 'error-500-after-commit' },
    ],
    [
      'one of',
      {
        name: 'waiting',
        op: 'card.create',
        match: { number: { in: [number] } },
        outcome: 'error-500-after-commit',
      },
    ],
    [
      'a code',
      { name: 'waiting', op: 'payment.create', match: { [`${inCard}.cvv2`]: '123' }, outcome },
    ],
    [
      'a token',
      {
        name: 'waiting',
        op: 'payment.create',
        match: { 'header:authorization': 'Bearer A21.shop.abc-def-012-3456789' },
        outcome,
      },
    ],
  ])('prevents an export and explains what to do: %s', (_, rule) =>
    withTransport('in process', {}, async (transport) => {
      const { merchant } = transport.shop();
      merchant.force(rule);
      expect(() => merchant.export()).toThrow(ExportError);
      expect(() => merchant.export()).toThrow(
        /^export: the rule "waiting" matches a secret in \S+, and exports never contain secrets\. Match by \$card/,
      );
      merchant.snapshot('kept-in-memory');
      merchant.clearRules('waiting');
      expect(worldDocumentOf(merchant).ruleBook.rules).toEqual([]);
    }),
  );

  it('is not one that matches the last digits of a number or the presence of a code', () =>
    withTransport('in process', {}, async (transport) => {
      const { merchant } = transport.shop();
      merchant.force({
        op: 'card.create',
        match: { number: { matches: '1111$' } },
        outcome: 'error-500-after-commit',
      });
      merchant.force({
        op: 'card.create',
        match: { cvv2: { exists: false } },
        outcome: 'error-500-after-commit',
      });
      expect(worldDocumentOf(merchant).ruleBook.rules).toHaveLength(2);
    }));
});
