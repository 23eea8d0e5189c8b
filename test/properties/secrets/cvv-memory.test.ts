/** A verification code is gone from memory once its request is answered, whatever the response. */
import { randomInt } from 'node:crypto';
import { expect, it } from 'vitest';
import { exampleBodies } from '../../../src/contract/service/examples.ts';
import type { TestTransport } from '../../support/transports.ts';
import { cardBody, pans, rawPaymentBody } from '../../support/samples.ts';
import { collectGarbage, inHeap, valuesUnder } from './heap.ts';
import { withTransport } from '../support/own-transport.ts';

/** Names of verification codes. */
const codeNames = ['cvv', 'cvv2', 'cvc', 'cvc2', 'cid', 'csc', 'security_code', 'securityCode'];

const gap = '~'.repeat(18);

/** Never a string in this test, so any string with it comes from the sandbox. */
function drawCode(): Uint8Array {
  return Uint8Array.from({ length: gap.length }, () => 48 + randomInt(10));
}

function bytesOf(body: object, code: Uint8Array): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(body));
  for (let at = bytes.indexOf(gap); at !== -1; at = bytes.indexOf(gap)) bytes.set(code, at);
  return bytes;
}

/**
 * Places for a code. It is too long for a real one, so that it differs from everything else in
 * memory.
 */
const changes: readonly Readonly<Record<string, unknown>>[] = [
  { cvv2: gap },
  { cvv2: [gap] },
  { cvv2: { value: gap } },
  ...codeNames.map((name) => ({ [name]: gap })),
  { billing_address: { line1: '1 Way', city: 'X', country_code: 'GB', cvv2: gap } },
  { cvv2: `${gap} `, expire_year: 2020 },
];

async function send(transport: TestTransport, code: Uint8Array): Promise<void> {
  const shop = transport.shop();
  for (const change of changes) {
    await shop.send('card.create', { body: bytesOf(cardBody(change), code) });
    await shop.send('payment.create', { body: bytesOf(rawPaymentBody(change), code) });
    const headers = { 'PayPal-Request-Id': 'one' };
    await shop.send('card.create', { body: bytesOf(cardBody(change), code), headers });
  }
  const broken = bytesOf(cardBody({ cvv2: gap }), code).subarray(0, -2);
  await shop.send('card.create', { body: broken });
  shop.merchant.snapshot('kept');
}

/** Sends valid codes, one with a leading zero, in requests with every result. */
async function use(transport: TestTransport): Promise<void> {
  const shop = transport.shop();
  const good = [{ cvv2: '907' }, { cvv2: 907 }, { type: 'amex', number: pans.amex, cvv2: '0907' }];
  for (const change of good) {
    await shop.ask('card.create', 201, { body: cardBody(change) });
    await shop.ask('payment.create', 201, { body: rawPaymentBody(change) });
    await shop.ask('card.create', 400, { body: cardBody({ ...change, expire_year: 2020 }) });
    const headers = { 'Sandbox-Outcome': 'decline-generic' };
    await shop.ask('payment.create', 400, { body: rawPaymentBody(change), headers });
  }
  shop.merchant.force({ op: 'card.create', outcome: 'error-500-after-commit' });
  await shop.ask('card.create', 500, { body: cardBody({ cvv2: '907' }) });
  shop.merchant.snapshot('kept');
}

it('a verification code is nowhere in memory after its request, on both transports', async () => {
  const codes = [drawCode(), drawCode()] as const;
  const kept = drawCode();
  const string = Buffer.from(kept).toString('latin1');
  await withTransport('in process', {}, (inProcess) =>
    withTransport('socket', {}, async (socket) => {
      await send(inProcess, codes[0]);
      await send(socket, codes[1]);
      // So that no engine cache keeps the last one.
      const harmless = Buffer.from('1'.repeat(gap.length));
      for (let i = 0; i < 10; i++) {
        await send(inProcess, harmless);
        await send(socket, harmless);
      }
      collectGarbage();
      const [control, ...found] = await inHeap([kept, ...codes]);
      expect(found).toEqual([0, 0]);
      expect(control, 'the search finds what is there').toBeGreaterThan(0);
      expect(string).toHaveLength(gap.length);
    }),
  );
});

it('no remaining object has a verification code under any of its names', async () => {
  await withTransport('in process', {}, (inProcess) =>
    withTransport('socket', {}, async (socket) => {
      await use(inProcess);
      await use(socket);
      const control = { cvv2: '135' };
      // The bodies above contain a gap, and documents contain an example: neither is a client's
      // code.
      const codes = (await valuesUnder(codeNames)).filter((value) => !value.includes(gap));
      const found = new Set(codes);
      expect([...found].toSorted()).toEqual(
        ['cvv2: 135', `cvv2: ${exampleBodies.card.cvv2}`].toSorted(),
      );
      expect(control.cvv2).toBe('135');
    }),
  );
});
