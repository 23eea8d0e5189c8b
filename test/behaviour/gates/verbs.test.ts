/** The verbs of gates over HTTP, with the client and in scenarios, and what they refuse. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  connect,
  createSandbox,
  GateError,
  scenario,
  type GateDocument,
  type Remote,
  type Sandbox,
} from '../../../src/index.ts';
import { metricRows } from '../../../src/metrics/rows.ts';
import { loadScenarioText } from '../../../src/scenarios/load.ts';
import { call } from '../control/call.ts';
import { readExposition, valueOf } from '../metrics/exposition-format.ts';
import { pay, storeCard } from '../../support/purchases.ts';
import { rawPaymentBody } from '../../support/samples.ts';
import { onEveryTransport } from '../../support/transports.ts';

const patient = { timeoutMs: 120_000 };

/** Nothing has come. */
const waitedInVain = [
  'Waited 0 ms. 0 of 2 requests were held.',
  'Gate gate-1 (payment.create, before-commit): 0 of 2 came.',
  'Arrived and not held:',
  '  nothing',
].join('\n');

onEveryTransport('gates over HTTP', (transport) => {
  it('hold, list, wait and release', async () => {
    const shop = transport.shop();
    const of = `merchant=${shop.merchant.id}`;
    const cardId = await storeCard(shop);
    expect(
      await call(transport, `POST /_sandbox/hold?${of}`, { op: 'payment.create', count: 2 }),
    ).toMatchObject({ status: 201, body: { merchant: shop.merchant.id, id: 'gate-1' } });
    const payments = ['A', 'B'].map((custom) => pay(shop, { cardId, transaction: { custom } }));
    const waited = await call(transport, `POST /_sandbox/held/wait?${of}`, patient);
    expect(waited).toMatchObject({ status: 200, body: [{ gate: 'gate-1' }, { arrived: 2 }] });
    expect((await call(transport, `GET /_sandbox/held?${of}`)).body).toEqual(waited.body);
    const metrics = readExposition(await transport.sandbox.metrics());
    expect(valueOf(metrics, metricRows.held.name)).toBe(2);
    const released = await call(transport, `POST /_sandbox/release?${of}`, { order: 'reverse' });
    expect(released).toMatchObject({ status: 200, body: { released: [{ arrived: 2 }, {}] } });
    await Promise.all(payments);
    expect(await call(transport, `POST /_sandbox/release?${of}`)).toMatchObject({
      status: 200,
      body: { released: [] },
    });
  });

  it.each([
    ['POST /_sandbox/hold', { op: 'payment.creat', count: 2 }, 'invalid-gate', 'body.op'],
    ['POST /_sandbox/hold', { op: 'payment.create', counts: 2 }, 'invalid-gate', 'body.count'],
    ['POST /_sandbox/release', { order: 'first' }, 'invalid-body', 'body.order'],
    ['POST /_sandbox/release', { order: ['unknown'] }, 'invalid-gate', 'body'],
    ['POST /_sandbox/held/wait', { times: 0 }, 'invalid-body', 'body.times'],
    ['POST /_sandbox/held/wait', {}, 'invalid-gate', 'body'],
    ['POST /_sandbox/release', { order: [] }, 'invalid-gate', 'body'],
  ])('400 %s refuses %o', async (line, body, error, place) => {
    expect(await call(transport, `${line}?merchant=refused`, body)).toMatchObject({
      status: 400,
      body: { error, place },
    });
  });

  it('408 says how many requests were held', async () => {
    const { merchant } = transport.shop();
    merchant.hold({ op: 'payment.create', count: 2 });
    expect(
      await call(transport, `POST /_sandbox/held/wait?merchant=${merchant.id}`, { timeoutMs: 0 }),
    ).toMatchObject({
      status: 408,
      body: {
        error: 'wait-timeout',
        message: expect.stringContaining(
          `${waitedInVain}\nMerchant ${merchant.id} sent no requests. `,
        ),
        seen: [],
      },
    });
  });
});

const running = createSandbox({ seed: 'gates', fixtures: 'empty' });

const kinds: readonly (readonly [string, () => Promise<Sandbox | Remote>])[] = [
  ['in process', async () => createSandbox({ seed: 'gates', fixtures: 'empty' })],
  ['over HTTP', async () => connect((await running.listen({ port: 0 })).url)],
];

afterAll(() => running.close());

