/** Invalid verdict options: every entry point names the place and the nearest match. */
import { expect, it } from 'vitest';
import { connect, VerdictOptionsError, type VerdictOptions } from '../../../src/index.ts';
import { call } from '../control/call.ts';
import { onEveryTransport } from '../../support/transports.ts';

interface Mistake {
  readonly place: string;
  readonly nearest?: string;
  /** How the sentence goes on after the place. */
  readonly words: string;
}

const suppressed = (change: object) => ({
  suppress: [{ rule: 'double-charge', reason: 'both were meant', ...change }],
});

const mistakes: readonly (readonly [unknown, Mistake])[] = [
  [
    suppressed({ rule: 'double-chrge' }),
    { place: 'suppress[0].rule', nearest: 'double-charge', words: 'must be one of double-charge,' },
  ],
  [
    suppressed({ rule: 'nothing-of-the-kind' }),
    { place: 'suppress[0].rule', words: 'must be one of double-charge,' },
  ],
  [
    { suppress: [{ rule: 'double-charge' }] },
    { place: 'suppress[0].reason', words: 'this key is missing.' },
  ],
  [suppressed({ reason: ' ' }), { place: 'suppress[0].reason', words: 'must say why, in words.' }],
  ...['tomorrow', '2026-02-30', '2026-2-3', '2026-02-03T00:00:00Z'].map(
    (until) =>
      [
        suppressed({ until }),
        { place: 'suppress[0].until', words: 'must be a day such as 2026-12-31.' },
      ] as const,
  ),
  [
    suppressed({ untill: '2026-12-31' }),
    {
      place: 'suppress[0].untill',
      nearest: 'until',
      words: 'this key is not known here. Known: rule, reason, until.',
    },
  ],
  [
    suppressed({ until: 20260203 }),
    { place: 'suppress[0].until', words: 'must be a day such as 2026-12-31.' },
  ],
  [
    { suppress: 'double-charge' },
    { place: 'suppress', words: 'must be a list such as [{ rule: "token-per-call", reason: ' },
  ],
  [{ settle: 'off' }, { place: 'settle', words: 'must be a duration (' }],
  [
    { failOn: 'hihg' },
    { place: 'failOn', nearest: 'high', words: 'must be one of critical, high, medium.' },
  ],
  [{ failOn: 'low' }, { place: 'failOn', words: 'must be one of critical, high, medium.' }],
  [
    { failon: 'high' },
    { place: 'failon', nearest: 'failOn', words: 'this key is not known here. Known: failOn,' },
  ],
  [
    { beliefs: { 'INV-1': 'payed' } },
    { place: 'beliefs.INV-1', nearest: 'paid', words: 'must be one of paid, not-paid, unknown.' },
  ],
  [
    { beliefs: ['paid'] },
    { place: 'beliefs', words: 'must be an object such as { "INV-7": "paid" }.' },
  ],
  [
    { waitMs: 1.5 },
    { place: 'waitMs', words: 'must be a whole number of milliseconds from 0 to 60000.' },
  ],
  ...[-1, 60_001].map(
    (waitMs) =>
      [
        { waitMs },
        { place: 'waitMs', words: 'must be a whole number of milliseconds from 0 to 60000.' },
      ] as const,
  ),
  [
    { expect: { sales: { perIntnt: 1 } } },
    {
      place: 'expect.sales.perIntnt',
      nearest: 'perIntent',
      words: 'this key is not known here. Known: total, perIntent,',
    },
  ],
  [
    { expect: { sales: { perIntent: 'one' } } },
    { place: 'expect.sales.perIntent', words: 'must be a number, or a bound such as "<=2".' },
  ],
  [
    { expect: { sales: { total: -1 } } },
    { place: 'expect.sales.total', words: 'must be a number, or a bound such as "<=2".' },
  ],
  [
    { expect: { ledger: { lossPerSale: '<=1' } } },
    { place: 'expect.ledger.lossPerSale', words: 'must be a bound such as "<=1x".' },
  ],
  [
    { expect: { findings: { none: ['orphan-charge'] } } },
    {
      place: 'expect.findings.none[0]',
      nearest: 'orphaned-charge',
      words: 'must be one of double-charge,',
    },
  ],
  [
    { expect: { requests: { 'payment.craete': 0 } } },
    {
      place: 'expect.requests.payment.craete',
      nearest: 'payment.create',
      words: 'unknown operation "payment.craete". Did you mean "payment.create"? Known: ',
    },
  ],
  [
    { expect: { sameRequestId: ['payment.crate'] } },
    {
      place: 'expect.sameRequestId[0]',
      nearest: 'payment.create',
      words: 'unknown operation "payment.crate". Did you mean "payment.create"? Known: ',
    },
  ],
  ...['sales', 'attempts'].map(
    (of) =>
      [
        { expect: { [of]: { byCard: { tpyo: 0 } } } },
        { place: `expect.${of}.byCard.tpyo`, words: 'no given card has the ref "tpyo".' },
      ] as const,
  ),
];

