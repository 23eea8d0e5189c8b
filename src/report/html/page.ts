/** Verdicts and coverage as one page: a file that opens without a server, and asks nobody for anything. */
import { raw } from 'hono/html';
import { severities } from '../../contract/constants.ts';
import type { Coverage } from '../coverage.ts';
import { allPassed, type Verdict } from '../verdicts.ts';
import { counted } from '../phrases.ts';
import { coverageSheet } from './coverage-sheet.ts';
import type { ExplainedAt } from './debug-ids.ts';
import { atMost, clipped, html, leftOut, type Markup } from './markup.ts';
import { merchantAnchor, merchantSheet } from './merchant-sheet.ts';
import { styleSheet } from './style.ts';
import { summedTotals } from './totals.ts';

/** What the page is made of. */
export interface PageInput {
  readonly verdicts: readonly Verdict[];
  readonly coverage: Coverage;
  /** When it was made, RFC 3339. */
  readonly madeAt: string;
  /** Of this program. */
  readonly version: string;
  /** Where requests are explained; absent for a page that is kept, as its reader may have no server to ask. */
  readonly explainedAt?: ExplainedAt | undefined;
}

const mostMerchants = 200;
const mostSheets = 20;
const mostPurchases = 60;
/** Of a name in the title. */
const mostLetters = 60;

/** One HTML document, of bounded size however much was asked. */
export async function verdictHtml({
  verdicts,
  coverage,
  madeAt,
  version,
  explainedAt,
}: PageInput): Promise<string> {
  // Those that failed first; their order within is the order that they were asked in.
  const sorted = verdicts.toSorted((a, b) => Number(a.passed) - Number(b.passed));
  const sheets = atMost(sorted, mostSheets);
  const passed = allPassed(verdicts);
  const about = whose(verdicts);
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
        <title>${about}: verdict ${passed ? 'passed' : 'failed'} &ndash; card-vault-sandbox</title>
        <style>
          ${raw(styleSheet)}
        </style>
      </head>
      <body>
        <header class="mast ${passed ? 'good' : 'bad'}">
          <h1>${passed ? '✓ The money is right' : '✕ The verdict failed'}: <bdi>${about}</bdi></h1>
          <p>
            card-vault-sandbox ${version}, <time datetime="${madeAt}">${timeWords(madeAt)}</time>
          </p>
        </header>
        <main>
          ${tilesOf(verdicts)} ${indexOf(sorted)}
          ${dealt(sheets.shown).map(([verdict, drawn], index) => merchantSheet(verdict, index, drawn, explainedAt))}
          ${leftOut(sheets.left, 'merchant', 'Ask for one: --merchant ID, or ?merchant=ID.')}
          ${coverageSheet(coverage)}
        </main>
      </body>
    </html> `;
  return String(page);
}

/** Whose money it is about: several pages lie open side by side, and each is to be known by its title. */
function whose(verdicts: readonly Verdict[]): string {
  const [first, ...others] = verdicts;
  return first !== undefined && others.length === 0
    ? clipped(first.merchant, mostLetters)
    : counted(verdicts.length, 'merchant');
}

/** Shares out what is drawn: first purchases that findings are about, then others while there is room. */
function dealt(verdicts: readonly Verdict[]): readonly (readonly [Verdict, number])[] {
  let left = mostPurchases;
  const take = (wanted: number): number => {
    const taken = Math.min(wanted, left);
    left -= taken;
    return taken;
  };
  const odd = verdicts.map(({ purchases, findings }) => {
    const found = new Set(findings.map(({ intent }) => intent));
    return take(purchases.filter(({ key }) => found.has(key)).length);
  });
  return verdicts.map((verdict, index) => {
    const first = odd[index] ?? 0;
    return [verdict, first + take(verdict.purchases.length - first)];
  });
}

function tilesOf(verdicts: readonly Verdict[]): Markup {
  const failed = verdicts.filter((verdict) => !verdict.passed).length;
  const sum = (of: (one: Verdict) => number): number =>
    verdicts.reduce((total, one) => total + of(one), 0);
  const found = severities.flatMap((severity) => {
    const count = sum(({ counts }) => counts.findings[severity] ?? 0);
    return count === 0 ? [] : [html`<span class="tag ${severity}">${count} ${severity}</span> `];
  });
  const suppressed = sum(({ counts }) => counts.suppressed);
  return html`<dl class="tiles">
    ${tile('Merchants failed', `${failed} of ${verdicts.length}`)}
    ${tile(
      'Requests',
      sum(({ counts }) => counts.requests),
    )}
    ${tile(
      'Purchases',
      sum(({ counts }) => counts.purchases),
    )}
    ${tile('Findings', html`${found.length === 0 ? 'none' : found}`)}
    ${suppressed === 0 ? '' : tile('Suppressed', suppressed)}
    ${summedTotals(verdicts).map(({ currency, charged, givenBack, net }) =>
      tile(
        `Money in ${currency}`,
        html`${net} kept <small>${charged} charged, ${givenBack} given back</small>`,
      ),
    )}
  </dl>`;
}

function tile(name: string, value: Markup | string | number): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

function indexOf(sorted: readonly Verdict[]): Markup | '' {
  if (sorted.length < 2) return '';
  const { shown, left } = atMost(sorted, mostMerchants);
  return html`<h2 id="merchants">Merchants</h2>
    <div class="scroll" role="region" aria-labelledby="merchants" tabindex="0">
      <table class="merchants">
        <thead>
          <tr>
            ${['Merchant', 'Verdict', 'Requests', 'Purchases', 'Findings', 'Money kept'].map(
              (name) => html`<th scope="col">${name}</th>`,
            )}
          </tr>
        </thead>
        <tbody>
          ${shown.map(indexRow)}
        </tbody>
      </table>
    </div>
    ${leftOut(left, 'merchant', 'All of them: card-vault-sandbox verdict.')}`;
}

function indexRow({ merchant, passed, counts, totals }: Verdict, index: number): Markup {
  const findings = Object.values(counts.findings).reduce((sum, count) => sum + count, 0);
  const name = html`<bdi>${merchant}</bdi>`;
  return html`<tr>
    <th scope="row">
      ${index < mostSheets ? html`<a href="#${merchantAnchor(index)}">${name}</a>` : name}
    </th>
    <td class="${passed ? 'good' : 'bad'}">${passed ? '✓ passed' : '✕ failed'}</td>
    <td>${counts.requests}</td>
    <td>${counts.purchases}</td>
    <td>${findings}</td>
    <td>${totals.map(({ net, currency }) => `${net} ${currency}`).join(', ')}</td>
  </tr>`;
}

function timeWords(at: string): string {
  return `${at.slice(0, 16).replace('T', ' ')} UTC`;
}
