/** Whether code that V8 has kept may be run here. */
import { existsSync } from 'node:fs';
import { Script } from 'node:vm';

/** Other runtimes take the place of V8, or of its cache. */
const isNode = !('bun' in process.versions) && !('deno' in process.versions);

/**
 * Kept code runs among Node's own globals. Test frameworks may run tests among others, to which the arrays and errors of
 * those are no arrays and errors.
 */
export const isOwnRealm = isNode && new Script('globalThis').runInThisContext() === globalThis;

/** Whether the entry at this URL can load it: one that a bundler has carried off no longer has it beside itself. */
export function runsKept(entry: string): boolean {
  return isOwnRealm && existsSync(new URL('kept.cjs', entry));
}
