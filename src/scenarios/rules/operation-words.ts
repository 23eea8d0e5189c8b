/** Words for operations in scenarios: a name, or a pattern for several operations. */
import type { OperationFamily, OperationName } from '../../contract/service/operation-name.ts';
import {
  operationFamilies,
  operationNames,
  operations,
} from '../../contract/service/operations.ts';
import type { OperationPattern, Outcome } from '../../outcomes/outcome.ts';
import { includesOperation } from '../../outcomes/rules/rule.ts';

export type OperationWord = OperationName | OperationFamily | 'any-write' | 'any' | '*';

/** All words that a rule may use for operations. */
export const operationWords: readonly OperationWord[] = [
  ...operationNames,
  ...operationFamilies,
  'any-write',
  'any',
  '*',
];

/** Returns the operations of a word, or none for an unknown word. */
export function resolveOperations(word: string): OperationName[] {
  if (word === '*') return [...operationNames];
  return operationNames.filter((name) => isIn(word, name));
}

/** Whether a word is a pattern for several operations. */
export function isPattern(word: string): boolean {
  return word === 'any' || word === 'any-write' || word.endsWith('*');
}

/** Lists the operations that can have an outcome. */
export function listOperations({ operations: patterns }: Outcome): OperationName[] {
  return operationNames.filter((name) => patterns.some((pattern) => isIn(pattern, name)));
}

/** Returns the shortest patterns for a list of operations. */
export function toPatterns(names: readonly OperationName[]): OperationPattern[] {
  return names.length === operationNames.length ? ['any'] : [...names];
}

function isIn(word: string, name: OperationName): boolean {
  // An unknown word matches no operation, which is the wanted result.
  return includesOperation(word as OperationPattern, name, operations[name].method !== 'get');
}
