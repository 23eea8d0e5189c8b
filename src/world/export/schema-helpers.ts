/** Schemas that follow the types of what they read. */
import { z } from '@hono/zod-openapi';
import type { AppendList } from '../../domain/append-list.ts';

/** A record as JSON has it. */
export type Serialized<T> = {
  readonly [K in keyof T]: T[K] extends AppendList<infer One> ? readonly One[] : T[K];
};

/**
 * An object with the members of `T`, no more and no fewer: a member that the domain gains and this form does not is a
 * mistake of the compiler's. In JSON a member that is `undefined` is left out.
 */
export function objectSchema<T>(shape: {
  readonly [K in keyof T]-?: z.ZodType<T[K]>;
}): z.ZodType<T> {
  // Every member has its schema; that an absent one reads as undefined is more than the types of zod can say.
  return z.strictObject(shape) as unknown as z.ZodType<T>;
}

/** One of the words of `T`, which must all be named. */
export function enumSchema<T extends string>(words: Readonly<Record<T, true>>): z.ZodType<T> {
  // The keys of a Record<T, …> are T; the library type of Object.keys forgets it.
  return z.enum(Object.keys(words) as T[]);
}

/** Milliseconds since 1970, as far as dates reach. */
export const instant = z.number().min(-8.64e15).max(8.64e15);

export const id = z.string().min(1);
export const text = z.string().optional();
export const count = z.int().min(0);

const highestCount = 2 ** 52;

/** What is counted on from: where whole numbers end, the next would be the same as the last. */
export const counter = count.max(
  highestCount,
  `must be at most ${highestCount}, so that it can be counted on from there`,
);
