/** If real cards are refused, no trace of the sent number is left. */
import { inspect } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../../src/index.ts';
import { CliProcess } from '../../behaviour/cli/cli-process.ts';
import {
  transportNames,
  testNow,
  type TestTransport,
  type Shop,
} from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { withTransport, runsFor, writeResponse } from '../support/own-transport.ts';
import { pan, strangers, type Pan } from '../support/card-numbers.ts';
import { hiddenPlaces } from './secret-places.ts';
import { sendSecret } from './send-secret.ts';

const realCards = 'refuse';

/** All groups of four consecutive digits of a number. */
const runsOf = (number: string): string[] =>
  Array.from({ length: number.length - 3 }, (_, at) => number.slice(at, at + 4));

const bodiesOf = ({ number, brand }: Pan) => {
  const card = { number, type: brand, cvv2: undefined };
  return [
    ['card.create', cardBody(card)],
    ['payment.create', rawPaymentBody(card)],
  ] as const;
};

describe.each(transportNames)('an unknown card number (%s)', (name) => {
  it('is refused, and no four of its digits appear in the refusal or the journal', () =>
    withTransport(name, { realCards }, (transport) =>
      fc.assert(
        fc.asyncProperty(pan, async (one) => {
          const shop = transport.shop();
          for (const [operation, body] of bodiesOf(one)) {
            const { status, text, headers } = await shop.send(operation, { body });
            expect(status, one.number).toBe(400);
            expect(text).toContain('REAL_CARD_REFUSED');
            // The debug id is random and may contain any digits.
            const debugId = headers.get('paypal-debug-id') ?? '';
            const said = text.replace(debugId, '') + headers.get('sandbox-warning');
            const { path, request, response, reason, warnings, intent, requestId } =
              shop.merchant.explain(debugId) ?? {};
            const kept = JSON.stringify([path, request, reason, warnings, intent, requestId]);
            const all = said + kept + response?.replace(debugId, '');
            expect(runsOf(one.number).filter((run) => all.includes(run))).toEqual([]);
          }
          expect((await shop.ask('card.list', 200)).total_items).toBe(0);
          expect((await shop.ask('payment.list', 200)).count).toBe(0);
        }),
        runsFor(name, 100),
      ),
    ));

  it('leaves the same traces as any other number', () =>
    fc.assert(
      fc.asyncProperty(strangers, async ([one, other]) => {
        expect(await allSeen(name, other)).toEqual(await allSeen(name, one));
      }),
      {
        ...runsFor(name, 3),
        // A run is long, and so would shrinking be.
        endOnFailure: true,
        // One of them contains a shorter card number.
        examples: [
          [
            [
              { brand: 'visa', number: '4098202115164155691' },
              { brand: 'visa', number: '4429398292092263789' },
            ],
          ],
        ],
      },
    ));
});

/** Everything that a merchant sees after sending a number in every place. */
async function allSeen(
  name: (typeof transportNames)[number],
  one: Pan,
): Promise<readonly string[]> {
  const exchanges: Exchange[] = [];
  const options = {
    realCards,
    baseUrl: 'http://shop.test',
    clock: { start: testNow, frozen: true },
    systemClock: { nowMs: () => Date.parse(testNow) },
    listeners: { onExchange: (exchange: Exchange) => exchanges.push(exchange) },
  } as const;
  return withTransport(name, options, async (transport) => {
    const seen: string[] = [];
    const shop = transport.shop('merchant');
    for (const op of ['card.create', 'payment.create'] as const) {
      shop.merchant.force({ op, outcome: 'token-revoked' });
    }
    for (const [operation, body] of bodiesOf(one)) {
      for (const change of [{}, { PayPal: 1 }]) {
        const headers = { 'PayPal-Request-Id': `id-${Object.keys(change).length}` };
        seen.push(
          writeResponse(await shop.send(operation, { body: { ...body, ...change }, headers })),
        );
      }
    }
    seen.push(...tellingOf(transport, shop));
    for (const [at, place] of hiddenPlaces.entries()) {
      const text = await sendSecret(
        transport.fetch,
        transport.base,
        `place-${at}`,
        place,
        one.number,
      );
      const lines = text.split('\n').filter((line) => !/^(?:connection|keep-alive): /.test(line));
      const { merchant } = transport.shop(`place-${at}`);
      seen.push([place.name, ...lines, readable(merchant.journal())].join('\n'));
    }
    seen.push(readable(exchanges), readable(transport.sandbox.merchants()));
    return seen;
  });
}

/** Everything that a sandbox reports about one merchant who only sent real cards. */
function tellingOf({ sandbox }: TestTransport, { merchant }: Shop): string[] {
  return [
    merchant.journal(),
    merchant.ledger(),
    merchant.rules(),
    merchant.export(),
    sandbox.about(),
    sandbox.health(),
  ].map(readable);
}

/**
 * Card numbers overlap in repeated digits, and redaction then merges several into one. On a busy machine, `fetch` opens
 * another connection where it would else use one again.
 */
const readable = (value: unknown): string =>
  inspect(value, { depth: Infinity, maxStringLength: Infinity, maxArrayLength: Infinity })
    .replaceAll(/(?:\[redacted\])+/g, '[redacted]')
    .replaceAll(/reusedConnection: \w+/g, 'reusedConnection: …');

it.each(['json', 'pretty'])('is in no log line (%s)', async (format) => {
  const number = '4929851042331971';
  const args = ['--real-cards', 'refuse', '--log-level', 'debug', '--log-format', format];
  const cli = new CliProcess(['--port', '0', ...args, '--seed', 'x']);
  const url = await cli.url();
  const debugIds: string[] = [];
  for (const [operation, body] of bodiesOf({ number, brand: 'visa' })) {
    const path = operation === 'card.create' ? 'vault/credit-cards' : 'payments/payment';
    const answer = await fetch(`${url}/v1/${path}`, {
      method: 'POST',
      headers: { Authorization: 'Bearer sandbox.shop', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    debugIds.push(answer.headers.get('paypal-debug-id') ?? '');
  }
  const { stdout, stderr } = await cli.stop();
  expect(stdout).toContain('on no list of test numbers');
  // Ports, times and debug ids may contain any digits.
  const drawn = new RegExp(
    [new URL(url).port, ...debugIds, String.raw`\d\d:\d\d:[\d.]+`].join('|'),
    'g',
  );
  const said = (stdout + stderr).replaceAll(drawn, '').replaceAll(/20\d\d-\d\d-\d\d/g, '');
  expect(runsOf(number).filter((run) => said.includes(run))).toEqual([]);
});
