/** Card numbers in names and texts that are kept for a verdict, a scenario or an export. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { loadScenarioText } from '../../../src/scenarios/load.ts';
import { createSandbox, type ScenarioDocument } from '../../../src/index.ts';
import { pay, storeCard } from '../../support/purchases.ts';
import { paymentBody } from '../../support/samples.ts';
import { onEveryTransport } from '../../support/transports.ts';
import { call } from '../control/call.ts';

const number = '4417119669820331';
const masked = 'xxxxxxxxxxxx0331';
const spellings = [
  number,
  '4417 1196 6982 0331',
  '4417-1196-6982-0331',
  '４４１７１１９６６９８２０３３１',
];

afterEach(() => {
  vi.restoreAllMocks();
});

onEveryTransport('a card number', (transport) => {
  it('as an integer in a patch is masked like a text', async () => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const patched = await shop.ask('card.update', 200, {
      params: { card_id: cardId },
      body: [
        { op: 'replace', path: '/first_name', value: Number(number) },
        { op: 'replace', path: '/last_name', value: 42 },
      ],
    });
    expect(patched).toMatchObject({ first_name: masked, last_name: '42' });
    const { id } = await pay(shop);
    const { transactions } = await shop.ask('payment.update', 200, {
      params: { payment_id: id },
      body: [{ op: 'replace', path: '/transactions/0/custom', value: Number(number) }],
    });
    expect(transactions[0]?.custom).toBe(masked);
    expect(JSON.stringify(shop.merchant.export())).not.toContain(number);
  });

  it('in the names of a scenario is kept nowhere', async () => {
    const shop = transport.shop();
    const scenario = {
      scenario: `my-${number}`,
      version: 1,
      about: number,
      seed: number,
      states: ['first', number],
      rules: [{ op: 'payment.create', while: number, then: 'decline-generic', name: number }],
      timeline: [{ at: '+1h', goto: number }],
      expect: { purchases: { [number]: { net: '1.00 USD' } } },
    };
    const line = `POST /_sandbox/scenario?merchant=${shop.merchant.id}`;
    const { status, body } = await call(transport, line, scenario);
    expect([status, body]).toMatchObject([200, { scenario: `my-${masked}` }]);
    const { merchant } = shop;
    const kept = JSON.stringify([merchant.export(), merchant.rules(), await merchant.verdict()]);
    expect(kept).not.toContain(number);
    expect(kept).toContain(`purchases.${masked}.net`);
  });

  it.each(spellings)('names the same purchase in a request and in a verdict: %s', async (name) => {
    const shop = transport.shop();
    const cardId = await storeCard(shop);
    const invoice = `order ${name}`;
    const transaction = { amount: { total: '1.00', currency: 'USD' }, invoice_number: invoice };
    await shop.ask('payment.create', 201, { body: paymentBody({ cardId, transaction }) });
    const { body } = await call(transport, `POST /_sandbox/verdict?merchant=${shop.merchant.id}`, {
      beliefs: { [invoice]: 'not-paid' },
      expect: { purchases: { [invoice]: { net: '1.00 USD' } } },
    });
    expect(body).toMatchObject({ expectations: [{ found: '1.00 USD', ok: true }] });
    expect(JSON.stringify(body)).toContain('as not paid; the ledger shows 1.00 USD for it.');
    expect(JSON.stringify(body)).not.toContain(name);
  });
});

describe('a card number in code', () => {
  it('is refused as a seed, which is shown', () => {
    expect(() => createSandbox({ seed: number })).toThrow('seed: must not contain a card number');
  });

  it('stays in the conditions of a scenario, and its export is refused', () => {
    const merchant = createSandbox({ fixtures: 'empty' }).merchant('shop');
    const rule = {
      op: 'card.create',
      then: 'error-503-before-commit',
      match: { first_name: number },
    };
    // Only the fields of this rule matter here.
    merchant.playScenario({ scenario: 'x', version: 1, rules: [rule] } as ScenarioDocument);
    expect(() => merchant.export()).toThrow('matches a secret');
  });

  it('in a key that is a list is not printed by the YAML parser', () => {
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    expect(() => loadScenarioText('mine.yaml', `? [${number}]\n: 1\n`)).toThrow('mine.yaml:1:1');
    expect(warned).not.toHaveBeenCalled();
  });
});
