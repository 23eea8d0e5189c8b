/** How parts of answers are declared. */
import { z } from '@hono/zod-openapi';
import { onFirstUse } from '../../shared/lazy.ts';

/**
 * A part of an answer, by the name it has in the service's document. The server writes answers and reads none: it is
 * made when it is first read by, so that no start waits for it.
 */
export function answerPart<T extends z.ZodType>(
  name: string,
  make: () => T,
  said: { readonly description?: string } = {},
): z.ZodLazy<T> {
  // The document's maker asks anew at every place where the part stands.
  return z.lazy(onFirstUse(() => make().openapi(name, said)));
}
