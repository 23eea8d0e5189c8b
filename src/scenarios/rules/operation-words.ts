/** Words for operations in scenarios: one by its name, or several by a pattern. */
import {
  operationNames,
  operations,
  type OperationName,
} from '../../contract/service/operations.ts';
import type { OperationPattern, Outcome } from '../../outcomes/outcome.ts';
import { includesOperation } from '../../outcomes/rules/rule.ts';

type Family<Name> = Name extends `${infer Head}.${string}` ? `${Head}.*` : never;

export type OperationWord = OperationName | Family<OperationName> | 'any-write' | 'any' | '*';

const families = [
  'token.*',
  'card.*',
  'payment.*',
  'sale.*',
  'refund.*',
  'auth.*',
  'capture.*',
] as const satisfies readonly Family<OperationName>[];

/** All words that can stand for operations. */
export const operationWords: readonly OperationWord[] = [
  ...operationNames,
  ...families,
  'any-write',
  'any',
  '*',
];

/** The operations that a word stands for; none for a word that is not known. */
export function resolveOperations(word: string): OperationName[] {
  if (word === '*') return [...operationNames];
  return operationNames.filter((name) => isIn(word, name));
}

/** Whether a word takes in several operations by a pattern. */
export function isPattern(word: string): boolean {
  return word === 'any' || word === 'any-write' || word.endsWith('*');
}

/** The operations on which an outcome can happen. */
export function listOperations({ operations: patterns }: Outcome): OperationName[] {
  return operationNames.filter((name) => patterns.some((pattern) => isIn(pattern, name)));
}

/** The shortest way to write operations down in a rule. */
export function toPatterns(names: readonly OperationName[]): OperationPattern[] {
  return names.length === operationNames.length ? ['any'] : [...names];
}

function isIn(word: string, name: OperationName): boolean {
  // A word that is none matches nothing, which is what is asked here.
  return includesOperation(word as OperationPattern, name, operations[name].method !== 'get');
}
