/** A verdict for people, in the width of a terminal. */
import { harmlessPrinted } from './escape.ts';
import { fails, otherReasons } from './verdicts.ts';
import type { Attempt, Charge, Finding, Purchase, Verdict } from './verdicts.ts';
import { counted, heldWords } from './phrases.ts';

/** How words are set off; plain where nobody looks. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly faint: (text: string) => string;
}

const same = (text: string): string => text;

export const plainStyle: Style = { strong: same, bad: same, good: same, faint: same };

/** One block for each merchant, and a line about all where there are several; lines are no longer than `columns` where words allow it. */
export function verdictText(
  verdicts: readonly Verdict[],
  columns = 80,
  style: Style = plainStyle,
): string {
  const blocks = verdicts.map((verdict) => blockOf(verdict, columns, style).join('\n'));
  return [...blocks, ...(verdicts.length > 1 ? [sumLine(verdicts, style)] : [])].join('\n\n');
}

function sumLine(verdicts: readonly Verdict[], style: Style): string {
  const failed = verdicts.filter(({ passed }) => !passed).length;
  return failed === 0
    ? `${style.good('PASSED')} all ${verdicts.length} merchants`
    : `${style.bad('FAILED')} ${failed} of ${verdicts.length} merchants`;
}

function blockOf(verdict: Verdict, columns: number, style: Style): string[] {
  const { merchant, passed, findings, counts } = verdict;
  const state = passed ? style.good('PASSED') : style.bad('FAILED');
  const shown = findings.filter(({ suppressed }) => suppressed === undefined);
  const { requests, purchases, suppressed, findingsLeftOut = 0 } = counts;
  const held = heldWords(verdict);
  const facts = [
    counted(requests, 'request'),
    counted(purchases, 'purchase'),
    counted(shown.length + findingsLeftOut, 'finding'),
    ...(suppressed === 0 ? [] : [`${suppressed} suppressed`]),
    ...(held === undefined ? [] : [held]),
  ];
  return [
    `${state} ${style.strong(merchant)}  ${style.faint(facts.join(', '))}`,
    ...moneyLines(verdict),
    ...otherReasons(verdict).flatMap(({ text }) => ['', ...wrapped(text, '  ', columns)]),
    ...shown.flatMap((finding) => ['', ...findingLines(verdict, finding, columns, style)]),
    ...(findingsLeftOut === 0
      ? []
      : ['', `  ${counted(findingsLeftOut, 'more finding')} of the same rules.`]),
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
    .flatMap((purchase) => ['', ...titledStory(purchase, columns)])
    .map((line) => (line.startsWith('    ') ? style.faint(line) : line));
}

/** The stories of these purchases, for whoever looks into a test that failed. */
export function storiesText(purchases: readonly Purchase[], columns = 100): string {
  return purchases.flatMap((purchase) => titledStory(purchase, columns)).join('\n');
}

function titledStory(purchase: Purchase, columns: number): string[] {
  return [
    ...wrapped(`What happened to ${purchase.label}:`, '  ', columns),
    ...storyOf(purchase).flatMap((line) => wrapped(line, '    ', columns, storyIndent)),
  ];
}

/** What was tried, what the client could make of it, and the money that it moved: a line each, as it came. */
export function storyOf(purchase: Purchase): string[] {
  const { attempts, charges, attemptsLeftOut = 0, chargesLeftOut = 0 } = purchase;
  const times = [...attempts, ...charges].map(({ at }) => at);
  const tellings = charges.flatMap(({ toldBy }) => toldBy?.at ?? []);
  // A refund or a chargeback may come weeks later, and a time of day would not say so.
  const isOneDay = new Set([...times, ...tellings].map((at) => at.slice(0, 10))).size === 1;
  const timeOf = (at: string): string => at.slice(isOneDay ? 11 : 5, 23).replace('T', ' ');
  const lines = [
    ...attempts.map((attempt) => ({ at: attempt.at, text: attemptWords(attempt) })),
    ...charges.map((charge) => ({ at: charge.at, text: chargeWords(charge, timeOf) })),
  ]
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ at, text }) => `${timeOf(at)}  ${text}`);
  const leftOut = lines.length - mostLines + attemptsLeftOut + chargesLeftOut;
  if (leftOut <= 0) return lines;
  return [
    ...lines.slice(0, mostLines / 2),
    `... ${leftOut} more between these ...`,
    ...lines.slice(-mostLines / 2),
  ];
}

/** A longer story says no more. */
const mostLines = 40;

function attemptWords(attempt: Attempt): string {
  const { operation, concludes, committed, replayed, outcomes } = attempt;
  const done = committed ? 'done' : replayed ? 'repeated' : 'not done';
  const forced = outcomes.length === 0 ? '' : `  [${outcomes.join(', ')}]`;
  return `${operation}  ${done}, ${answerWords(attempt)}: the client knows ${concludes}${forced}`;
}

function answerWords({ delivery, status, problem }: Attempt): string {
  const answer = `${status}${problem === undefined ? '' : ` ${problem}`}`;
  switch (delivery) {
    case 'open':
      return 'under way';
    case 'lost':
      return 'no answer';
    case 'cut':
      return `cut short: ${answer}`;
    case 'delivered':
      return answer;
  }
}

function chargeWords(charge: Charge, timeOf: (at: string) => string): string {
  const { id, amount, state, net } = charge;
  return `${id}  ${state}, ${net.total} of ${amount.total} ${amount.currency} kept; ${knownWords(charge, timeOf)}`;
}

/** How the client came to know of it, and when, where that was not at once. */
function knownWords({ known, toldBy }: Charge, timeOf: (at: string) => string): string {
  if (toldBy === undefined) return known === 'never' ? 'never told' : 'unknown whether it was told';
  const { how, at } = toldBy;
  return how === 'answer' ? 'told in the answer' : `${laterWords[how]} at ${timeOf(at)}`;
}

const laterWords = {
  replay: 'told in a repeat',
  show: 'read',
  list: 'read in a list',
} as const;

/** Below the words that follow the time of day. */
const storyIndent = ' '.repeat(18);

/** Breaks a sentence between words; what is broken off goes on at `hanging`. */
function wrapped(text: string, indent: string, columns: number, hanging = indent): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of harmlessPrinted(text).split(' ')) {
    const start = lines.length === 0 ? indent : hanging;
    if (line === '') line = start + word;
    else if (line.length + 1 + word.length > columns) {
      lines.push(line.trimEnd());
      line = word === '' ? '' : hanging + word;
    } else line += ` ${word}`;
  }
  return [...lines, line];
}
