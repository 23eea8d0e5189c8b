/** A verdict as text for a terminal. */
import { formatCount } from '../shared/counts.ts';
import { escapeForLog } from './escape.ts';
import {
  describeExpectations,
  describeExpired,
  describeOpen,
  describePending,
  describeState,
  describeSuppressed,
  describeTotal,
  failedFirst,
  failsVerdict,
  otherReasons,
  pendingFates,
} from './verdicts.ts';
import type { Attempt, Charge, Finding, PendingFates, Purchase, Verdict } from './verdicts.ts';

/** Styles for parts of the text. */
export interface Style {
  readonly strong: (text: string) => string;
  readonly bad: (text: string) => string;
  readonly good: (text: string) => string;
  readonly faint: (text: string) => string;
}

const unchanged = (text: string): string => text;

export const plainStyle: Style = {
  strong: unchanged,
  bad: unchanged,
  good: unchanged,
  faint: unchanged,
};

/** One block for each merchant, and a last line that sums up several. Long words may exceed `columns`. */
export function verdictText(
  verdicts: readonly Verdict[],
  columns = 80,
  style: Style = plainStyle,
): string {
  const unremarkable = verdicts.filter(isUnremarkable);
  const isListed = unremarkable.length <= maxUnremarkable;
  const shown = isListed ? verdicts : verdicts.filter((verdict) => !isUnremarkable(verdict));
  const sorted = failedFirst(shown);
  const leftOut = sorted.filter((verdict) => !isUnremarkable(verdict)).slice(maxBlocks);
  const hidden = new Set(leftOut);
  const blocks = sorted
    .filter((verdict) => !hidden.has(verdict))
    .map((verdict) => blockOf(verdict, columns, style).join('\n'));
  return [
    ...blocks,
    ...(leftOut.length > 0
      ? [
          `${formatCount(leftOut.length, 'more merchant')} with something to say. Select one with --merchant <id>. ${seeAll}`,
        ]
      : []),
    ...(isListed
      ? []
      : [
          `${style.good('PASSED')} ${unremarkable.length} merchants: ${listMerchants(unremarkable)}`,
        ]),
    ...(verdicts.length > 1 ? [summaryLine(verdicts, style)] : []),
  ].join('\n\n');
}

/** More merchants that passed without anything to say share one line. */
const maxUnremarkable = 20;

/** The most merchants with something to say that a terminal shows in full. */
const maxBlocks = 20;

function isUnremarkable({ passed, findings, pending = [] }: Verdict): boolean {
  return passed && findings.length === 0 && pending.length === 0;
}

function summaryLine(verdicts: readonly Verdict[], style: Style): string {
  const failed = verdicts.filter(({ passed }) => !passed);
  return failed.length === 0
    ? `${style.good('PASSED')} all ${verdicts.length} merchants`
    : `${style.bad('FAILED')} ${failed.length} of ${verdicts.length} merchants: ${listMerchants(failed)}`;
}

/** The most merchants that the last line names. */
const maxNamed = 5;

function listMerchants(verdicts: readonly Verdict[]): string {
  const left = verdicts.length - maxNamed;
  const names = verdicts.slice(0, maxNamed).map(({ merchant }) => escapeForLog(merchant));
  return `${names.join(', ')}${left > 0 ? ` and ${left} more` : ''}`;
}

function blockOf(verdict: Verdict, columns: number, style: Style): string[] {
  const { merchant, passed, findings, counts } = verdict;
  const state = passed ? style.good('PASSED') : style.bad('FAILED');
  const shown = findings.filter(({ suppressed }) => suppressed === undefined);
  const { requests, purchases, suppressed, findingsLeftOut = 0 } = counts;
  const listed = firstOfEachRule(shown);
  const leftOut = findingsLeftOut + shown.length - listed.length;
  const expectations = describeExpectations(verdict);
  const open = describeOpen(verdict);
  const facts = [
    formatCount(requests, 'request'),
    formatCount(purchases, 'purchase'),
    formatCount(shown.length + findingsLeftOut, 'finding'),
    ...(suppressed === 0 ? [] : [`${suppressed} suppressed`]),
    ...(expectations === undefined ? [] : [expectations]),
    ...(open === undefined ? [] : [open]),
  ];
  return [
    `${state} ${style.strong(merchant)}  ${style.faint(facts.join(', '))}`,
    ...moneyLines(verdict, columns),
    ...describeSuppressed(verdict).flatMap((line) => wrap(line, '  ', columns, '    ')),
    ...otherReasons(verdict).flatMap(({ text }) => ['', ...wrap(text, '  ', columns)]),
    ...describeExpired(verdict).flatMap((text) => ['', ...wrap(text, '  ', columns)]),
    ...listed.flatMap((finding) => ['', ...findingLines(verdict, finding, columns, style)]),
    ...(leftOut === 0
      ? []
      : ['', `  ${formatCount(leftOut, 'more finding')} of the same rules. ${seeAll}`]),
    ...storyLines(verdict, columns, style),
  ];
}