describe.each(kinds)('the verbs of gates (%s)', (_kind, open) => {
  let sandbox: Sandbox | Remote;
  beforeAll(async () => {
    sandbox = await open();
  });
  beforeEach(async () => {
    await sandbox.all.reset();
  });
  afterAll(async () => {
    await sandbox.close();
  });

  const payAs = (custom: string) =>
    sandbox.merchant('shop').fetch('http://api.test/v1/payments/payment', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(rawPaymentBody({}, { transaction: { custom } })),
    });

  it('hold two payments and release them in the order of their ids', async () => {
    const merchant = sandbox.merchant('shop');
    expect(await merchant.hold({ op: 'payment.create', count: 2, name: 'click' })).toBe('click');
    const answers = [payAs('order-7')];
    await merchant.waitForHeld({ times: 1, ...patient });
    answers.push(payAs('order-7'));
    const held = await merchant.waitForHeld(patient);
    expect(held).toMatchObject([
      { gate: 'click', purchase: 'order-7', arrived: 1 },
      { gate: 'click', purchase: 'order-7', arrived: 2 },
    ]);
    expect(await merchant.held()).toEqual(held);
    const ids = held.map(({ debugId }) => debugId).toReversed();
    expect((await merchant.release(ids)).map(({ debugId }) => debugId)).toEqual(ids);
    await Promise.all(answers);
    const { passed, findings } = await merchant.verdict();
    expect(passed).toBe(false);
    expect(findings[0]?.rule).toBe('double-charge');
  });

  it.each<[unknown, string]>([
    [
      { op: 'payment.create' },
      'hold count: this key is missing. How many requests the gate holds, from 1 to 100.',
    ],
    [{ op: 'payment.create', count: 0 }, 'hold count: must be a whole number from 1 to 100.'],
    [{ op: 'payment.create', count: 101 }, 'hold count: must be a whole number from 1 to 100.'],
    [
      { op: 'payment.create', count: 1, at: 'commit' },
      'hold at: must be one of before-commit, before-answer. Did you mean "before-commit"?',
    ],
    [
      { op: 'sale.get', count: 1 },
      'hold op: sale.get changes nothing, so it has no commit. Hold it at: before-answer.',
    ],
    [
      { op: 'payment.create', count: 3, release: [1, 2] },
      'hold release: must list each number from 1 to 3 once, because count is 3.',
    ],
    [
      { op: 'payment.create', count: 1, match: { $attempt: 2 } },
      'hold match.$attempt: a gate counts no attempts. Remove this condition; count says how many requests the gate holds.',
    ],
    [
      { op: 'payment.create', count: 1, match: { custom: 'A-7' } },
      'has no field "custom" there. Did you mean "transactions[0].custom"? Known: intent,',
    ],
    [
      { op: ['card.create', 'payment.create'], count: 1, match: { 'credit_card.number': '1' } },
      'Did you mean "payer.funding_instruments[0].credit_card.number"?',
    ],
    [
      { op: 'sale.refund', count: 1, match: { total: '1.00' } },
      'has no field "total" there. Did you mean "amount.total"?',
    ],
    [
      { op: 'payment.create', count: 1, match: { amuont: '1' } },
      'hold match.amuont: the body of payment.create has no field "amuont" there.',
    ],
    [
      { op: 'payment.create', count: 1, timeoutMs: 0 },
      'hold timeoutMs: must be a whole number of milliseconds from 1 to 240000.',
    ],
    [{ op: 'payment.create', count: 1, name: '' }, 'hold name: A name must not be empty.'],
    [
      { op: 'payment.create', count: 1, name: 'n'.repeat(129) },
      'hold name: A name must have 128 characters at most.',
    ],
    [null, 'object'],
    [[], 'object'],
  ])('refuse to hold %o', async (gate, message) => {
    const refused = (async () => sandbox.hold(gate as GateDocument))(); // Callers without types may give anything.
    await expect(refused).rejects.toThrow(GateError);
    await expect(refused).rejects.toThrow(message);
  });

  it.each<[unknown, string]>([
    [{ times: 0 }, 'must be a whole number, 1 or more'],
    [{ times: '2' }, 'must be a whole number, 1 or more'],
    [{ times: 1.5 }, 'must be a whole number, 1 or more'],
    [{ timeoutMs: -1 }, 'must be a whole number of milliseconds from 0 to 240000'],
    [{ timeoutMs: '5s' }, 'must be a whole number of milliseconds from 0 to 240000'],
    [{ timeoutMs: 240_001 }, 'must be a whole number of milliseconds from 0 to 240000'],
    [{ timout: 5 }, 'timeoutMs'],
  ])('refuse to wait with %o', async (options, message) => {
    const refused = (async () => sandbox.waitForHeld(options as object))();
    await expect(refused).rejects.toThrow(message);
  });

  it('refuse a name that is taken and more gates than a merchant may have', async () => {
    const gate = { op: 'payment.create', count: 1, name: 'mine' } as const;
    await sandbox.hold(gate);
    const taken = (async () => sandbox.hold(gate))();
    await expect(taken).rejects.toThrow('the name "mine" is taken by another gate');
    for (let at = 1; at < 100; at++) await sandbox.hold({ op: 'payment.create', count: 1 });
    const more = (async () => sandbox.hold({ op: 'payment.create', count: 1 }))();
    await expect(more).rejects.toThrow('this merchant has 100 gates');
  });

  it('hold with a name of 128 characters', async () => {
    const name = 'n'.repeat(128);
    expect(await sandbox.merchant('shop').hold({ op: 'any', count: 1, name })).toBe(name);
  });

  it('refuse to release what is not held, and release nothing then', async () => {
    const merchant = sandbox.merchant('shop');
    await merchant.hold({ op: 'payment.create', count: 1 });
    const answer = payAs('order-7');
    const [held] = await merchant.waitForHeld(patient);
    const id = held?.debugId ?? '';
    const cases: readonly (readonly [string[] | number[] | string, string])[] = [
      [
        [id, 'unknown'],
        `no held request has the number or id "unknown". Held are, in order of arrival: ${id}.`,
      ],
      [[2], 'no held request has the number or id 2.'],
      [[id, id], `"${id}" names a request that is already in the list.`],
    ];
    for (const [order, message] of cases) {
      const refused = (async () => merchant.release(order as string[]))();
      await expect(refused).rejects.toThrow(message);
    }
    await expect((async () => merchant.release('first' as 'arrival'))()).rejects.toThrow(GateError);
    expect(await merchant.held()).toHaveLength(1);
    await merchant.release();
    await answer;
  });

  it('play gates of a scenario', async () => {
    const merchant = sandbox.merchant('shop');
    const document = scenario('double-click')
      .about('Two requests for one order overlap.')
      .hold({ op: 'payment.create', count: 2, release: 'reverse' })
      .expect({ sales: { perIntent: '<=1' } })
      .build();
    await merchant.playScenario(document);
    await Promise.all([payAs('order-7'), payAs('order-7')]);
    const { entries } = await merchant.journal();
    expect(entries.map(({ holds }) => holds)).toMatchObject([
      [{ gate: 'gate 1', arrived: 1, released: 2, releasedBy: 'filled' }],
      [{ gate: 'gate 1', arrived: 2, released: 1, releasedBy: 'filled' }],
    ]);
    const verdict = await merchant.verdict();
    expect(verdict.expectations).toMatchObject([{ place: 'sales.perIntent', ok: false }]);
    const gate = { op: 'payment.create', count: 2, timeoutMs: 20 } as const;
    await merchant.playScenario({ ...document, hold: gate });
    await payAs('order-8').then(
      () => undefined,
      () => undefined,
    );
    expect((await merchant.verdict()).unfilled).toEqual([{ gate: 'gate 1', came: 1, count: 2 }]);
  });
});

describe('gates of a scenario file', () => {
  it('are one gate or a list, and name the lines of their mistakes', () => {
    const head = 'scenario: a\nversion: 1\nabout: A.\n';
    const one = loadScenarioText('a.yaml', `${head}hold: { op: payment.create, count: 2 }`);
    expect(one.document.hold).toEqual({ op: 'payment.create', count: 2 });
    expect(() =>
      loadScenarioText(
        'a.yaml',
        `${head}hold:\n  - { op: payment.create, count: 2, name: x }\n  - { op: payment.crate, count: 2, name: x, relaese: reverse }\n`,
      ),
    ).toThrow(
      /a\.yaml:6:\d+ hold\[1\]\.op: .*Did you mean "payment\.create"[\s\S]*"x" is already used[\s\S]*relaese[\s\S]*Did you mean "release"/,
    );
  });
});
