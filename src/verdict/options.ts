/** Reads the options of a verdict, and explains what is wrong with them. */
import { z } from '@hono/zod-openapi';
import { VerdictOptions as VerdictOptionsSchema } from '../contract/control/verdict.ts';
import type { BaseVerdictOptions } from '../contract/control/types.ts';
import { explainIssues } from '../documents/schema-issues.ts';
import { inMemorySource } from '../documents/source.ts';
import { memberOf } from '../shared/unknown-value.ts';
import { checkExpectations } from '../scenarios/check/check.ts';
import { collectProblems } from '../scenarios/rules/raw-rule.ts';
import type { ExpectationsDocument } from '../scenarios/document.ts';
import { expectationsSchema } from '../scenarios/expect.ts';
import { VerdictOptionsError } from './options-error.ts';

const OptionsSchema = VerdictOptionsSchema.extend({ expect: expectationsSchema().optional() });

/** Options of a verdict. */
export interface VerdictOptions extends BaseVerdictOptions {
  /** What should be true, as in a scenario file; beside what the scenario says. */
  readonly expect?: ExpectationsDocument | undefined;
}

/** The options with their defaults. */
export type CheckedVerdictOptions = z.output<typeof OptionsSchema>;

/**
 * Reads the options of a verdict.
 *
 * @param cardNames The names that the played scenario gives to its cards.
 * @param alsoKnown Keys that the caller has read, for messages that list the known ones.
 * @throws {VerdictOptionsError} If anything is wrong. It lists every problem.
 */
export function readVerdictOptions(
  options: unknown,
  cardNames: readonly string[],
  alsoKnown: readonly string[] = [],
): CheckedVerdictOptions {
  const read = OptionsSchema.safeParse(options);
  const source = inMemorySource('verdict', options);
  const expectationProblems: string[] = [];
  checkExpectations(
    memberOf(options, 'expect'),
    new Set(cardNames),
    collectProblems(source, expectationProblems),
  );
  if (read.success && expectationProblems.length === 0) return read.data;
  const issues = read.error?.issues ?? [];
  const known = OptionsSchema.extend(
    Object.fromEntries(alsoKnown.map((key) => [key, z.unknown()])),
  );
  throw new VerdictOptionsError([
    ...explainIssues(source, issues, z.toJSONSchema(known, { io: 'input' })),
    ...expectationProblems,
  ]);
}
