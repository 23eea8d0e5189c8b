/** Verdicts and coverage as one HTML page that needs no server and loads nothing. */
import { raw } from 'hono/html';
import { formatCount } from '../../shared/counts.ts';
import type { Coverage } from '../coverage.ts';
import { allPassed, failedFirst, isWaitingForRequests, type Verdict } from '../verdicts.ts';
import { coverageSheet } from './coverage-sheet.ts';
import { clip, firstItems, html, leftOutNote, type ExplainedAt } from './markup.ts';
import { merchantSheet } from './merchant-sheet.ts';
import { styleSheet } from './style.ts';
import { merchantTable, summaryTiles } from './summary.ts';

/** The content of the page. */
export interface PageInput {
  readonly verdicts: readonly Verdict[];
  readonly coverage: Coverage;
  /** When the page was made, RFC 3339. */
  readonly madeAt: string;
  /** Version of this program. */
  readonly version: string;
  /** Where requests are explained. Absent for a saved page: its reader may have no server. */
  readonly explainedAt?: ExplainedAt | undefined;
  /** Whether requests may still come: then a merchant without any waits for them. Default: no, as in a saved page. */
  readonly mayWait?: boolean;
}

const maxSheets = 20;
const maxPurchases = 60;
const maxTitleLength = 60;

/** One HTML document of limited size. */
export async function verdictHtml({
  verdicts,
  coverage,
  madeAt,
  version,
  explainedAt,
  mayWait = false,
}: PageInput): Promise<string> {
  const sorted = failedFirst(verdicts);
  const sheets = firstItems(sorted, maxSheets);
  // Also without any merchant: `every` is true for none.
  const isSilent = verdicts.every(isWaitingForRequests);
  const isWaiting = mayWait && isSilent;
  const failed = isWaiting ? 0 : verdicts.filter(({ passed }) => !passed).length;
  const { state, word, headline } = headlineOf(verdicts, isWaiting);
  const name = nameOf(verdicts);
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'"
        />
        <meta name="color-scheme" content="light dark" />
        <title>${name}: verdict ${word} &ndash; card-vault-sandbox</title>
        <style>
          ${raw(styleSheet)}
        </style>
      </head>
      <body>
        <header class="mast ${state}">
          <h1>${headline}: <bdi>${subjectOf(verdicts, failed)}</bdi></h1>
          <p>
            card-vault-sandbox ${version}, <time datetime="${madeAt}">${formatMinute(madeAt)}</time>
          </p>
          ${explainedAt === undefined ? '' : pagesOfTheSandbox}
        </header>
        <main>
          ${summaryTiles(verdicts, failed)} ${merchantTable(sorted, maxSheets)}
          ${sharePurchases(sheets.shown).map(([verdict, drawn], index) => merchantSheet(verdict, index, drawn, { explainedAt, mayWait }))}
          ${leftOutNote(sheets.leftOut, 'merchant', 'Select one with --merchant ID or ?merchant=ID.')}
          ${isSilent ? '' : coverageSheet(coverage)}
        </main>
      </body>
    </html> `;
  return String(page);
}

/** Links for a page that a sandbox shows. The port of the control API serves both, also if it is a port of its own. */
const pagesOfTheSandbox = html`<nav aria-label="Pages of this sandbox">
  <a href="/">Start</a> <a href="/docs/control">Control API</a>
</nav>`;

/** How the page looks and what its title says. Before the first request there is nothing to judge. */
function headlineOf(
  verdicts: readonly Verdict[],
  isWaiting: boolean,
): {
  readonly state: 'good' | 'bad' | 'waiting';
  readonly word: string;
  readonly headline: string;
} {
  if (isWaiting) {
    return { state: 'waiting', word: 'waiting', headline: 'Waiting for requests' };
  }
  return allPassed(verdicts)
    ? { state: 'good', word: 'passed', headline: '✓ Verdict passed' }
    : { state: 'bad', word: 'failed', headline: '✕ Verdict failed' };
}

/** The merchant's id; of several, how many failed. */
function subjectOf(verdicts: readonly Verdict[], failed: number): string {
  return verdicts.length < 2 || failed === 0
    ? nameOf(verdicts)
    : `${failed} of ${formatCount(verdicts.length, 'merchant')}`;
}

/** The merchant's id, or the number of merchants, so that several open pages can be told apart. */
function nameOf(verdicts: readonly Verdict[]): string {
  const [first, ...others] = verdicts;
  return first !== undefined && others.length === 0
    ? clip(first.merchant, maxTitleLength)
    : formatCount(verdicts.length, 'merchant');
}

/** How many purchases of each verdict the page draws: first those with findings, then others while there is room. */
function sharePurchases(verdicts: readonly Verdict[]): readonly (readonly [Verdict, number])[] {
  let left = maxPurchases;
  const take = (wanted: number): number => {
    const count = Math.min(wanted, left);
    left -= count;
    return count;
  };
  const withFindings = verdicts.map(({ purchases, findings }) => {
    const keys = new Set(findings.map(({ intent }) => intent));
    return take(purchases.filter(({ key }) => keys.has(key)).length);
  });
  return verdicts.map((verdict, index) => {
    const first = withFindings[index] ?? 0;
    return [verdict, first + take(verdict.purchases.length - first)];
  });
}

function formatMinute(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}
