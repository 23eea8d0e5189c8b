/** Limits the regular expressions that one request is compared with. */
import type { OperationName } from '../../contract/service/operation-name.ts';
import { operationNames, operations as declared } from '../../contract/service/operations.ts';
import { countPatternSteps } from './match.ts';
import { maxOperationSteps } from './pattern.ts';
import { includesOperation, type Rule } from './rule.ts';

type PatternRule = Pick<Rule, 'operations' | 'match'>;

function hasPatterns({ match }: PatternRule): boolean {
  return match !== undefined && countPatternSteps(match) > 0;
}

/** Explains that an operation would be compared with too many regular expressions, if `added` joined `present`. */
export function findPatternOverload(
  added: readonly PatternRule[],
  present: readonly PatternRule[] = [],
): string | undefined {
  if (!added.some(hasPatterns)) return undefined;
  const totals = new Map<OperationName, number>();
  for (const { operations, match } of [...present, ...added]) {
    const steps = match === undefined ? 0 : countPatternSteps(match);
    if (steps === 0) continue;
    for (const name of operationNames) {
      const writes = declared[name].method !== 'get';
      if (operations.some((pattern) => includesOperation(pattern, name, writes))) {
        totals.set(name, (totals.get(name) ?? 0) + steps);
      }
    }
  }
  const worst = [...totals].find(([, steps]) => steps > maxOperationSteps);
  return (
    worst &&
    `the regular expressions of all rules for ${worst[0]} would have ${worst[1]} steps, and at most ${maxOperationSteps} are allowed, because each request is compared with all of them. A character, class or repetition is about one step. Use eq or in for exact values, or remove rules.`
  );
}