/** The most findings of one rule, and the most purchases, that a terminal shows of a merchant. */
const maxAlike = 10;

const seeAll = 'For more: --html or --json with a file name.';

function firstOfEachRule(findings: readonly Finding[]): readonly Finding[] {
  const counts = new Map<string, number>();
  return findings.filter(({ rule }) => {
    const count = (counts.get(rule) ?? 0) + 1;
    counts.set(rule, count);
    return count <= maxAlike;
  });
}

function moneyLines(verdict: Verdict, columns: number): string[] {
  const pending = describePending(verdict);
  const lines = [...verdict.totals.map(describeTotal), ...(pending === undefined ? [] : [pending])];
  return lines.flatMap((line) => wrap(line, '  ', columns, '    '));
}

/** The most requests that a finding lists. */
const maxRequests = 6;

function findingLines(verdict: Verdict, finding: Finding, columns: number, style: Style): string[] {
  const { rule, severity, confidence, what, remedy, evidence } = finding;
  const name = `${severity.toUpperCase()} ${rule}`;
  const certainty = confidence === 'certain' ? '' : style.faint(` (${confidence})`);
  const requests = evidence.slice(0, maxRequests).join(' ');
  return [
    `  ${failsVerdict(verdict, finding) ? style.bad(name) : style.strong(name)}${certainty}`,
    ...wrap(what, '    ', columns),
    ...wrap(`Fix: ${remedy}`, '    ', columns),
    style.faint(`    Requests: ${requests}${evidence.length > maxRequests ? ' ...' : ''}`),
  ];
}

/** The stories of the purchases for which the verdict failed. */
function storyLines(verdict: Verdict, columns: number, style: Style): string[] {
  const failed = new Set(
    verdict.findings
      .filter((finding) => failsVerdict(verdict, finding))
      .map(({ intent }) => intent),
  );
  const failing = verdict.purchases.filter(({ key }) => failed.has(key));
  const fates = pendingFates(verdict);
  const lines = failing
    .slice(0, maxAlike)
    .flatMap((purchase) => ['', ...titledStory(purchase, columns, fates)])
    .map((line) => (line.startsWith('    ') ? style.faint(line) : line));
  const leftOut = failing.length - maxAlike;
  if (leftOut <= 0) return lines;
  // The purchases of findings that a verdict leaves out cannot be counted.
  const { findingsLeftOut = 0 } = verdict.counts;
  const least = findingsLeftOut > 0 ? 'At least ' : '';
  return [...lines, '', `  ${least}${formatCount(leftOut, 'more purchase')}. ${seeAll}`];
}

/** The stories of some purchases of a verdict, for the report of a failed test. */
export function storiesText(
  verdict: Verdict,
  purchases: readonly Purchase[] = verdict.purchases,
  columns = 100,
): string {
  const fates = pendingFates(verdict);
  return purchases.flatMap((purchase) => titledStory(purchase, columns, fates)).join('\n');
}

/** Indent below the words that follow the time of day. */
const storyIndent = ' '.repeat(18);

function titledStory(purchase: Purchase, columns: number, fates: PendingFates): string[] {
  return [
    ...wrap(`What happened to ${purchase.label}:`, '  ', columns),
    ...storyOf(purchase, fates).flatMap((line) => wrap(line, '    ', columns, storyIndent)),
  ];
}

/** More lines would not help a reader. */
const maxLines = 40;

