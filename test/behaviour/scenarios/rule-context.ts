/** The context of rules in these tests: a fixed time, and card ids that contain the ref. */
import type { RuleContext } from '../../../src/scenarios/rules/rules.ts';

export const startMs = Date.UTC(2026, 4, 6, 7, 8, 9);

export function vaultId(ref: string): string {
  return `CARD-${ref.toUpperCase().padEnd(24, '0')}`;
}

export const stage: RuleContext = {
  startMs,
  realStartMs: 1_000,
  cardIdOf: (ref) => (ref.startsWith('CARD-') ? ref : vaultId(ref)),
};
