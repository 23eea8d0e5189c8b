/** Lists of documents that may have millions of members. */
/* oxlint-disable no-underscore-dangle -- zod names the part of a schema for libraries so */
import { z } from '@hono/zod-openapi';

/** More than any message shows. */
const maxIssues = 100;

/**
 * A list that stops reading after enough wrong members. Otherwise a document of millions of empty objects would cost an
 * issue for each of their missing keys, which is more memory than a process has. Apply it last: methods of zod copy a
 * schema, and the copy reads everything.
 */
export function boundedList<T extends z.ZodArray>(list: T): T {
  const { element } = list._zod.def;
  const { parse: parseAnything, run } = list._zod;
  const parse: typeof parseAnything = (payload, context) => {
    const { value } = payload;
    if (!Array.isArray(value)) return parseAnything(payload, context);
    const members: unknown[] = [];
    for (const [at, given] of value.entries()) {
      const read = element._zod.run({ value: given, issues: [] }, context);
      if (read instanceof Promise) throw new z.core.$ZodAsyncError();
      payload.issues.push(...z.core.util.prefixIssues(at, read.issues));
      if (payload.issues.length >= maxIssues) break;
      members.push(read.value);
    }
    payload.value = members;
    return payload;
  };
  list._zod.parse = parse;
  // Without further checks of the list, both are the same function.
  if (run === parseAnything) list._zod.run = parse;
  return list;
}
