/** A start makes no schema that only answers have. */
import { OpenAPIHono, z } from '@hono/zod-openapi';
import { describe, expect, it } from 'vitest';
import { answerPart } from '../../src/contract/service/answer-part.ts';
import { operations } from '../../src/contract/service/operations.ts';

interface DeclaredResponse {
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>;
}

it.each(Object.entries(operations))(
  '%s makes its answers when they are read by',
  (_name, route) => {
    const responses: readonly DeclaredResponse[] = Object.values(route.responses);
    const schemas = responses.flatMap(({ content = {} }) => Object.values(content));
    expect(schemas).not.toEqual([]);
    for (const { schema } of schemas) expect(schema).toBeInstanceOf(z.ZodLazy);
  },
);

describe('a part of an answer', () => {
  it('is made once, by the first who reads by it', () => {
    let times = 0;
    const Part = answerPart('Part', () => {
      times += 1;
      return z.object({ id: z.string() });
    });
    expect(times).toBe(0);
    expect(Part.parse({ id: 'a', more: true })).toEqual({ id: 'a' });
    expect(Part.optional().parse(undefined)).toBeUndefined();
    expect(times).toBe(1);
    expect(() => Part.parse({})).toThrow(z.ZodError);
    expect(times).toBe(1);
  });

  it('is made once for all places of a document', () => {
    let times = 0;
    const Part = answerPart('Part', () => {
      times += 1;
      return z.object({ id: z.string() });
    });
    const app = new OpenAPIHono();
    for (const path of ['/one', '/many']) {
      const schema = path === '/one' ? Part : z.array(Part);
      const responses = {
        200: { description: 'Found', content: { 'application/json': { schema } } },
      };
      app.openAPIRegistry.registerPath({ method: 'get', path, responses });
    }
    const { components } = app.getOpenAPI31Document({
      openapi: '3.1.0',
      info: { title: 'Parts', version: '1' },
    });
    expect(components?.schemas).toEqual({
      Part: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] },
    });
    expect(times).toBe(1);
  });
});
