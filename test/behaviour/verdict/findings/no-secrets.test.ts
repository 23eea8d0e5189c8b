/** No finding shows a secret: no card digit before the last four, no verification code, no token. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cvvOf, pan, appearsIn, twins } from '../../../properties/support/card-numbers.ts';
import { withTransport, runsFor } from '../../../properties/support/own-transport.ts';
import { echoedPlaces, hiddenPlaces } from '../../../properties/secrets/secret-places.ts';
import { sendSecret } from '../../../properties/secrets/send-secret.ts';
import { transportNames } from '../../../support/transports.ts';
import { storeCard } from '../../../support/purchases.ts';
import { cardBody, pans, paymentBody } from '../../../support/samples.ts';
import { namesOf } from '../support/findings.ts';

const places = [...echoedPlaces, ...hiddenPlaces];
const visa = { brand: 'visa', number: pans.visa } as const;
const known = { one: visa, other: visa, last4: pans.visa.slice(-4) };
const examples = places
  .filter((place) => place.name.endsWith('description'))
  .map((place): [typeof known, typeof place] => [known, place]);

describe.each(transportNames)('a verdict (%s)', (name) => {
  it('shows no card number from any field, and neither does its page', async () => {
    let findings = 0;
    await withTransport(name, {}, (transport) =>
      fc.assert(
        fc.asyncProperty(twins, fc.constantFrom(...places), async ({ one, other }, place) => {
          const shop = transport.shop();
          // One that ends alike is in the vault, so that the number is known for what it is.
          await shop.send('card.create', {
            body: cardBody({
              number: other.number,
              type: other.brand,
              cvv2: undefined,
            }),
          });
          await sendSecret(transport.fetch, transport.base, shop.merchant.id, place, one.number);
          await sendSecret(
            transport.fetch,
            transport.base,
            shop.merchant.id,
            place,
            `card ${one.number}!`,
          );
          const verdict = await shop.merchant.verdict();
          findings += verdict.findings.length;
          const said = JSON.stringify([verdict.findings, verdict.reasons]);
          for (const { number } of [one, other]) {
            expect(appearsIn(said, number), `${place.name}: ${said}`).toBe(false);
            expect(said.replaceAll(/\D/g, ''), place.name).not.toContain(number.slice(0, -4));
          }
        }),
        // These cause findings, however few runs there are.
        { ...runsFor(name, 120), examples },
      ),
    );
    expect(findings).toBeGreaterThan(0);
  });

  it('shows no verification code', () =>
    withTransport(name, {}, (transport) =>
      fc.assert(
        fc.asyncProperty(
          pan.chain((card) => cvvOf(card)),
          fc.constantFrom('cvv', 'cvv2', 'cvc', 'security_code', 'my_cvc2'),
          async (code, field) => {
            const shop = transport.shop();
            const cardId = await storeCard(shop);
            const transaction = { [field]: code, description: `${field}=${code}` };
            await shop.send('payment.create', { body: paymentBody({ cardId, transaction }) });
            const { findings } = await shop.merchant.verdict();
            expect(findings.map(({ rule }) => rule)).toContain('cvv-in-wrong-place');
            const said = findings.map(({ what, remedy }) => `${what} ${remedy}`).join(' ');
            expect(said.match(/\d+/g) ?? []).not.toContain(code);
          },
        ),
        runsFor(name, 30),
      ),
    ));

  it('shows no token', () =>
    withTransport(name, {}, async (transport) => {
      const shop = transport.shop();
      const { access_token: token } = await shop.ask('token.create', 200, {
        body: 'grant_type=client_credentials',
      });
      await shop.send('card.list', { query: { access_token: token } });
      await shop.send('card.create', { body: { access_token: token } });
      const verdict = await shop.merchant.verdict();
      expect(namesOf(verdict)).toEqual(['critical token-in-url', 'critical token-in-url']);
      expect(JSON.stringify(verdict)).not.toContain(token.slice(-20));
    }));
});
