/** The numbers of all verdicts on the page: tiles, and a table with a row for each merchant. */
import { severities } from '../../contract/constants.ts';
import { formatMinor, isCurrency } from '../../domain/money/money.ts';
import {
  describeExcess,
  describePending,
  describePendingOf,
  toMinor,
  type Total,
  type Verdict,
} from '../verdicts.ts';
import { firstItems, html, leftOutNote, type Markup } from './markup.ts';
import { merchantAnchor } from './merchant-sheet.ts';

const maxMerchants = 200;

/** One tile for each number, such as how many merchants `failed`. */
export function summaryTiles(verdicts: readonly Verdict[], failed: number): Markup {
  const sum = (numberOf: (verdict: Verdict) => number): number =>
    verdicts.reduce((total, verdict) => total + numberOf(verdict), 0);
  const findings = severities.flatMap((severity) => {
    const count = sum(({ counts }) => counts.findings[severity] ?? 0);
    return count === 0 ? [] : [html`<span class="tag ${severity}">${count} ${severity}</span> `];
  });
  const suppressed = sum(({ counts }) => counts.suppressed);
  const requests = sum(({ counts }) => counts.requests);
  const purchases = sum(({ counts }) => counts.purchases);
  const pending = describePendingOf(verdicts);
  return html`<dl class="tiles">
    ${tile('Merchants failed', `${failed} of ${verdicts.length}`)} ${tile('Requests', requests)}
    ${tile('Purchases', purchases)}
    ${tile('Findings', html`${findings.length === 0 ? 'none' : findings}`)}
    ${suppressed === 0 ? '' : tile('Suppressed', suppressed)}
    ${sumTotals(verdicts).map((total) =>
      tile(
        `Money in ${total.currency}`,
        html`${total.net} kept${excessNote(total)}
          <small>${total.charged} charged, ${total.returned} returned</small>`,
      ),
    )}
    ${pending === undefined ? '' : tile('Pending', html`<small>${pending}</small>`)}
  </dl>`;
}

/** How much of the money is too much. */
function excessNote(total: Total): Markup | '' {
  const notes = describeExcess(total, ` ${total.currency}`);
  return notes.length === 0 ? '' : html` <small class="bad">${notes.join(', ')}</small>`;
}

function tile(name: string, value: Markup | string | number): Markup {
  return html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;
}

/** A table of several merchants. The first `linked` rows lead to a section on the page. */
export function merchantTable(verdicts: readonly Verdict[], linked: number): Markup | '' {
  if (verdicts.length < 2) return '';
  const { shown, leftOut } = firstItems(verdicts, maxMerchants);
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
          ${shown.map((verdict, index) => merchantRow(verdict, index, index < linked))}
        </tbody>
      </table>
    </div>
    ${leftOutNote(leftOut, 'merchant', 'Run card-vault-sandbox verdict to see all.')}`;
}

function merchantRow(verdict: Verdict, index: number, isLinked: boolean): Markup {
  const { merchant, passed, counts, totals } = verdict;
  const pending = describePending(verdict);
  const findings = Object.values(counts.findings).reduce((sum, count) => sum + count, 0);
  const name = html`<bdi>${merchant}</bdi>`;
  return html`<tr>
    <th scope="row">${isLinked ? html`<a href="#${merchantAnchor(index)}">${name}</a>` : name}</th>
    <td class="${passed ? 'good' : 'bad'}">${passed ? '✓ passed' : '✕ failed'}</td>
    <td data-name="Requests">${counts.requests}</td>
    <td data-name="Purchases">${counts.purchases}</td>
    <td data-name="Findings">${findings}</td>
    <td data-name="Money kept">
      ${totals.length === 0 ? 'none' : ''}${totals.map(
        (total, at) =>
          html`${at === 0 ? '' : ', '}${total.net} ${total.currency}${excessNote(total)}`,
      )}
      ${pending === undefined ? '' : html`<br /><small>${pending}</small>`}
    </td>
  </tr>`;
}

const columns = ['charged', 'returned', 'net', 'excess', 'excessRefunded'] as const;

/** Adds up the money of several merchants for each currency, in whole minor units. */
export function sumTotals(verdicts: readonly Verdict[]): readonly Total[] {
  const sums = new Map<string, Record<(typeof columns)[number], number>>();
  for (const total of verdicts.flatMap(({ totals }) => totals)) {
    const sum = sums.get(total.currency) ?? {
      charged: 0,
      returned: 0,
      net: 0,
      excess: 0,
      excessRefunded: 0,
    };
    for (const column of columns) sum[column] += toMinor(total[column] ?? '0');
    sums.set(total.currency, sum);
  }
  return [...sums].flatMap(([currency, { charged, returned, net, excess, excessRefunded }]) => {
    if (!isCurrency(currency)) return [];
    const format = (minor: number): string => formatMinor(minor, currency);
    return [
      {
        currency,
        charged: format(charged),
        returned: format(returned),
        net: format(net),
        ...(excess > 0 && { excess: format(excess) }),
        ...(excessRefunded > 0 && { excessRefunded: format(excessRefunded) }),
      },
    ];
  });
}
