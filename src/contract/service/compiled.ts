/** Schemas that are read often, compiled: the library makes a function of each, which reads in a sixth of the time. */
import { z } from '@hono/zod-openapi';

/** To compile one takes some ten milliseconds, which is what so many readings of a body cost without. */
export const readsBeforeCompiled = 3_000;

interface Read {
  times: number;
  /** Reads the same as the schema that it was made of. */
  schema: z.ZodType;
}

const reads = new WeakMap<z.ZodType, Read>();

/** The schema to read with in place of this one: itself at first, and a compiled one once it has been asked for often. */
export function readyToRead<S extends z.ZodType>(schema: S): S {
  let read = reads.get(schema);
  if (read === undefined) {
    read = { times: 0, schema };
    reads.set(schema, read);
  }
  if (read.times < readsBeforeCompiled) {
    read.times++;
    // One that cannot be compiled is given back as it is.
    if (read.times === readsBeforeCompiled) read.schema = z.compile(schema);
  }
  return read.schema as S; // It was made of this schema.
}
