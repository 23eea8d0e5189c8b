/** Schemas that have been read often are compiled, and nobody notices: they take the same and refuse the same. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from '@hono/zod-openapi';
import { readsBeforeCompiled, readyToRead } from '../../src/contract/service/compiled.ts';
import { operations } from '../../src/contract/service/operations.ts';
import { readShape } from '../../src/contract/shape.ts';
import { placesIn, samples, withPlace } from '../behaviour/bad-input/bodies.ts';
import { doorNames, testNow, type DoorName } from '../support/transports.ts';
import { atDoor } from './support/own-transport.ts';
import { allKinds, walks, type Step } from './support/client-steps.ts';
import { Walker } from './support/client-walk.ts';

interface Declared {
  readonly request?: {
    readonly params?: z.ZodType;
    readonly query?: z.ZodType;
    readonly body?: { readonly content: Readonly<Record<string, { readonly schema: z.ZodType }>> };
  };
}

const declared: readonly [string, Declared][] = Object.entries(operations);

/** Every schema that requests are read with, by operation. */
const schemas = declared.flatMap(([name, { request }]) => {
  const body = request?.body?.content['application/json']?.schema;
  return [
    ...(body === undefined ? [] : [{ name, schema: body, isQuery: false }]),
    ...(request?.query === undefined ? [] : [{ name, schema: request.query, isQuery: true }]),
  ];
});

function readOften(schema: z.ZodType): z.ZodType {
  for (let n = 0; n < readsBeforeCompiled; n++) readyToRead(schema);
  return readyToRead(schema);
}

const heard = (name: DoorName, walk: readonly Step[]) =>
  atDoor(name, { baseUrl: 'https://shop.test', clock: { start: testNow, frozen: true } }, (door) =>
    new Walker(door.shop('merchant')).walk(walk).then(({ transcript }) => transcript),
  );

describe('schemas that were read often', () => {
  it('give the same bytes at either door as before', async () => {
    const [walk = []] = fc.sample(walks(150, allKinds), { seed: 6, numRuns: 1 });
    for (const { name, schema } of schemas) expect(readyToRead(schema), name).toBe(schema);
    const before = await heard('in process', walk);
    for (const { name, schema } of schemas) expect(readOften(schema), name).not.toBe(schema);
    for (const name of doorNames) expect(await heard(name, walk), name).toEqual(before);
  });

  it.each(schemas)('can all be compiled: $name', ({ schema }) => {
    expect(z.compile(schema, { strict: true })).not.toBe(schema);
  });

  it('stay as they are until then', () => {
    const schema = z.strictObject({ word: z.string() });
    for (let n = 1; n < readsBeforeCompiled; n++) expect(readyToRead(schema)).toBe(schema);
    expect(readyToRead(schema)).not.toBe(schema);
  });

  const junk = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom('', '0', '12', 'x'.repeat(300), '4417119669820331', 'visa', '1.00', 'a\0b'),
    fc.integer({ min: -1, max: 20 }),
    fc.constantFrom('{"__proto__":1}', '{"toString":{}}').map((text): unknown => JSON.parse(text)),
  );

  it.each(schemas.filter(({ isQuery }) => !isQuery))(
    'read any body as before: $name',
    async ({ name, schema }) => {
      const plain = schema.clone();
      expect(readOften(schema)).not.toBe(schema);
      const bodies = await atDoor('in process', {}, (door) =>
        Promise.all(
          Object.values(samples)
            .filter((sample) => sample.name === name)
            .map(async ({ prepare }) => (await prepare(door.shop())).body),
        ),
      );
      // One that no sample is for takes nothing, or what a capture takes.
      const whole = bodies.length === 0 ? [{ amount: { total: '1.00', currency: 'USD' } }] : bodies;
      const bent = fc.tuple(fc.constantFrom(...whole), fc.nat(), junk).map(([body, at, put]) => {
        const places = placesIn(body);
        return withPlace(body, places[at % places.length] ?? [], put);
      });
      fc.assert(
        fc.property(fc.oneof({ arbitrary: bent, weight: 5 }, junk), (body) => {
          expect(readShape(schema, body)).toStrictEqual(readShape(plain, body));
        }),
        { numRuns: 500 },
      );
    },
  );

  const parameters =
    'page_size page count start_index start_id start_time end_time sort_by sort_order total_required after merchant_id x';
  const queries = fc.dictionary(
    fc.constantFrom(...parameters.split(' ')),
    fc.oneof(
      fc.constantFrom('', '0', '1', '5', '20', '99', 'true', 'asc', 'desc', 'update_time', 'a1'),
      fc.constantFrom('2026-05-06', '2026-05-06T07:08:09Z', '2026-05-06T07:08:09+02:00'),
      fc.string(),
    ),
    { maxKeys: 4 },
  );

  it.each(schemas.filter(({ isQuery }) => isQuery))(
    'read any query as before: $name',
    ({ schema }) => {
      const plain = schema.clone();
      expect(readOften(schema)).not.toBe(schema);
      fc.assert(
        fc.property(queries, (query) => {
          expect(readShape(schema, query)).toStrictEqual(readShape(plain, query));
        }),
        { numRuns: 1_000 },
      );
    },
  );
});
