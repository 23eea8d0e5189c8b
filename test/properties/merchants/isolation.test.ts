/** Merchants are isolated: nothing of one can be seen or felt by another. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { OperationName } from '../../../src/contract/service/operation-name.ts';
import { operations } from '../../../src/contract/service/operations.ts';
import {
  transportNames,
  testNow,
  onEveryTransport,
  type Request,
  type Shop,
} from '../../support/transports.ts';
import { cardBody, paymentBody } from '../../support/samples.ts';
import { withTransport, runsFor } from '../support/own-transport.ts';
import { allKinds, walks } from '../support/client-steps.ts';
import { Walker } from '../support/client-walk.ts';

const options = { baseUrl: 'http://shop.test', clock: { start: testNow, frozen: true } };

describe.each(transportNames)('two merchants at once (%s)', (name) => {
  it('receive the same bytes as they would alone', () =>
    fc.assert(
      fc.asyncProperty(
        walks(15, allKinds),
        walks(15, allKinds),
        fc.infiniteStream(fc.boolean()),
        async (one, other, turns) => {
          const alone = await withTransport(name, options, async (transport) => {
            const walker = await new Walker(transport.shop('one')).walk(one);
            return [walker.transcript, walker.shop.merchant.ledger()];
          });
          const together = await withTransport(name, options, async (transport) => {
            const walker = new Walker(transport.shop('one'));
            const neighbour = new Walker(transport.shop('other'));
            const rest = [...other];
            for (const step of one) {
              while (rest.length > 0 && turns.next().value) {
                const next = rest.shift();
                if (next !== undefined) await neighbour.take(next);
              }
              await walker.take(step);
            }
            return [walker.transcript, walker.shop.merchant.ledger()];
          });
          expect(together).toEqual(alone);
        },
      ),
      runsFor(name, 35),
    ));
});

/** Every operation that names a record, with a valid body. */
function callsOn(walker: Walker): [OperationName, Request][] {
  const amount = { total: '0.01', currency: 'USD' };
  const calls: [OperationName, Request][] = [];
  for (const { id, customer } of walker.cards) {
    const params = { card_id: id };
    const body = [{ op: 'replace', path: '/first_name', value: 'Mallory' }];
    const paid = paymentBody({
      cardId: id,
      ...(customer === undefined ? {} : { externalCustomerId: customer }),
    });
    calls.push(
      ['card.get', { params }],
      ['card.update', { params, body }],
      ['card.delete', { params }],
      ['payment.create', { body: paid }],
    );
  }
  for (const id of walker.payments) {
    const params = { payment_id: id };
    const body = [{ op: 'replace', path: '/transactions/0/custom', value: 'x' }];
    calls.push(
      ['payment.get', { params }],
      ['payment.update', { params, body }],
      ['payment.execute', { params, body: {} }],
    );
  }
  for (const { id, of } of walker.taken) {
    const params = { [`${of}_id`]: id };
    calls.push([`${of}.get`, { params }], [`${of}.refund`, { params, body: { amount } }]);
    if (of === 'sale') calls.push(['sale.refunds', { params }]);
  }
  for (const { id } of walker.held) {
    const params = { authorization_id: id };
    calls.push(
      ['auth.get', { params }],
      ['auth.capture', { params, body: { amount } }],
      ['auth.void', { params, body: {} }],
      ['auth.reauthorize', { params, body: {} }],
    );
  }
  for (const id of walker.refunds) calls.push(['refund.get', { params: { refund_id: id } }]);
  return calls;
}

async function readsOf(shop: Shop): Promise<unknown> {
  const replies = await Promise.all([
    shop.send('card.list', { query: { page_size: '20' } }),
    shop.send('payment.list', { query: { count: '20' } }),
  ]);
  return [...replies.map(({ text }) => text), structuredClone(shop.merchant.ledger())];
}

onEveryTransport('two merchants', (transport) => {
  it("cannot read, list, use, change or delete each other's records", () =>
    fc.assert(
      fc.asyncProperty(walks(15, allKinds), async (walk) => {
        const owner = await new Walker(transport.shop()).walk(walk);
        const stranger = transport.shop();
        await stranger.ask('card.create', 201, { body: cardBody() });
        const before = [await readsOf(owner.shop), await readsOf(stranger)];
        for (const [name, request] of callsOn(owner)) {
          const reply = await stranger.send(name, request);
          expect(reply.status, `${operations[name].path} answered ${reply.text}`).toBe(404);
        }
        const startId = owner.payments[0] ?? '';
        await stranger.ask('payment.list', 400, { query: { start_id: startId } });
        expect([await readsOf(owner.shop), await readsOf(stranger)]).toEqual(before);
      }),
      runsFor(transport.name, 20),
    ));

  it('receive the same response for ids of others as for unknown ids', async () => {
    const owner = await new Walker(transport.shop()).walk([{ ask: 'store', customer: undefined }]);
    const stranger = transport.shop();
    const textOf = async (cardId: string) =>
      (await stranger.send('card.get', { params: { card_id: cardId } })).text.replaceAll(
        /"debug_id":"\w+"/g,
        '',
      );
    const [card] = owner.cards;
    expect(await textOf(card?.id ?? '')).toBe(await textOf('CARD-00000000000000000NOBODYS'));
  });
});
