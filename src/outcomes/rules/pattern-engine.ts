/**
 * Loads the engine of regular expressions on first use: most merchants have no rule with one, and a start should not wait
 * for it. Its matching takes time linear in the text, whatever the expression.
 */
import { createRequire } from 'node:module';
import type * as Re2 from 're2js';

let engine: typeof Re2 | undefined;

/** The engine. Builds keep it in a separate file. */
export function patternEngine(): typeof Re2 {
  engine ??= createRequire(import.meta.url)('re2js') as typeof Re2;
  return engine;
}
