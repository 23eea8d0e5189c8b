/** Helpers for schemas that must match a TypeScript type. */
import { z } from '@hono/zod-openapi';
import type { AppendList } from '../../domain/append-list.ts';

/** A record in JSON. */
export type JsonRecord<T> = {
  readonly [K in keyof T]: T[K] extends AppendList<infer One> ? readonly One[] : T[K];
};

/**
 * An object with exactly the members of `T`.
 *
 * The compiler reports a member that the domain gains and this schema lacks. In JSON an `undefined`
 * member is omitted.
 */
export function objectSchema<T>(shape: {
  readonly [K in keyof T]-?: z.ZodType<T[K]>;
}): z.ZodType<T> {
  // Every member has a schema. The types of zod cannot express that a missing one reads as
  // undefined.
  return z.strictObject(shape) as unknown as z.ZodType<T>;
}

/** One of the words of `T`, all of which must be listed. */
export function enumSchema<T extends string>(words: Readonly<Record<T, true>>): z.ZodType<T> {
  // The keys of a Record<T, …> are T; the library type of Object.keys loses that.
  return z.enum(Object.keys(words) as T[]);
}

/** Milliseconds since 1970, within the range of dates. */
export const instant = z.number().min(-8.64e15).max(8.64e15);

export const id = z.string().min(1);
export const text = z.string().optional();
export const count = z.int().min(0);

const highestCount = 2 ** 52;

/** A number that is counted on from. Beyond the limit adding 1 could have no effect. */
export const counter = count.max(
  highestCount,
  `must be at most ${highestCount}, so that counting can continue`,
);