/** The attempts and charges of a purchase in order of time, one line each. */
export function storyOf(purchase: Purchase, fates: PendingFates = new Map()): string[] {
  const { attempts, charges, attemptsLeftOut = 0, chargesLeftOut = 0 } = purchase;
  const times = [...attempts, ...charges].map(({ at }) => at);
  const disclosures = charges.flatMap(({ disclosedBy }) => disclosedBy?.at ?? []);
  // A refund or chargeback may come weeks later: then each time needs its day.
  const isOneDay = new Set([...times, ...disclosures].map((at) => at.slice(0, 10))).size === 1;
  const timeOf = (at: string): string => at.slice(isOneDay ? 11 : 5, 23).replace('T', ' ');
  // Of what happened in the same millisecond, each charge follows its request.
  const orderOf = ({ createdBy }: Charge): number => {
    const at = attempts.findLastIndex(({ debugId }) => debugId === createdBy);
    return at < 0 ? attempts.length : at + 0.5;
  };
  const lines = [
    ...attempts.map((attempt, order) => ({
      at: attempt.at,
      order,
      text: describeAttempt(attempt),
    })),
    ...charges.map((charge) => ({
      at: charge.at,
      order: orderOf(charge),
      text: describeCharge(charge, fates, timeOf),
    })),
  ]
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.order - b.order))
    .map(({ at, text }) => `${timeOf(at)}  ${text}`);
  const leftOut = lines.length - maxLines + attemptsLeftOut + chargesLeftOut;
  if (leftOut <= 0) return lines;
  return [
    ...lines.slice(0, maxLines / 2),
    `... ${leftOut} more ...`,
    ...lines.slice(-maxLines / 2),
  ];
}

const conclusions = {
  OK: 'the client knows that it succeeded',
  FAIL: 'the client knows that it failed',
  UNKNOWN: 'the client cannot know the result',
} as const;

function describeAttempt(attempt: Attempt): string {
  const { operation, concludes, committed, replayed, outcomes } = attempt;
  const effect = committed ? 'executed' : replayed ? 'replayed' : 'not executed';
  const notes = [...outcomes, ...describeHolds(attempt)];
  const forced = notes.length === 0 ? '' : `  [${notes.join(', ')}]`;
  return `${operation}  ${effect}, ${describeAnswer(attempt)}; ${conclusions[concludes]}${forced}`;
}

/** At which gates a request waited, and when its turn came. */
function describeHolds({ held }: Attempt): readonly string[] {
  return (held?.holds ?? []).map(
    ({ gate, released, releasedBy }) =>
      `held at ${gate}, released as number ${released}${releasedBy === 'timeout' ? ' by its timeout' : ''}`,
  );
}

function describeAnswer({ delivery, status, problem }: Attempt): string {
  const answer = `${status}${problem === undefined ? '' : ` ${problem}`}`;
  switch (delivery) {
    case 'open':
      return 'still open';
    case 'lost':
      return 'answer lost';
    case 'cut':
      return `answer cut short: ${answer}`;
    case 'delivered':
      return answer;
  }
}

function describeCharge(
  charge: Charge,
  fates: PendingFates,
  timeOf: (at: string) => string,
): string {
  const { id, amount, net, disclosedBy } = charge;
  const knowledge =
    fates.has(id) && disclosedBy !== undefined
      ? 'the client knew only that it was pending'
      : describeDisclosure(charge, timeOf);
  return `${id}  ${describeState(charge, fates)}, ${net.total} of ${amount.total} ${amount.currency} kept; ${knowledge}`;
}

const laterDisclosures = {
  replay: 'from a replayed answer',
  show: 'from a read',
  list: 'from a list',
} as const;

/** How the client learned of a charge, and when if it was later. */
function describeDisclosure(
  { known, disclosedBy }: Charge,
  timeOf: (at: string) => string,
): string {
  if (disclosedBy === undefined) {
    return known === 'never' ? 'the client never knew' : 'unknown whether the client knew';
  }
  const { how, at } = disclosedBy;
  const source = how === 'answer' ? 'from the answer' : `${laterDisclosures[how]} at ${timeOf(at)}`;
  return `the client knew ${source}`;
}

/** Breaks a text between words. Later lines start with `hanging`. */
function wrap(text: string, indent: string, columns: number, hanging = indent): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of escapeForLog(text).split(' ')) {
    const start = lines.length === 0 ? indent : hanging;
    if (line === '') line = start + word;
    else if (line.length + 1 + word.length > columns) {
      lines.push(line.trimEnd());
      line = word === '' ? '' : hanging + word;
    } else line += ` ${word}`;
  }
  return [...lines, line];
}
