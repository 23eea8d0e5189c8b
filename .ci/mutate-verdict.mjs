// Tries mutants of the verdict and reports those that no story catches.
//
//   node .ci/mutate-verdict.mjs [--in PATH-PART] [--rules] [--verbose] [TEST-PATH …]
//
// A mutant inverts one condition of src/verdict, or removes one rule. A story is a test that asks for a verdict. The stories
// run once. Each verdict is given again under each mutant that it met, which takes milliseconds. If it changes, the story
// runs again with the mutant and should fail. The process fails if a mutant survives that mutation/explained.mjs does not
// list, and, before it runs anything, if that file lists a condition that the sources do not have.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stderr, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { BaseSequencer, startVitest } from 'vitest/node';
import { findObsolete, isExplained } from './mutation/explained.mjs';
import { findMutants, mutationPlugin } from './mutation/mutants.mjs';

const { values, positionals } = parseArgs({
  options: {
    in: { type: 'string', default: '' },
    rules: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});

const stories = [
  'test/behaviour/verdict/',
  'test/behaviour/gates/holding.test.ts',
  'test/behaviour/gates/ending.test.ts',
  'test/behaviour/gates/leaving.test.ts',
  'test/behaviour/gates/verdicts.test.ts',
  'test/behaviour/scenarios/money-and-picks.test.ts',
  'test/behaviour/forcing/events/events-without-effect.test.ts',
  'test/behaviour/control/worlds/prefix.test.ts',
  'test/unit/journal/disabled-journal.test.ts',
  'test/unit/report/held-requests.test.ts',
  'test/behaviour/model-clients/',
];

/** They show, sum up and compare what the rest decides, and have tests of their own. */
const shown =
  /^src\/verdict\/(?:verdict|reasons|unused-setup|to-wire|phrases|ledger|pending|money-totals|money-expectations|expectations|options)\.ts$/;

/** They judge thousands of requests, or clients that other stories are about. */
const tooLong = [
  '**/reference-*.test.ts',
  '**/matrix.test.ts',
  '**/model-clients/bad-clients.test.ts',
  '**/long-runs.test.ts',
  '**/no-secrets.test.ts',
];

/** Stories that take long come last, when few mutants are left. */
const longStories = ['races.test.ts', 'zoo.test.ts'];

class LongLast extends BaseSequencer {
  async sort(files) {
    return files.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

function placeOf({ moduleId }) {
  return longStories.findIndex((name) => moduleId.endsWith(name));
}

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, '');
const all = findMutants(root, 'src/verdict').filter(({ file }) => !shown.test(file));
const obsolete = findObsolete(all);
if (obsolete.length > 0) {
  stderr.write(
    `Remove from .ci/mutation/explained.mjs what no source has:\n${obsolete.join('\n')}\n`,
  );
  process.exit(1);
}
const mutants = all.filter(
  ({ file, kind }) => file.includes(values.in) && (!values.rules || kind === 'rule'),
);
const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-mutation-'));
const results = join(folder, 'results');
const startedMs = Date.now();
writeFileSync(results, '');
writeFileSync(join(folder, 'mutants'), JSON.stringify(mutants.map(({ id }) => id)));

const vitest = await startVitest(
  'test',
  positionals.length > 0 ? positionals : stories,
  {
    root,
    config: false,
    watch: false,
    include: ['test/**/*.test.ts'],
    exclude: tooLong,
    runner: join(root, '.ci/mutation/runner.mjs'),
    setupFiles: ['test/support/vitest/property-runs.ts'],
    isolate: false,
    pool: 'forks',
    maxWorkers: 1,
    sequence: { sequencer: LongLast },
    // Both transports judge alike, clients in other processes take long, and a table of verdicts shows what mutants changed.
    testNamePattern: String.raw`^(?!.*(?:\(socket\)|another process|threads|browser|phone|matches the tables))`,
    testTimeout: 600_000,
    expect: { requireAssertions: true, poll: { timeout: 2000 } },
    reporters: values.verbose ? ['default'] : ['dot'],
    env: { MUTATION: folder },
  },
  {
    plugins: [mutationPlugin(root, all)],
    resolve: { alias: [{ find: /^card-vault-sandbox$/, replacement: join(root, 'src/index.ts') }] },
  },
);
await vitest.close();
const rows = readFileSync(results, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
rmSync(folder, { recursive: true });

const caught = new Set(rows.filter(({ isCaught }) => isCaught).map(({ id }) => id));
const changed = new Map(rows.filter(({ isCaught }) => !isCaught).map((row) => [row.id, row]));
const survivors = mutants.filter(({ id }) => !caught.has(id));
const left = survivors.filter((mutant) => !isExplained(mutant));
const lines = [];
for (const mutant of values.verbose ? survivors : left) {
  const { id, file, line, kind, words } = mutant;
  const story = changed.get(id);
  const change =
    story === undefined
      ? 'no story reaches it, or it changes no verdict'
      : `${story.test}\n    ${story.change}`;
  const name = `${file}:${line}  ${kind} ${words.length > 160 ? `${words.slice(0, 160)}…` : words}`;
  lines.push(`${isExplained(mutant) ? 'explained' : 'not caught'}: ${name}\n    ${change}`);
}
const seconds = Math.round((Date.now() - startedMs) / 1000);
lines.push(
  `${mutants.length} mutants: ${caught.size} caught, ${survivors.length - left.length} explained, ${left.length} not caught. ${seconds} s.`,
);
stdout.write(`\n${lines.join('\n')}\n`);
if (left.length > 0) process.exitCode = 1;
