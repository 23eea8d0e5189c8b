/** In every place of every body, what does not belong there is refused in the contract's words and changes nothing. */
import { describe, expect, it } from 'vitest';
import { onEveryTransport, type TestTransport } from '../../support/transports.ts';
import { stateOf } from './answers.ts';
import {
  jsonType,
  placesIn,
  samples,
  valueAt,
  withPlace,
  type JsonPath,
  type Sample,
} from './bodies.ts';

const junk: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e308,
  '',
  'x'.repeat(5000),
  [],
  {},
  [[]],
  [[{}]],
  { length: 1 },
];

/**
 * Where another JSON type is taken: numbers as strings and the other way round (contract.md §14.10), and keys that are not
 * read at all. Integers are taken in every text.
 */
const lenient: readonly { readonly place: RegExp; readonly types: readonly string[] }[] = [
  { place: /(^id|soft_descriptor)$/, types: ['boolean', 'number', 'array', 'object'] },
  // A patch that copies does not read a value; one that replaces does not read `from`.
  { place: /^3\.value$/, types: ['boolean', 'number', 'array', 'object'] },
];

function mayTake(place: JsonPath, before: unknown, put: unknown): boolean {
  const type = jsonType(put);
  if (type === 'null' || type === jsonType(before)) return true;
  if (Number.isSafeInteger(put) && typeof before === 'string') return true;
  return lenient.some((one) => one.place.test(place.join('.')) && one.types.includes(type));
}

async function prepared(transport: TestTransport, { prepare }: Sample) {
  const shop = transport.shop();
  const request = await prepare(shop);
  return { shop, request, before: await stateOf(shop) };
}

/** Tries one value after the other on a merchant; what is refused changes nothing, so one serves until one is taken. */
async function bend(
  transport: TestTransport,
  sample: Sample,
  place: JsonPath,
  puts: readonly unknown[],
): Promise<void> {
  let ready = await prepared(transport, sample);
  for (const put of puts) {
    const { shop, before } = ready;
    const { params, body } = ready.request;
    const bent = JSON.stringify(withPlace(body, place, put));
    const { status, text } = await shop.send(sample.name, { params, body: bent });
    const message = `${JSON.stringify(put).slice(0, 50)} in ${place.join('.') || 'place of all'}: ${status} ${text}`;
    expect(status, message).toBeLessThan(500);
    if (!mayTake(place, valueAt(body, place), put))
      expect(status, message).toBeGreaterThanOrEqual(400);
    if (status >= 400) expect(await stateOf(shop), message).toEqual(before);
    else ready = await prepared(transport, sample);
  }
}

onEveryTransport(
  'a body with a wrong value in one place',
  (transport) => {
    describe.each(Object.keys(samples))('%s', (title) => {
      const sample = samples[title];
      if (sample === undefined) throw new Error('It is one of the samples.');

      it('is accepted unchanged', async () => {
        const shop = transport.shop();
        const { params, body } = await sample.prepare(shop);
        const { status, text } = await shop.send(sample.name, { params, body });
        expect([200, 201], text).toContain(status);
      });

      it('is refused or accepted as the contract says, with a wrong value at any place', async () => {
        const places = placesIn((await sample.prepare(transport.shop())).body);
        for (const [at, place] of places.entries()) {
          // Sockets are slower: one value in each place, another one in each.
          const puts = transport.name === 'socket' ? [junk[at % junk.length]] : junk;
          await bend(transport, sample, place, puts);
        }
      });
    });
  },
  { limits: { maxMerchants: 100_000 } },
);
