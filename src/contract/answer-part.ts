/** How parts of answers are declared. */
import { z } from '@hono/zod-openapi';

/**
 * A part of an answer, by the name it has in the service's document. The server writes answers and reads none: it is
 * made when it is first read by, so that no start waits for it.
 */
export function answerPart<T extends z.ZodType>(
  name: string,
  make: () => T,
  said: { readonly description?: string } = {},
): z.ZodLazy<T> {
  return z.lazy(() => make().openapi(name, said));
}
