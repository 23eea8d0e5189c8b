/** A card number is gone from memory once its request is answered. */
import { createHash, randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createSandbox } from '../../../src/index.ts';
import type { TestTransport } from '../../support/transports.ts';
import { cardBody, rawPaymentBody } from '../../support/samples.ts';
import { collectGarbage, inHeap } from './heap.ts';
import { withTransport } from '../support/own-transport.ts';

/**
 * A number that this test never holds as a string, only as bytes outside the searched heap. Any
 * string with it comes from the sandbox.
 */
function drawNumber(): Uint8Array {
  const digits = Uint8Array.from({ length: 16 }, () => randomInt(10));
  digits[0] = 4;
  digits[15] = 0;
  const sum = digits.reduce((total, digit, at) => {
    const weighed = at % 2 === 0 ? digit * 2 : digit;
    return total + (weighed > 9 ? weighed - 9 : weighed);
  }, 0);
  digits[15] = (10 - (sum % 10)) % 10;
  return digits.map((digit) => digit + 48);
}

const gap = '################';

/** A body with the number's bytes in place of the gap. */
function bytesOf(body: Readonly<Record<string, unknown>>, number: Uint8Array): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(body));
  bytes.set(number, bytes.indexOf(gap));
  return bytes;
}

async function use(transport: TestTransport, number: Uint8Array): Promise<void> {
  const shop = transport.shop();
  await shop.ask('card.create', 201, { body: bytesOf(cardBody({ number: gap }), number) });
  await shop.ask('payment.create', 201, { body: bytesOf(rawPaymentBody({ number: gap }), number) });
  const wrong = cardBody({ number: gap, type: 'amex' });
  await shop.ask('card.create', 400, { body: bytesOf(wrong, number) });
  const headers = { 'PayPal-Request-Id': 'once' };
  await shop.ask('card.create', 201, { body: bytesOf(cardBody({ number: gap }), number), headers });
}

/**
 * Repeats the same requests with a published number, so that no engine cache keeps the last one.
 */
async function forget(transport: TestTransport): Promise<void> {
  for (let i = 0; i < 10; i++) await use(transport, Buffer.from('4111111111111111'));
  collectGarbage();
}

it('a card number is nowhere in memory after its request, on both transports', async () => {
  const numbers = [drawNumber(), drawNumber()] as const;
  const kept = drawNumber();
  const string = Buffer.from(kept).toString('latin1');
  await withTransport('in process', {}, (inProcess) =>
    withTransport('socket', {}, async (socket) => {
      await use(inProcess, numbers[0]);
      await use(socket, numbers[1]);
      await forget(inProcess);
      await forget(socket);
      const [control, ...found] = await inHeap([kept, ...numbers]);
      expect(found).toEqual([0, 0]);
      expect(control, 'the search finds what is there').toBeGreaterThan(0);
      expect(string).toHaveLength(16);
    }),
  );
});

/** Sends a number that is refused for every reason, alone and with other mistakes. */
async function beRefused(transport: TestTransport, number: Uint8Array): Promise<void> {
  const shop = transport.shop();
  for (const change of [{}, { type: 'amex' }, { expire_year: undefined }]) {
    const card = cardBody({ number: gap, ...change });
    const headers = { 'PayPal-Request-Id': 'once' };
    await shop.ask('card.create', 400, { body: bytesOf(card, number), headers });
    const raw = rawPaymentBody({ number: gap, ...change });
    await shop.ask('payment.create', 400, { body: bytesOf(raw, number), headers });
  }
}

it("a refused number, or one from the team's list, is nowhere in memory either", async () => {
  const [refused, allowed, digested, kept] = [0, 1, 2, 3].map(drawNumber) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ]; // As many as are drawn.
  const string = Buffer.from(kept).toString('latin1');
  const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const allowCards = join(folder, 'cards.txt');
  const digest = createHash('sha256').update(digested).digest('hex');
  writeFileSync(allowCards, Buffer.concat([allowed, Buffer.from(`\n${digest}\n`)]));
  await withTransport('in process', { realCards: 'refuse', allowCards }, async (transport) => {
    expect(transport.sandbox.about().allowedCards).toBe(2);
    await use(transport, allowed);
    await use(transport, digested);
    await beRefused(transport, refused);
    await forget(transport);
    // The engine remembers the last searched text, so read another list.
    writeFileSync(allowCards, '4111111111111111\n');
    createSandbox({ allowCards });
    await forget(transport);
    const [control, ...found] = await inHeap([kept, refused, allowed, digested]);
    expect(found).toEqual([0, 0, 0]);
    expect(control, 'the search finds what is there').toBeGreaterThan(0);
    expect(string).toHaveLength(16);
  });
});
