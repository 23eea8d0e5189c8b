/** Which outcomes a client has met: merged over runs, and held against what is worth trying. */
import { z } from '@hono/zod-openapi';
import { Coverage as CoverageShape } from '../contract/control/coverage.ts';
import { coverageFormat } from '../contract/constants.ts';
import { explainIssues } from '../documents/schema-issues.ts';
import { DocumentError } from '../documents/document-error.ts';
import { readSource } from '../documents/source.ts';
import { findOutcome, outcomeIds } from '../outcomes/catalogue.ts';
import { didYouMean } from '../shared/did-you-mean.ts';
import { coveragePriorities, type OperationOutcome } from '../outcomes/coverage-priorities.ts';

export type Coverage = z.output<typeof CoverageShape>;

/** What is wrong with a coverage file. */
export class CoverageError extends DocumentError {
  override readonly name = 'CoverageError';

  constructor(lines: readonly string[]) {
    super(lines, 'invalid-coverage');
  }
}

/** How much of what is worth trying was tried. */
export interface CoverageReading {
  /** Of what is worth trying on the operations that were asked, in percent, rounded down; 0 where none was. */
  readonly percent: number;
  readonly tried: readonly OperationOutcome[];
  /** Never tried, those that risk the most money first. */
  readonly missing: readonly OperationOutcome[];
  /** Operations that have something worth trying, and were never asked. */
  readonly unused: readonly string[];
}

/** Reads the text of a coverage file; throws a `CoverageError` that names everything that is wrong with it. */
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
  const mistakes = Object.entries(read.data.tried).flatMap(([operation, counts]) =>
    Object.keys(counts)
      .filter((id) => findOutcome(id) === undefined)
      .map(
        (id) =>
          `${source.at(['tried', operation, id])}: there is no such outcome.${didYouMean(id, outcomeIds)}`,
      ),
  );
  if (mistakes.length > 0) throw new CoverageError(mistakes);
  return read.data;
}

/** The counts of several runs, or of several workers of one, added up. */
export function mergeCoverage(runs: readonly Coverage[]): Coverage {
  const operations: Record<string, number> = {};
  const tried: Record<string, Record<string, number>> = {};
  for (const run of runs) {
    add(operations, run.operations);
    for (const [operation, counts] of Object.entries(run.tried)) {
      add((tried[operation] ??= {}), counts);
    }
  }
  return { format: coverageFormat, version: 1, operations, tried };
}

/** Holds coverage against what is worth trying. */
export function coverageReading({ operations, tried }: Coverage): CoverageReading {
  const wanted = coveragePriorities.filter(({ operation }) => operations[operation] !== undefined);
  const wasTried = ({ operation, outcome }: OperationOutcome): boolean =>
    tried[operation]?.[outcome] !== undefined;
  const met = wanted.filter(wasTried);
  return {
    percent: wanted.length === 0 ? 0 : Math.floor((100 * met.length) / wanted.length),
    tried: met,
    missing: wanted.filter((one) => !wasTried(one)),
    unused: [...new Set(coveragePriorities.map(({ operation }) => operation))].filter(
      (operation) => operations[operation] === undefined,
    ),
  };
}

function add(
  sums: Record<string, number>,
  counts: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, count = 0] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
}
