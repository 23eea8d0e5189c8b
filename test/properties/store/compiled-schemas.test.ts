/** Compiled schemas, which sockets use, read and refuse the same as the schemas that they are made from. */
import { z } from '@hono/zod-openapi';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { operationNames, requestSchemas } from '../../../src/contract/service/operations.ts';
import { compileSchemas, readShape } from '../../../src/contract/shape.ts';
import { placesIn, samples, withPlace } from '../../behaviour/bad-input/bodies.ts';
import { runs } from '../../support/vitest/runs.ts';
import { withTransport } from '../support/own-transport.ts';

const schemas = operationNames.map((name) => ({ name, ...requestSchemas(name) }));
const bodies = schemas.flatMap(({ name, body }) => (body === undefined ? [] : [{ name, body }]));
const queries = schemas.flatMap(({ name, query }) =>
  query === undefined ? [] : [{ name, query }],
);

/** A copy that stays as it is, and the schema, compiled. */
function plainAndCompiled(schema: z.ZodType): readonly [z.ZodType, z.ZodType] {
  const plain = schema.clone();
  compileSchemas([schema]);
  return [plain, schema];
}

const junk = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom('', '0', '12', 'x'.repeat(300), '4417119669820331', 'visa', '1.00', 'a\0b'),
  fc.integer({ min: -1, max: 20 }),
  fc.constantFrom('{"__proto__":1}', '{"toString":{}}').map((text): unknown => JSON.parse(text)),
);

const parameters =
  'page_size page count start_index start_id start_time end_time sort_by sort_order total_required after merchant_id x';
const anyQuery = fc.dictionary(
  fc.constantFrom(...parameters.split(' ')),
  fc.oneof(
    fc.constantFrom('', '0', '1', '5', '20', '99', 'true', 'asc', 'desc', 'update_time', 'a1'),
    fc.constantFrom('2026-05-06', '2026-05-06T07:08:09Z', '2026-05-06T07:08:09+02:00'),
    fc.string(),
  ),
  { maxKeys: 4 },
);

describe('a compiled schema', () => {
  it.each([...bodies, ...queries.map(({ name, query }) => ({ name, body: query }))])(
    'exists for every request: $name',
    ({ body }) => {
      expect(z.compile(body, { strict: true })).not.toBe(body);
    },
  );

  it.each(bodies)('reads any body like the plain schema: $name', async ({ name, body: schema }) => {
    const [plain, compiled] = plainAndCompiled(schema);
    const valid = await withTransport('in process', {}, (transport) =>
      Promise.all(
        Object.values(samples)
          .filter((sample) => sample.name === name)
          .map(async ({ prepare }) => (await prepare(transport.shop())).body),
      ),
    );
    // Operations without a sample take nothing, or the body of a capture.
    const whole = valid.length === 0 ? [{ amount: { total: '1.00', currency: 'USD' } }] : valid;
    const changed = fc.tuple(fc.constantFrom(...whole), fc.nat(), junk).map(([body, at, value]) => {
      const places = placesIn(body);
      return withPlace(body, places[at % places.length] ?? [], value);
    });
    fc.assert(
      fc.property(fc.oneof({ arbitrary: changed, weight: 5 }, junk), (body) => {
        expect(readShape(compiled, body)).toStrictEqual(readShape(plain, body));
      }),
      { numRuns: runs(500) },
    );
  });

  it.each(queries)('reads any query like the plain schema: $name', ({ query: schema }) => {
    const [plain, compiled] = plainAndCompiled(schema);
    fc.assert(
      fc.property(anyQuery, (query) => {
        expect(readShape(compiled, query)).toStrictEqual(readShape(plain, query));
      }),
      { numRuns: runs(1_000) },
    );
  });
});