onEveryTransport('invalid verdict options', (transport) => {
  it.each(mistakes)('are refused: %j', async (order, { place, nearest, words }) => {
    const { merchant } = transport.shop();
    const started = `verdict ${place}: ${words}`;
    const guess = nearest === undefined ? /^(?!.*Did you mean)/s : `Did you mean "${nearest}"?`;
    // A caller without types can write this.
    const asked = order as VerdictOptions;
    const mistake = await merchant.verdict(asked).catch((error: unknown) => error);
    expect(mistake).toBeInstanceOf(VerdictOptionsError);
    const { message } = mistake as VerdictOptionsError;
    expect(message.startsWith(started), message).toBe(true);
    expect(message).toMatch(guess);

    const path = `POST /_sandbox/verdict?merchant=${merchant.id}`;
    const { status, body } = await call(transport, path, order);
    expect([status, body]).toMatchObject([
      400,
      { error: 'invalid-verdict', message, place: `body.${place}`, issues: [{ message }] },
    ]);
    expect((body as { readonly nearest?: string }).nearest).toBe(nearest);

    if (transport.name !== 'socket') return;
    const there = connect(transport.base, { merchant: merchant.id });
    await expect(there.verdict(asked)).rejects.toMatchObject({
      name: 'VerdictOptionsError',
      message,
    });
  });

  it('are refused with a list of all mistakes', async () => {
    const order = { failOn: 'hihg', waitMs: -1, ...suppressed({ rule: 'double-chrge' }) };
    const { body } = await call(transport, 'POST /_sandbox/verdict', order);
    const places = (body as { readonly issues: readonly { readonly place: string }[] }).issues;
    expect(places.map(({ place }) => place).toSorted()).toEqual([
      'body.failOn',
      'body.suppress[0].rule',
      'body.waitMs',
    ]);
  });

  it.each([[[]], ['high'], [null], [7]])('are refused if they are no object: %j', async (order) => {
    const asked = transport.shop().merchant.verdict(order as VerdictOptions);
    await expect(asked).rejects.toThrow('verdict: must be an object of keys and values.');
    const { status, body } = await call(transport, 'POST /_sandbox/verdict', JSON.stringify(order));
    expect([status, body]).toMatchObject([400, { error: 'invalid-verdict', place: 'body' }]);
  });

  it('may name only cards that the scenario provides', async () => {
    const { merchant } = transport.shop();
    merchant.playScenario({
      scenario: 'gives',
      version: 1,
      about: 'A card is given.',
      given: {
        cards: [{ ref: 'gold', number: '4111111111111111', type: 'visa', expire: '2031-11' }],
      },
    });
    const order = (ref: string): VerdictOptions => ({
      expect: { sales: { byCard: { [ref]: 0 } } },
    });
    await expect(merchant.verdict(order('gold'))).resolves.toMatchObject({ merchant: merchant.id });
    await expect(merchant.verdict(order('glod'))).rejects.toThrow(
      'verdict expect.sales.byCard.glod: no given card has the ref "glod". Did you mean "gold"? Known: gold.',
    );
  });

  it('are refused for an invalid merchant', async () => {
    const { status, body } = await call(transport, 'POST /_sandbox/verdict?merchant=a%20b', {});
    expect([status, body]).toMatchObject([400, { place: 'query.merchant' }]);
  });

  it.each([
    ['merchnt=a', { place: 'query.merchnt', nearest: 'merchant' }],
    ['merchant=a%20b', { place: 'query.merchant' }],
  ])('are refused by coverage as well: %s', async (query, mistake) => {
    const { status, body } = await call(transport, `GET /_sandbox/coverage?${query}`);
    expect([status, body]).toMatchObject([400, mistake]);
  });
});
