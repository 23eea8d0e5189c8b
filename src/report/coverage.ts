/** Coverage: which outcomes a client has met, and which ones it should try next. */
import { z } from '@hono/zod-openapi';
import type { Coverage } from '../contract/control/types.ts';
import { Coverage as CoverageShape } from '../contract/control/coverage.ts';
import { coverageFormat } from '../contract/constants.ts';
import { explainIssues } from '../documents/schema-issues.ts';
import { DocumentError } from '../documents/document-error.ts';
import { readSource } from '../documents/source.ts';
import { mergeCounts } from '../journal/counters.ts';
import { findOutcome } from '../outcomes/catalogue.ts';
import { didYouMeanOutcome } from '../outcomes/nearest-outcome.ts';
import { coveragePriorities, type OperationOutcome } from '../outcomes/coverage-priorities.ts';

export type { Coverage } from '../contract/control/types.ts';

/** A coverage file is invalid. */
export class CoverageError extends DocumentError {
  override readonly name = 'CoverageError';

  constructor(lines: readonly string[]) {
    super(lines, 'invalid-coverage');
  }
}

/** Coverage compared with the outcomes that are worth trying. */
export interface CoverageSummary {
  /** The tried share of the outcomes worth trying on the operations that were used, in percent, rounded down. */
  readonly percent: number;
  readonly tried: readonly OperationOutcome[];
  /** Outcomes never tried, sorted by the money at risk. */
  readonly missing: readonly OperationOutcome[];
  /** Operations with outcomes worth trying that were never used. */
  readonly unusedOperations: readonly string[];
}

/** Reads the text of a coverage file. Throws a `CoverageError` that lists every problem. */
export function readCoverage(name: string, text: string): Coverage {
  const source = readSource(name, text, CoverageError);
  const read = CoverageShape.safeParse(source.value);
  if (!read.success) {
    throw new CoverageError(
      explainIssues(
        source,
        read.error.issues,
        z.toJSONSchema(CoverageShape, { io: 'input', target: 'draft-7' }),
      ),
    );
  }
  const problems = Object.entries(read.data.tried).flatMap(([operation, counts]) =>
    Object.keys(counts)
      .filter((id) => findOutcome(id) === undefined)
      .map(
        (id) =>
          `${source.at(['tried', operation, id])}: unknown outcome "${id}".${didYouMeanOutcome(id)}`,
      ),
  );
  if (problems.length > 0) throw new CoverageError(problems);
  return read.data;
}

/** Adds up the counts of several runs or workers. */
export function mergeCoverage(runs: readonly Coverage[]): Coverage {
  return { format: coverageFormat, version: 1, ...mergeCounts(runs) };
}

/** Compares coverage with the outcomes that are worth trying. */
export function summarizeCoverage({ operations, tried }: Coverage): CoverageSummary {
  const prioritized = coveragePriorities.filter(
    ({ operation }) => operations[operation] !== undefined,
  );
  const isTried = ({ operation, outcome }: OperationOutcome): boolean =>
    tried[operation]?.[outcome] !== undefined;
  const triedOutcomes = prioritized.filter(isTried);
  return {
    percent:
      prioritized.length === 0 ? 0 : Math.floor((100 * triedOutcomes.length) / prioritized.length),
    tried: triedOutcomes,
    missing: prioritized.filter((outcome) => !isTried(outcome)),
    unusedOperations: [...new Set(coveragePriorities.map(({ operation }) => operation))].filter(
      (operation) => operations[operation] === undefined,
    ),
  };
}

/** The most missing outcomes that the text lists. */
const maxMissing = 10;

/** How much was tried, and what to try next. */
export function coverageText(coverage: Coverage): string {
  const { percent, tried, missing, unusedOperations } = summarizeCoverage(coverage);
  const shown = missing.slice(0, maxMissing);
  const width = Math.max(...shown.map(({ operation }) => operation.length), 0);
  return [
    `${percent} % covered: ${tried.length} of ${tried.length + missing.length} outcomes worth trying on the operations in use.`,
    ...(shown.length === 0 ? [] : ['', 'Try next, most valuable first:']),
    ...shown.map(({ operation, outcome }) => {
      const response = findOutcome(outcome)?.response ?? '';
      return `  ${operation.padEnd(width)}  ${outcome}: ${response}`;
    }),
    ...(missing.length > maxMissing ? [`  and ${missing.length - maxMissing} more`] : []),
    ...(unusedOperations.length === 0
      ? []
      : ['', `Operations never used: ${unusedOperations.join(', ')}.`]),
  ].join('\n');
}
