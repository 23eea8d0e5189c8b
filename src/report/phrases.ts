/** Words that reports of all forms share. */
import type { Verdict } from './verdicts.ts';

/** `1 request`, `2 requests`. */
export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** How many expectations held, where something was expected: `3 expectations held`, `2 of 3 expectations held`. */
export function heldWords({ expectations }: Verdict): string | undefined {
  if (expectations.length === 0) return undefined;
  const held = expectations.filter(({ ok }) => ok).length;
  const all = counted(expectations.length, 'expectation');
  return held === expectations.length ? `${all} held` : `${held} of ${all} held`;
}
