/** Reads what is asked of a verdict, and explains what is wrong with it. */
import { z } from '@hono/zod-openapi';
import { VerdictOptions as VerdictOptionsSchema } from '../contract/control/verdict.ts';
import { explainIssues } from '../documents/schema-issues.ts';
import { inMemorySource } from '../documents/source.ts';
import { memberOf } from '../shared/unknown-value.ts';
import { checkExpectations } from '../scenarios/check/check.ts';
import { expectationsSchema } from '../scenarios/expect.ts';
import { VerdictOptionsError } from './options-error.ts';

const OptionsSchema = VerdictOptionsSchema.extend({ expect: expectationsSchema().optional() });

/** Options of a verdict. */
export type VerdictOptions = z.input<typeof OptionsSchema>;
/** The options with their defaults. */
export type CheckedVerdictOptions = z.output<typeof OptionsSchema>;

/**
 * Reads the options; throws a `VerdictOptionsError` that names everything that is wrong with it. `refs` are what the scenario
 * that is played calls the cards it has given.
 */
export function readVerdictOptions(given: unknown, refs: readonly string[]): CheckedVerdictOptions {
  const read = OptionsSchema.safeParse(given);
  const source = inMemorySource('verdict', given);
  const mistakes: string[] = [];
  checkExpectations(memberOf(given, 'expect'), refs, (path, words) => {
    mistakes.push(`${source.at(path)}: ${words}`);
  });
  if (read.success && mistakes.length === 0) return read.data;
  const issues = read.error?.issues ?? [];
  throw new VerdictOptionsError([
    ...explainIssues(source, issues, z.toJSONSchema(OptionsSchema, { io: 'input' })),
    ...mistakes,
  ]);
}
