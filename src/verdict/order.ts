/** Reads what is asked of a verdict, and explains what is wrong with it. */
import { z } from '@hono/zod-openapi';
import { VerdictOrder } from '../contract/control-verdict.ts';
import { explain } from '../fixtures/explain.ts';
import { givenSource } from '../fixtures/source.ts';
import { expectationsSchema } from '../scenarios/expect.ts';
import { VerdictMistake } from './mistake.ts';

const OrderIn = VerdictOrder.extend({ expect: expectationsSchema().optional() });

/** How a verdict is asked for. */
export type OrderInput = z.input<typeof OrderIn>;
/** The same, once it was read. */
export type Order = z.output<typeof OrderIn>;

/** Reads an order; throws a `VerdictMistake` that names everything that is wrong with it. */
export function readOrder(given: unknown): Order {
  const read = OrderIn.safeParse(given);
  if (read.success) return read.data;
  const source = givenSource('verdict', given);
  throw new VerdictMistake(
    explain(source, read.error.issues, z.toJSONSchema(OrderIn, { io: 'input' })),
  );
}
