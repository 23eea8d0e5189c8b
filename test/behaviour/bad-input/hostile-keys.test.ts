/** Keys that mean something to JavaScript. */
import { describe, expect, it } from 'vitest';
import { onEveryTransport } from '../../support/transports.ts';
import { cardBody, paymentBody, rawPaymentBody } from '../../support/samples.ts';
import { send, stateOf } from './answers.ts';
import { samples } from './bodies.ts';

const cards = '/v1/vault/credit-cards';
const payments = '/v1/payments/payment';

const hostile = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'then',
  'valueOf',
  'toJSON',
  '$where',
  '',
];

onEveryTransport('a key with a meaning in JavaScript', (transport) => {
  const poison = {
    admin: true,
    number: '1',
    total: '0.01',
    amount: null,
    length: 7,
    state: 'voided',
  };

  describe.each(transport.name === 'socket' ? hostile.slice(0, 3) : hostile)('%j', (key) => {
    const pair = `${JSON.stringify(key)}:${JSON.stringify(poison)}`;

    it('changes no prototype at any level of a body', async () => {
      for (const { name, prepare } of Object.values(samples)) {
        const shop = transport.shop();
        const { params, body } = await prepare(shop);
        const text = JSON.stringify(body);
        let before = await stateOf(shop);
        for (let at = text.indexOf('{'); at !== -1; at = text.indexOf('{', at + 1)) {
          const comma = text[at + 1] === '}' ? '' : ',';
          const bent = `${text.slice(0, at + 1)}${pair}${comma}${text.slice(at + 1)}`;
          const reply = await shop.send(name, { params, body: bent });
          expect(reply.status, reply.text).toBeLessThan(500);
          expect(reply.text).not.toMatch(/admin|\[object|function/);
          const after = await stateOf(shop);
          if (reply.status >= 400) expect(after).toEqual(before);
          before = after;
        }
      }
      expect(Reflect.get({}, 'admin')).toBeUndefined();
      expect(Object.keys(Object.prototype)).toEqual([]);
    });

    it('is refused as a card, patch path, currency, filter and id', async () => {
      const shop = transport.shop();
      const card = await shop.ask('card.create', 201, { body: cardBody() });
      const amount = { total: '1.00', currency: key };
      const sent: readonly (readonly [string, string, unknown])[] = [
        ['POST', cards, cardBody({ type: key })],
        ['POST', payments, paymentBody({ cardId: key })],
        ['POST', payments, rawPaymentBody({}, { currency: key })],
        ['POST', payments, rawPaymentBody({}, { intent: key })],
        ['POST', payments, paymentBody({ cardId: card.id, transaction: { amount } })],
        ['PATCH', `${cards}/${card.id}`, [{ op: 'add', path: `/${key}`, value: poison }]],
        [
          'PATCH',
          `${cards}/${card.id}`,
          [{ op: 'add', path: `/billing_address/${key}`, value: 'x' }],
        ],
        ['PATCH', `${cards}/${card.id}`, [{ op: 'copy', path: '/first_name', from: `/${key}` }]],
        [
          'PATCH',
          `${cards}/${card.id}`,
          [{ op: 'copy', path: '/first_name', from: `/${key}/admin` }],
        ],
        ['PATCH', `${cards}/${card.id}`, [{ op: 'test', path: `/${key}/${key}`, value: {} }]],
      ];
      const before = await stateOf(shop);
      for (const [method, path, body] of sent) {
        const { status, text } = await send(shop, { method, path, body: JSON.stringify(body) });
        expect([400, 404], `${method} ${JSON.stringify(body)}: ${text}`).toContain(status);
      }
      for (const path of [cards, payments, '/v1/payments/sale', '/v1/payments/capture']) {
        const { status } = await send(shop, { method: 'GET', path: `${path}/${key || '%00'}` });
        expect(status, path).toBe(404);
      }
      const filtered = await send(shop, {
        method: 'GET',
        path: `${cards}?external_customer_id=${key || 'none'}&${key}=1`,
      });
      expect(filtered.body).toMatchObject({ items: [], total_items: 0 });
      expect(await stateOf(shop)).toEqual(before);
    });
  });
});
