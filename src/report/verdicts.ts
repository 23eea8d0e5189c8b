/** The verdicts of one or several merchants, as every report shows them. */
import type { z } from '@hono/zod-openapi';
import type { Verdict as Shape } from '../contract/control/verdict.ts';
import { severities, type Severity } from '../contract/constants.ts';

export type Verdict = z.output<typeof Shape>;
export type Finding = Verdict['findings'][number];
export type Purchase = Verdict['purchases'][number];
export type Attempt = Purchase['attempts'][number];
export type Charge = Purchase['charges'][number];

type Reason = Verdict['reasons'][number];

/** Why a verdict did not pass, where that is no finding. */
export type OtherReason = Reason & { readonly kind: Exclude<Reason['kind'], 'finding'> };

/** Whether all of them passed; there must be one. */
export function allPassed(verdicts: readonly Verdict[]): boolean {
  return verdicts.length > 0 && verdicts.every(({ passed }) => passed);
}

/** Whether a finding is one of those that made its verdict fail. */
export function fails({ failOn }: Verdict, { severity, suppressed }: Finding): boolean {
  return suppressed === undefined && isAsBadAs(severity, failOn);
}

/** Reasons that are no findings. */
export function otherReasons({ reasons }: Verdict): readonly OtherReason[] {
  return reasons.filter((reason): reason is OtherReason => reason.kind !== 'finding');
}

/** Which of two is the worse one. */
export function worseOf(one: Severity, other: Severity): Severity {
  return isAsBadAs(one, other) ? one : other;
}

function isAsBadAs(severity: Severity, bound: Severity): boolean {
  return severities.indexOf(severity) <= severities.indexOf(bound);
}
