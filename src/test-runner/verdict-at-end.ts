/** Options of the verdict at the end of a test. */
import type { VerdictOptions } from '../client/connect.ts';
import { ArgumentError, checkKeys } from '../outcomes/argument-error.ts';
import { describeValue } from '../shared/unknown-value.ts';
import { readVerdictOptions } from '../verdict/options.ts';

/** Options of the verdict at the end of a test. */
export interface EndOptions extends VerdictOptions {
  /** `false` skips the verdict. Default true. */
  readonly judge?: boolean | undefined;
}

const keys = {
  judge: true,
  failOn: true,
  suppress: true,
  beliefs: true,
  expect: true,
  allowUnfired: true,
  allowDropped: true,
  allowNoRequests: true,
  serviceTimeMs: true,
  settle: true,
  waitMs: true,
} as const satisfies Record<keyof EndOptions, true>;

/**
 * Checks options where they are given, because an error at the end of the test could not name the line. The verdict
 * checks `expect` itself, because its names may come with a scenario. Throws an `ArgumentError` or a
 * `VerdictOptionsError`.
 */
export function checkEndOptions(verb: string, options: EndOptions): EndOptions {
  checkKeys(verb, options, keys);
  const { judge, expect: _later, ...rest } = options;
  if (judge !== undefined && typeof judge !== 'boolean') {
    throw new ArgumentError(`judge must be true or false, got ${describeValue(judge)}.`, {
      place: 'judge',
    });
  }
  readVerdictOptions(rest, []);
  return options;
}

/** Merges options: later values win, suppressions and beliefs add up. */
export function mergeEndOptions(given: readonly EndOptions[]): EndOptions {
  const merged = Object.assign({}, ...given) satisfies EndOptions;
  return {
    ...merged,
    suppress: given.flatMap(({ suppress = [] }) => suppress),
    beliefs: Object.assign({}, ...given.map(({ beliefs }) => beliefs)),
  };
}
