/** Anything at all, on both transports: the answer is sound, what is refused leaves no trace, and the next one works. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { operations } from '../../../src/contract/service/operations.ts';
import { onEveryTransport, type Shop } from '../../support/transports.ts';
import { runsFor } from '../../properties/support/own-transport.ts';
import { cardBody } from '../../support/samples.ts';
import { expectWell, send, stateOf, type Sent } from './answers.ts';
import { placesIn, samples, withPlace } from './bodies.ts';

const keys = fc.constantFrom(
  'number',
  'type',
  'amount',
  'total',
  'payer',
  'transactions',
  '__proto__',
  'value',
  'path',
  'op',
  'links',
  'toString',
);

/** JSON of any shape, with keys that may mean something now and then. */
const anyJson = fc.oneof(
  fc.json({ maxDepth: 4 }),
  fc
    .object({ key: fc.oneof(keys, fc.string()), maxDepth: 4, withNullPrototype: true })
    .map((value) => JSON.stringify(value)),
  fc
    .anything({ key: keys, withBigInt: false })
    .map((value) => JSON.stringify(value) ?? 'undefined'),
);

const anyBytes = fc.uint8Array({ maxLength: 200 }).map((bytes) => new Uint8Array(bytes));
const anyBody = fc.oneof(anyJson, anyBytes, fc.string({ unit: 'binary', maxLength: 100 }));

const segment = fc.oneof(
  fc.constantFrom(
    'v1',
    'vault',
    'credit-cards',
    'credit-card',
    'payments',
    'payment',
    'sale',
    'refund',
    'capture',
    'authorization',
    'void',
    'oauth2',
    'token',
    '',
    '%',
    '%00',
    '%2e',
    '..%2f',
  ),
  fc.webSegment(),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => encodeURIComponent(text)),
);
const servedPath = fc
  .constantFrom(...Object.values(operations))
  .chain(({ path }) =>
    fc.webSegment().map((id) => path.replaceAll(/\{\w+\}/g, id === '' ? 'ID' : id)),
  );
const anyPath = fc.oneof(
  { arbitrary: servedPath, weight: 4 },
  {
    arbitrary: fc.array(segment, { maxLength: 7 }).map((segments) => `/${segments.join('/')}`),
    weight: 1,
  },
);
const anyQuery = fc
  .option(fc.webQueryParameters(), { nil: '', freq: 3 })
  .map((query) => (query === '' ? '' : `?${query}`));

/** A header value may hold any visible character of Latin-1. */
const headerValue = fc.string({
  unit: fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code)),
  maxLength: 60,
});
const anyHeaders = fc.record(
  {
    Accept: headerValue,
    'Content-Type': fc.oneof(fc.constant('application/json'), headerValue),
    Authorization: fc.oneof(
      headerValue,
      headerValue.map((value) => `Bearer ${value}`),
    ),
    'PayPal-Request-Id': headerValue,
    'PayPal-Mock-Response': headerValue,
    'X-Anything': headerValue,
    Cookie: headerValue,
  },
  { requiredKeys: [] },
);

const method = fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'HEAD');

const pointer = fc.oneof(
  fc.constantFrom(
    '/first_name',
    '/last_name',
    '/expire_month',
    '/expire_year',
    '/billing_address',
    '/billing_address/line1',
    '/billing_address/line2',
    '/billing_address/state',
    '/billing_address/country_code',
    '/billing_address/phone',
    '/number',
    '/id',
    '/links',
    '/links/0',
    '/links/-',
    '/state',
    '',
    '/',
    '/billing_address/',
    '/~0',
    '/~1',
    '/~2',
    'first_name',
    '/billing_address/line1/0',
    '/first_name/length',
    '/__proto__/x',
    '/billing_address/__proto__',
    '/constructor/prototype/x',
  ),
  fc.string({ maxLength: 12 }),
);
const operation = fc.record(
  {
    op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
    path: pointer,
    from: pointer,
    value: fc.oneof(
      fc.constantFrom('x', 7, '12', 2033, 'US', null, {
        line1: 'x',
        city: 'y',
        country_code: 'DE',
      }),
      fc.jsonValue({ maxDepth: 2 }),
    ),
  },
  { requiredKeys: ['op', 'path'] },
);

/** No traces, unless it was taken: then it was a good request by chance. */
async function expectNoHarm(shop: Shop, sent: Sent): Promise<void> {
  const before = await stateOf(shop);
  const { status } = await send(shop, sent);
  if (status >= 400) expect(await stateOf(shop)).toEqual(before);
}

onEveryTransport('a random request', (transport) => {
  it('is answered with any body at any path, and changes nothing', async () => {
    const shop = transport.shop();
    await fc.assert(
      fc.asyncProperty(
        method,
        anyPath,
        anyQuery,
        anyHeaders,
        anyBody,
        (verb, path, query, headers, body) =>
          expectNoHarm(shop, {
            method: verb,
            // Only what the service answers: the rest of the paths is another room's.
            path: path.startsWith('/v1') ? path + query : `/v1${path}${query}`,
            headers,
            body: verb === 'GET' || verb === 'HEAD' ? undefined : body,
          }),
      ),
      runsFor(transport.name, 500),
    );
    await expectWell(shop);
  });

  it('is answered as the contract says and does no harm with a few wrong values', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.values(samples)),
        fc.array(fc.tuple(fc.nat(), fc.jsonValue({ maxDepth: 2 })), {
          minLength: 1,
          maxLength: 3,
        }),
        async ({ name, prepare }, bends) => {
          const shop = transport.shop();
          const { params, body } = await prepare(shop);
          let bent: unknown = body;
          for (const [which, value] of bends) {
            const places = placesIn(bent);
            bent = withPlace(bent, places[which % places.length] ?? [], value);
          }
          const before = await stateOf(shop);
          const reply = await shop.send(name, { params, body: JSON.stringify(bent) });
          expect(reply.status, reply.text).toBeLessThan(500);
          if (reply.status >= 400) expect(await stateOf(shop)).toEqual(before);
        },
      ),
      runsFor(transport.name, 250),
    ));

  it('leaves exactly one valid card if it patches a card in any way', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(operation, { minLength: 1, maxLength: 12 }), { maxLength: 6 }),
        async (patches) => {
          const shop = transport.shop();
          const { id } = await shop.ask('card.create', 201, { body: cardBody() });
          const params = { card_id: id };
          for (const body of patches) {
            const before = await stateOf(shop);
            // send() holds a card that comes back to its schema.
            const { status, text } = await shop.send('card.update', { params, body });
            expect([200, 400], text).toContain(status);
            expect(text.length).toBeLessThan(3000);
            if (status === 400) expect(await stateOf(shop)).toEqual(before);
            else expect(await stateOf(shop)).toMatchObject([{ items: [JSON.parse(text)] }, {}, {}]);
          }
        },
      ),
      runsFor(transport.name, 100),
    ));
});
