/**
 * The library for `require`, and by way of it for `import`: what V8 has compiled of it is kept for the next process, as
 * each worker of a test suite is one. Builds keep it apart.
 */
import { createRequire } from 'node:module';
import { setImmediate } from 'node:timers';
import { fileURLToPath } from 'node:url';
import type { onMilestone } from '../shared/milestones.ts';
import { loadKept } from './keep-compiled.ts';
import { isOwnRealm } from './realm.ts';

/** What is bundled of the library, as far as it is used here. */
interface Core {
  readonly onMilestone: typeof onMilestone;
}

/**
 * Workers of tests are often ended without a word, so nothing waits for the end of one: what is compiled is kept once the
 * first sandbox is made, and once more with what the first verdict has called, be it in another process.
 */
function loadCore(): Core {
  const { exports, keptAt, keep } = loadKept(
    fileURLToPath(new URL('core.cjs', import.meta.url)),
    'library',
  );
  const core = exports as Core; // It is bundled with this.
  if (keep !== undefined) {
    core.onMilestone((stage) => {
      // Whoever has come to it goes on first.
      if (stage > keptAt) setImmediate(keep, stage);
    });
  }
  return core;
}

/** The library. It lies beside this file. */
export const core = isOwnRealm
  ? loadCore()
  : (createRequire(import.meta.url)('./core.cjs') as Core); // It is bundled with this.
