// Runs the stories, and finds out which mutants they catch.
//
// 1. A test runs as it is. Each rewritten condition calls `decide`, which notes that its mutant was asked.
// 2. `watch` gives each verdict again under each mutant that was asked. If the verdict differs, the mutant is a candidate.
// 3. The test runs again with each candidate switched on. If it fails then, the mutant is caught.
import { appendFileSync, readFileSync } from 'node:fs';
import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { TestRunner } from 'vitest';

/** A mutant that asks so often runs in circles. */
const mostDecisions = 5_000_000;
/** How many tests of a file a mutant has to pass until the others of the file are not asked. */
const mostPasses = 12;
/** Larger verdicts take too long to be given again for each mutant. */
const mostEntries = 1000;

// A test that is repeated listens to one signal many times.
setMaxListeners(0);

const folder = process.env.MUTATION;
const results = join(folder, 'results');
/** The mutants that this run tries. */
const tried = new Set(JSON.parse(readFileSync(join(folder, 'mutants'), 'utf8')));
const count = Math.max(...tried) + 1;

/** Shared by the sources and this runner, whichever file a worker runs. */
const mutation = (globalThis.mutation ??= {
  /** The mutant that is switched on; -1 for none. */
  active: -1,
  /** How often the mutant that is switched on was asked. */
  decisions: 0,
  /** Which mutants were asked since the last reset. */
  asked: new Uint8Array(count),
  /** Those that are caught, and those that are not tried. */
  caught: Uint8Array.from({ length: count }, (_, id) => (tried.has(id) ? 0 : 1)),
  /** How many tests of the file each mutant passed although it changed a verdict in them. */
  passes: new Uint16Array(count),
  /** The file whose tests run. */
  file: '',
  /** The mutants that could change the result of the test that runs, and what they change in its verdict. */
  candidates: new Map(),

  /** What a condition decides: its own value, or the inverted one if its mutant is switched on. */
  decide(id, value) {
    if (mutation.active !== id) {
      mutation.asked[id] = 1;
      return value;
    }
    if (++mutation.decisions > mostDecisions) throw new Error('It runs in circles.');
    return !value;
  },

  /** Lets each rule find nothing if its mutant is switched on. */
  watchRules(rules, ids) {
    rules.forEach((rule) => {
      const { find } = rule;
      rule.find = (evidence) => (mutation.decide(ids[rule.id], true) ? find(evidence) : []);
    });
  },

  /** Judges, and judges again under each mutant that was asked. */
  watch(judge) {
    return (world, options, context) => {
      if (mutation.active >= 0) return judge(world, options, context);
      mutation.noteOutside();
      const verdict = judge(world, options, context);
      const asked = takeAsked();
      if (verdict.counts.requests > mostEntries) return verdict;
      const text = textOf(verdict);
      for (const id of asked) {
        if (isDone(id) || mutation.candidates.has(id)) continue;
        const other = under(id, () => textOf(judge(world, options, context)));
        if (other !== text) mutation.candidates.set(id, describeChange(text, other));
      }
      mutation.asked.fill(0);
      return verdict;
    };
  },

  /** What is decided outside of verdicts cannot be tried apart from the test. */
  noteOutside() {
    for (const id of takeAsked())
      if (!isDone(id)) mutation.candidates.set(id, 'what is decided outside of it');
  },
});

function isDone(id) {
  return mutation.caught[id] === 1 || mutation.passes[id] >= mostPasses;
}

/** A verdict without the time of the clock. */
function textOf(verdict) {
  return JSON.stringify({ ...verdict, at: '' });
}

/** Where two texts differ first, and what stands there. */
function describeChange(text, other) {
  let at = 0;
  while (text[at] === other[at]) at++;
  const from = Math.max(0, at - 50);
  return `…${text.slice(from, at + 50)}… becomes …${other.slice(from, at + 50)}…`;
}

/** The mutants that were asked since the last call. */
function takeAsked() {
  const ids = [];
  mutation.asked.forEach((isAsked, id) => {
    if (isAsked) ids.push(id);
  });
  mutation.asked.fill(0);
  return ids;
}

/** What `judge` returns with a mutant switched on. */
function under(id, judge) {
  mutation.active = id;
  mutation.decisions = 0;
  try {
    return judge();
  } catch {
    return 'It throws.';
  } finally {
    mutation.active = -1;
  }
}

/** Whether a test passes with a mutant switched on; with -1, as it is. */
async function passesWith(id, run) {
  mutation.active = id;
  mutation.decisions = 0;
  try {
    await run();
    return true;
  } catch {
    return false;
  } finally {
    mutation.active = -1;
  }
}

function fullName(test) {
  return test.suite ? `${fullName(test.suite)} > ${test.name}` : test.name;
}

// The form that vitest requires.
// oxlint-disable-next-line no-default-export
export default class MutationRunner extends TestRunner {
  async runTask(test) {
    const run = TestRunner.getTestFn(test);
    if (mutation.file !== test.file.name) mutation.passes.fill(0);
    mutation.file = test.file.name;
    mutation.asked.fill(0);
    mutation.candidates.clear();
    await run();
    mutation.noteOutside();
    if (mutation.candidates.size === 0) return;
    const name = `${test.file.name}: ${fullName(test)}`;
    const note = (row) => appendFileSync(results, `${JSON.stringify({ ...row, test: name })}\n`);
    // A story that fails when it is repeated as it is tells nothing.
    if (!(await passesWith(-1, run))) return;
    for (const [id, change] of mutation.candidates) {
      // The mutants share one world, so they take turns.
      // oxlint-disable-next-line no-await-in-loop
      if (await passesWith(id, run)) {
        mutation.passes[id]++;
        note({ id, isCaught: false, change });
      } else {
        mutation.caught[id] = 1;
        note({ id, isCaught: true });
      }
    }
    if (!(await passesWith(-1, run))) {
      throw new Error('This test fails if it is repeated often, so what it caught tells nothing.');
    }
  }
}
