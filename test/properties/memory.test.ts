/** A card number is gone from memory once its request is answered: a dump of the process would not show it. */
import { randomInt } from 'node:crypto';
import { getHeapSnapshot, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import type { Door } from '../support/doors.ts';
import { cardBody, rawPaymentBody } from '../support/samples.ts';
import { atDoor } from './own-door.ts';

/**
 * A number that is never a string in this test, only bytes outside the heap that is searched: whatever string of it
 * is found, the sandbox made.
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

/** A body with the number's bytes in the place of the gap. */
function bytesOf(body: Readonly<Record<string, unknown>>, number: Uint8Array): Uint8Array {
  const bytes = Buffer.from(JSON.stringify(body));
  bytes.set(number, bytes.indexOf(gap));
  return bytes;
}

async function use(door: Door, number: Uint8Array): Promise<void> {
  const shop = door.shop();
  await shop.ask('card.create', 201, { body: bytesOf(cardBody({ number: gap }), number) });
  await shop.ask('payment.create', 201, { body: bytesOf(rawPaymentBody({ number: gap }), number) });
  const wrong = cardBody({ number: gap, type: 'amex' });
  await shop.ask('card.create', 400, { body: bytesOf(wrong, number) });
  const headers = { 'PayPal-Request-Id': 'once' };
  await shop.ask('card.create', 201, { body: bytesOf(cardBody({ number: gap }), number), headers });
}

/** Runs of the same requests with a published number, so that no cache of the engine holds the last one seen. */
async function forget(door: Door): Promise<void> {
  for (let i = 0; i < 10; i++) await use(door, Buffer.from('4111111111111111'));
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
}

/** How often each of these stands in the strings and numbers of the heap. */
async function inHeap(needles: readonly Uint8Array[]): Promise<number[]> {
  const counts = needles.map(() => 0);
  let rest = Buffer.alloc(0);
  for await (const chunk of getHeapSnapshot({ exposeNumericValues: true })) {
    const text = Buffer.concat([rest, chunk as Buffer]); // The stream gives buffers; its type does not say so.
    for (const [at, needle] of needles.entries()) {
      for (
        let found = text.indexOf(needle);
        found !== -1;
        found = text.indexOf(needle, found + 1)
      ) {
        counts[at] = (counts[at] ?? 0) + 1;
      }
    }
    rest = Buffer.from(text.subarray(-15));
  }
  return counts;
}

it('a card number is nowhere in the heap after its request, at either door', async () => {
  const numbers = [drawNumber(), drawNumber()] as const;
  const kept = drawNumber();
  const string = Buffer.from(kept).toString('latin1');
  await atDoor('in process', {}, (inProcess) =>
    atDoor('socket', {}, async (socket) => {
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
}, 60_000);
