/** Runs every client against every fault and makes the tables of the README. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createSandbox, type Sandbox } from '../../../../src/index.ts';
import { table } from '../../../support/repository/documentation.ts';
import { runTrial, type Trial } from './trial.ts';
import { faults, type Fault } from './faults.ts';
import { setUps } from '../setups/all.ts';
import { deadlineMs, type SetUp } from '../setups/set-up.ts';

export interface MatrixRow {
  readonly setUp: SetUp;
  readonly fault: Fault;
  readonly trial: Trial;
}

/** More parallel trials would delay a busy machine beyond the timeouts of the clients. */
const sideBySide = 2 * setUps.length;

/** A machine that stops this process for so long may let a timeout of a client end a call that no fault delayed. */
const longestStallMs = deadlineMs / 4;
/** On a machine that is never quick enough, the last result counts. */
const mostRuns = 5;

/** Runs a trial, and runs it again if the process was stopped meanwhile. Clients and server are in this process. */
async function runUndisturbed(sandbox: Sandbox, setUp: SetUp, fault: Fault): Promise<Trial> {
  for (let run = 1; ; run++) {
    const stalls = monitorEventLoopDelay({ resolution: 10 });
    stalls.enable();
    const trial = await runTrial(sandbox, setUp, fault, run);
    stalls.disable();
    if (stalls.max < longestStallMs * 1e6 || run === mostRuns) return trial;
  }
}

/** Runs quick faults one after the other, so that clients do not compete, and slow faults in parallel. */
export async function runMatrix(): Promise<readonly MatrixRow[]> {
  const sandbox = createSandbox({ seed: 'model-clients' });
  const pairs = faults.flatMap((fault) => setUps.map((setUp) => ({ fault, setUp })));
  const run = async ({ fault, setUp }: (typeof pairs)[number]): Promise<MatrixRow> => ({
    setUp,
    fault,
    trial: await runUndisturbed(sandbox, setUp, fault),
  });
  const met: MatrixRow[] = [];
  for (const pair of pairs.filter(({ fault }) => !fault.slow)) met.push(await run(pair));
  const slow = pairs.filter(({ fault }) => fault.slow);
  while (slow.length > 0) met.push(...(await Promise.all(slow.splice(0, sideBySide).map(run))));
  await sandbox.close();
  return met;
}

export function trialOf(met: readonly MatrixRow[], fault: Fault, setUp: SetUp): Trial {
  const found = met.find((row) => row.fault === fault && row.setUp === setUp);
  if (found === undefined) throw new Error(`${setUp.name} never met ${fault.outcome}.`);
  return found.trial;
}

/** The table of results: the money, and what each client reported. */
export function matrixTable(met: readonly MatrixRow[]): string {
  return tableOf(met, describeTrial);
}

/** The table of verdicts. */
export function verdictTable(met: readonly MatrixRow[]): string {
  return tableOf(met, describeVerdict);
}

/** One row for each fault, and one column for all clients with equal results. */
function tableOf(met: readonly MatrixRow[], describe: (trial: Trial) => string): string {
  const columns = new Map<string, { readonly names: string[]; readonly cells: string[] }>();
  for (const setUp of setUps) {
    const cells = faults.map((fault) => describe(trialOf(met, fault, setUp)));
    const same = columns.get(cells.join('|'));
    if (same === undefined) columns.set(cells.join('|'), { names: [setUp.name], cells });
    else same.names.push(setUp.name);
  }
  const made = [...columns.values()];
  return table(
    ['Fault', ...made.map(({ names }) => names.join('; '))],
    faults.map(({ outcome, note }, row) => [
      `\`${outcome}\`${note === undefined ? '' : `, ${note}`}`,
      ...made.map(({ cells }) => cells[row] ?? ''),
    ]),
  );
}

/** A result in words; bold if the customer was charged twice or the client reports the opposite of what happened. */
function describeTrial({ result, tries, charges, isTooEarly, hasMetFault }: Trial): string {
  if (!hasMetFault) return '–';
  const wrong =
    charges > 1 ||
    (result.word === 'paid' && charges === 0) ||
    (result.word === 'refused' && charges > 0);
  const belief =
    result.word === 'paid' && result.paymentId === undefined ? 'paid, no id' : result.word;
  const said = `${charges}× ${belief}`;
  const repeated = tries > Math.max(1, charges) ? `, ${tries} tries` : '';
  return `${wrong ? `**${said}**` : said}${repeated}${isTooEarly ? ', too early' : ''}`;
}

/** The most severe finding; bold if the verdict failed. */
function describeVerdict({ hasMetFault, verdict: { passed, findings, reasons } }: Trial): string {
  if (!hasMetFault) return '–';
  const [worst] = findings;
  const isOfNote = worst !== undefined && worst.severity !== 'low' && worst.severity !== 'info';
  const said = isOfNote ? `\`${worst.rule}\`` : (reasons[0]?.kind.replace('-', ' ') ?? 'pass');
  return passed ? said : `**${said}**`;
}
