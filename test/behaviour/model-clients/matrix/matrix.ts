/** Every client against every fault, and the table that it makes. */
import { createSandbox } from '../../../../src/index.ts';
import { table } from '../../../support/documentation.ts';
import { runCell, type Cell } from './trial.ts';
import { faults, type Fault } from './faults.ts';
import { setUps } from '../setups/all.ts';
import type { SetUp } from '../setups/set-up.ts';

export interface Met {
  readonly setUp: SetUp;
  readonly fault: Fault;
  readonly cell: Cell;
}

/** All at once they would keep a busy machine longer than the deadline of those that have one. */
const sideBySide = 2 * setUps.length;

/** Quick faults one after the other, so that no client competes for the machine; slow ones side by side. */
export async function runMatrix(): Promise<readonly Met[]> {
  const sandbox = createSandbox({ seed: 'model-clients' });
  const pairs = faults.flatMap((fault) => setUps.map((setUp) => ({ fault, setUp })));
  const run = async ({ fault, setUp }: (typeof pairs)[number]): Promise<Met> => ({
    setUp,
    fault,
    cell: await runCell(sandbox, setUp, fault),
  });
  const met: Met[] = [];
  for (const pair of pairs.filter(({ fault }) => !fault.slow)) met.push(await run(pair));
  const slow = pairs.filter(({ fault }) => fault.slow);
  while (slow.length > 0) met.push(...(await Promise.all(slow.splice(0, sideBySide).map(run))));
  await sandbox.close();
  return met;
}

export function cellOf(met: readonly Met[], fault: Fault, setUp: SetUp): Cell {
  const found = met.find((one) => one.fault === fault && one.setUp === setUp);
  if (found === undefined) throw new Error(`${setUp.name} never met ${fault.outcome}.`);
  return found.cell;
}

/** What each client was left with, and what became of the money. */
export function matrixTable(met: readonly Met[]): string {
  return tableOf(met, inWords);
}

/** What the verdict says of each. */
export function verdictTable(met: readonly Met[]): string {
  return tableOf(met, judged);
}

/** A row a fault, a column for each way in which clients behaved. */
function tableOf(met: readonly Met[], say: (cell: Cell) => string): string {
  const columns = new Map<string, { readonly names: string[]; readonly cells: string[] }>();
  for (const setUp of setUps) {
    const cells = faults.map((fault) => say(cellOf(met, fault, setUp)));
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

/** Bold where the customer was charged twice, or the client says the contrary of what happened. */
function inWords({ told, tries, charges, early, met }: Cell): string {
  if (!met) return '–';
  const wrong =
    charges > 1 ||
    (told.word === 'paid' && charges === 0) ||
    (told.word === 'refused' && charges > 0);
  const belief = told.word === 'paid' && told.paymentId === undefined ? 'paid, no id' : told.word;
  const said = `${charges}× ${belief}`;
  const repeated = tries > Math.max(1, charges) ? `, ${tries} tries` : '';
  return `${wrong ? `**${said}**` : said}${repeated}${early ? ', too early' : ''}`;
}

/** The worst of what was found; bold where the verdict did not pass. */
function judged({ met, verdict: { passed, findings, reasons } }: Cell): string {
  if (!met) return '–';
  const [worst] = findings;
  const isOfNote = worst !== undefined && worst.severity !== 'low' && worst.severity !== 'info';
  const said = isOfNote ? `\`${worst.rule}\`` : (reasons[0]?.kind.replace('-', ' ') ?? 'pass');
  return passed ? said : `**${said}**`;
}
