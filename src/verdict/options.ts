/** Reads what is asked of a verdict, and explains what is wrong with it. */
import { z } from '@hono/zod-openapi';
import { VerdictOrder } from '../contract/control/verdict.ts';
import { explainIssues } from '../documents/schema-issues.ts';
import { inMemorySource } from '../documents/source.ts';
import { memberOf } from '../shared/unknown-value.ts';
import { checkExpectations } from '../scenarios/check/check.ts';
import { expectationsSchema } from '../scenarios/expect.ts';
import { VerdictOptionsError } from './options-error.ts';

const OrderIn = VerdictOrder.extend({ expect: expectationsSchema().optional() });

/** How a verdict is asked for. */
export type OrderInput = z.input<typeof OrderIn>;
/** The same, once it was read. */
export type Order = z.output<typeof OrderIn>;

/**
 * Reads an order; throws a `VerdictOptionsError` that names everything that is wrong with it. `refs` are what the scenario
 * that is played calls the cards it has given.
 */
export function readOrder(given: unknown, refs: readonly string[]): Order {
  const read = OrderIn.safeParse(given);
  const source = inMemorySource('verdict', given);
  const mistakes: string[] = [];
  checkExpectations(memberOf(given, 'expect'), refs, (path, words) => {
    mistakes.push(`${source.at(path)}: ${words}`);
  });
  if (read.success && mistakes.length === 0) return read.data;
  const issues = read.error?.issues ?? [];
  throw new VerdictOptionsError([
    ...explainIssues(source, issues, z.toJSONSchema(OrderIn, { io: 'input' })),
    ...mistakes,
  ]);
}
