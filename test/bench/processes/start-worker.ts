/** Measures another world and a reset. Each worker measures once, in a fresh process. */
import { importLibrary } from './library.ts';
import { serveTasks } from './worker-link.ts';

type Document = Extract<
  Parameters<Awaited<ReturnType<typeof importLibrary>>['createSandbox']>[0],
  object
>['fixtures'];

const repeats = 50;

async function milliseconds(run: () => unknown): Promise<number> {
  const beginMs = performance.now();
  await run();
  return performance.now() - beginMs;
}

async function meanOf(run: (n: number) => void): Promise<number> {
  const total = await milliseconds(() => {
    for (let n = 0; n < repeats; n++) run(n);
  });
  return total / repeats;
}

/** Fixtures with this many cards. */
function fixturesOf(cards: number): Document {
  return {
    cards: Array.from({ length: cards }, (_, n) => ({
      id: `CARD-${String(n).padStart(24, '0')}`,
      number: '4417119669820331',
      type: 'visa',
      expire_month: 11,
      expire_year: 2035,
    })),
  };
}

serveTasks({
  /** Another world in a sandbox that has one, and a reset, with fixtures of this many cards. */
  again: async (cards) => {
    const { createSandbox } = await importLibrary();
    const sandbox = createSandbox({ seed: 'bench', fixtures: fixturesOf(cards) });
    const enter = (n: number) => sandbox.merchant(`world-${n}`).ledger();
    const reset = (n: number) => {
      sandbox.merchant(`world-${n}`).reset();
    };
    // The first worlds compile the code that the later ones run.
    for (let n = 0; n < repeats; n++) enter(n);
    for (let n = 0; n < repeats; n++) reset(n);
    return { world: await meanOf((n) => enter(n + repeats)), reset: await meanOf(reset) };
  },
});
