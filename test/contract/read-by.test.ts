/** What requests are read by is made when the first one comes. */
import { describe, expect, it } from 'vitest';
import { z } from '@hono/zod-openapi';
import { readBy } from '../../src/contract/declare.ts';
import { operations } from '../../src/contract/operations.ts';

const parts = ['params', 'query', 'headers', 'body'] as const;

it.each(Object.entries(operations))(
  '%s makes what its requests are read by when it is asked for, and once',
  (_name, { request }) => {
    for (const part of parts) {
      const { get } = Object.getOwnPropertyDescriptor(request, part) ?? {};
      expect(get, part).toBeTypeOf('function');
      expect(get?.call(request), part).toBe(get?.call(request));
    }
  },
);

describe('what a request is read by', () => {
  it('is made by the first who asks for a part of it', () => {
    let times = 0;
    const request = readBy(() => {
      times += 1;
      return { params: z.object({ id: z.string() }), query: z.object({ page: z.string() }) };
    });
    expect(times).toBe(0);
    expect(request.query.parse({ page: '2' })).toEqual({ page: '2' });
    expect(request.params.parse({ id: 'a' })).toEqual({ id: 'a' });
    expect(times).toBe(1);
  });

  it('has nothing in the place of parts that were not declared', () => {
    const request: { readonly params: z.ZodType; readonly body?: unknown } = readBy(() => ({
      params: z.object({}),
    }));
    expect(request.body).toBeUndefined();
  });
});
