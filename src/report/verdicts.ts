/** The verdicts of one or several merchants, as every report shows them. */
import type { z } from '@hono/zod-openapi';
import type { Verdict as Shape } from '../contract/control-verdict.ts';
import { severities, type Severity } from '../contract/severities.ts';

export type Verdict = z.output<typeof Shape>;
export type Finding = Verdict['findings'][number];
export type Purchase = Verdict['purchases'][number];
export type Attempt = Purchase['attempts'][number];
export type Charge = Purchase['charges'][number];

/** Whether all of them passed; there must be one. */
export function allPassed(verdicts: readonly Verdict[]): boolean {
  return verdicts.length > 0 && verdicts.every(({ passed }) => passed);
}

/** Whether a finding is one of those that made its verdict fail. */
export function fails({ failOn }: Verdict, { severity, suppressed }: Finding): boolean {
  return suppressed === undefined && isAsBadAs(severity, failOn);
}

/** Reasons that are no findings. */
export function otherReasons({ reasons }: Verdict): Verdict['reasons'] {
  return reasons.filter(({ kind }) => kind !== 'finding');
}

function isAsBadAs(severity: Severity, bound: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(bound);
}
