/** A verdict for people, in the width of a terminal. */
import { fails, otherReasons, type Finding, type Verdict } from './verdicts.ts';

/** How words are set off; plain where nobody looks. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

export const plainStyle: Style = { strong: same, bad: same, good: same, faint: same };

/** One block for each merchant; lines are no longer than `columns` where words allow it. */
export function verdictText(
  verdicts: readonly Verdict[],
  columns = 80,
  style: Style = plainStyle,
): string {
  return verdicts.map((verdict) => blockOf(verdict, columns, style).join('\n')).join('\n\n');
}

function blockOf(verdict: Verdict, columns: number, style: Style): string[] {
  const { merchant, passed, findings, counts } = verdict;
  const state = passed ? style.good('PASSED') : style.bad('FAILED');
  const shown = findings.filter(({ suppressed }) => suppressed === undefined);
  const { requests, purchases, suppressed } = counts;
  const facts = [
    counted(requests, 'request'),
    counted(purchases, 'purchase'),
    counted(shown.length, 'finding'),
    ...(suppressed === 0 ? [] : [`${suppressed} suppressed`]),
  ];
  return [
    `${state} ${style.strong(merchant)}  ${style.faint(facts.join(', '))}`,
    ...moneyLines(verdict),
    ...otherReasons(verdict).flatMap(({ text }) => ['', ...wrapped(text, '  ', columns)]),
    ...shown.flatMap((finding) => ['', ...findingLines(verdict, finding, columns, style)]),
    ...storyLines(verdict, columns, style),
  ];
}

function moneyLines({ totals }: Verdict): string[] {
  return totals.map(
    ({ currency, charged, givenBack, net }) =>
      `  ${currency}: ${charged} charged, ${givenBack} given back, ${net} kept`,
  );
}

function findingLines(verdict: Verdict, finding: Finding, columns: number, style: Style): string[] {
  const { rule, severity, confidence, what, remedy, evidence } = finding;
  const name = `${severity.toUpperCase()} ${rule}`;
  const sure = confidence === 'certain' ? '' : style.faint(` (${confidence})`);
  return [
    `  ${fails(verdict, finding) ? style.bad(name) : style.strong(name)}${sure}`,
    ...wrapped(what, '    ', columns),
    ...wrapped(`Do: ${remedy}`, '    ', columns),
    style.faint(
      `    Seen in: ${evidence.slice(0, 6).join(' ')}${evidence.length > 6 ? ' ...' : ''}`,
    ),
  ];
}

/** The story of each purchase that a finding is about. */
function storyLines(verdict: Verdict, columns: number, style: Style): string[] {
  const told = new Set(
    verdict.findings.filter((one) => fails(verdict, one)).map(({ intent }) => intent),
  );
  return verdict.purchases
    .filter(({ key }) => told.has(key))
    .flatMap((purchase) => [
      '',
      ...wrapped(`What happened to ${purchase.label}:`, '  ', columns),
      ...storyOf(purchase).map((line) => `    ${line}`.slice(0, Math.max(columns, 40))),
    ])
    .map((line) => (line.startsWith('    ') ? style.faint(line) : line));
}

/** What was tried, what the client could make of it, and the money that it moved, a line each. */
export function storyOf({ attempts, charges }: Verdict['purchases'][number]): string[] {
  return [
    ...attempts.map(
      ({ at, operation, status, problem, concludes, committed, replayed, outcomes, delivery }) => {
        const answer =
          delivery === 'lost'
            ? 'no answer'
            : `${status}${problem === undefined ? '' : ` ${problem}`}`;
        const done = committed ? 'done' : replayed ? 'repeated' : 'not done';
        const forced = outcomes.length === 0 ? '' : `  [${outcomes.join(', ')}]`;
        return `${timeOf(at)}  ${operation}  ${done}, ${answer}: the client knows ${concludes}${forced}`;
      },
    ),
    ...charges.map(({ at, id, amount, state, net, known }) => {
      const kept = `${net.total} of ${amount.total} ${amount.currency} kept`;
      return `${timeOf(at)}  ${id}  ${state}, ${kept}; ${knownWords[known]}`;
    }),
  ];
}

const knownWords = {
  answered: 'told in the answer',
  read: 'read later',
  never: 'never told',
  unsure: 'unknown whether it was told',
} as const;

function timeOf(at: string): string {
  return at.slice(11, 23);
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** Breaks a sentence between words. */
function wrapped(text: string, indent: string, columns: number): string[] {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line.length > indent.length && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent;
    }
    line += line.length > indent.length ? ` ${word}` : word;
  }
  return [...lines, line];
}
