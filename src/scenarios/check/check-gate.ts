/** Checks a gate: its conditions, its operations, and its order of release. */
import { operations } from '../../contract/service/operations.ts';
import type { Path } from '../../documents/source.ts';
import { memberOf } from '../../shared/unknown-value.ts';
import { resolveOperations } from '../rules/operation-words.ts';
import { readTexts, type ReportProblem } from '../rules/raw-rule.ts';
import { checkMatch } from './check-match.ts';

/** Reports problems of a gate, except of the cards that it names. */
export function checkGate(gate: unknown, path: Path, report: ReportProblem): void {
  checkMatch(gate, path, report);
  if (memberOf(memberOf(gate, 'match'), '$attempt') !== undefined) {
    report(
      [...path, 'match', '$attempt'],
      'a gate counts no attempts. Remove this condition; count says how many requests the gate holds.',
    );
  }
  checkPoint(gate, path, report);
  checkOrder(gate, path, report);
}

/** Reports an operation that never reaches the point of the gate. */
function checkPoint(gate: unknown, path: Path, report: ReportProblem): void {
  if ((memberOf(gate, 'at') ?? 'before-commit') !== 'before-commit') return;
  for (const { text, path: place } of readTexts(gate, 'op', path)) {
    const names = resolveOperations(text);
    if (names.length === 0 || names.some((name) => operations[name].method !== 'get')) continue;
    report(place, `${text} changes nothing, so it has no commit. Hold it at: before-answer.`);
  }
}

function checkOrder(gate: unknown, path: Path, report: ReportProblem): void {
  const [order, count] = [memberOf(gate, 'release'), memberOf(gate, 'count')];
  if (!Array.isArray(order) || typeof count !== 'number') return;
  const numbers: readonly unknown[] = order;
  const isWhole = numbers.length === count && numbers.every((_, at) => numbers.includes(at + 1));
  if (isWhole) return;
  report(
    [...path, 'release'],
    `must list each number from 1 to ${count} once, because count is ${count}.`,
  );
}
