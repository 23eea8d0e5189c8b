/**
 * `npm run test:all`: everything that can be tested here. All checks, all tests with all property runs, other languages
 * and browsers, the mutants of the verdict, the image, and the package on every Node that it supports. It ends with
 * what failed, and with the counts of all suites together.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const steps = [
  ['run', 'check'],
  ['run', 'test:run'],
  ['run', 'test:mutants'],
  ['run', 'test:image', '--', ...process.argv.slice(2)],
  ['run', 'test:package'],
];

const folder = mkdtempSync(join(tmpdir(), 'card-vault-sandbox-counts-'));
const counts = join(folder, 'counts');
writeFileSync(counts, '');
const env = { ...process.env, PROPERTY_RUNS: 'all', TEST_COUNTS: counts };

/** The most lines of the checks that are repeated at the end. */
const mostLines = 20;

/** The checks say little, so what they say is repeated at the end if they fail. */
let checked = '';
const failedSteps = steps.filter((step) => {
  process.stdout.write(`\n# npm ${step.join(' ')}\n`);
  if (step[1] !== 'check') return spawnSync('npm', step, { env, stdio: 'inherit' }).status !== 0;
  const { status, stdout, stderr } = spawnSync('npm', step, { env, encoding: 'utf8' });
  const said = stdout + stderr;
  process.stdout.write(said);
  if (status !== 0) checked = `${said.trim().split('\n').slice(0, mostLines).join('\n')}\n`;
  return status !== 0;
});

const lines = readFileSync(counts, 'utf8').split('\n');
rmSync(folder, { recursive: true });
const failures = lines.filter((line) => line.startsWith('Failed: '));
const closingLines = lines.filter((line) => /^\d+ passed/.test(line));
const total = (word) =>
  closingLines.reduce(
    (sum, line) => sum + Number(new RegExp(`(\\d+) ${word}`).exec(line)?.[1] ?? 0),
    0,
  );
process.stdout.write(`\n${checked}${failures.map((line) => `${line}\n`).join('')}`);
for (const step of failedSteps) process.stdout.write(`Failed: npm ${step.join(' ')}\n`);
process.stdout.write(
  `\n${total('passed')} passed, ${total('failed')} failed, ${total('skipped')} skipped\n`,
);
process.exitCode = failedSteps.length > 0 ? 1 : 0;
