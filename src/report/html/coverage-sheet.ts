/** Which outcomes the client met on which operations, and what to try next. */
import { findOutcome } from '../../outcomes/catalogue.ts';
import { coveragePriorities } from '../../outcomes/coverage-priorities.ts';
import { summarizeCoverage, type Coverage } from '../coverage.ts';
import { firstItems, clip, html, leftOutNote, type Markup } from './markup.ts';

const maxRows = 150;
const maxMissing = 12;

/** What to try next, and a table of all outcomes. */
export function coverageSheet(coverage: Coverage): Markup {
  const { percent, tried, missing } = summarizeCoverage(coverage);
  return html`<section aria-labelledby="coverage">
    <h2 id="coverage">Coverage</h2>
    <p>
      <strong>${percent} %</strong> covered: ${tried.length} of ${tried.length + missing.length}
      outcomes worth trying on the operations in use.
    </p>
    <div class="bar" aria-hidden="true"><div style="width:${percent}%"></div></div>
    ${missingList(missing)} ${coverageGrid(coverage)}
  </section>`;
}

function missingList(missing: ReturnType<typeof summarizeCoverage>['missing']): Markup | '' {
  const { shown, leftOut } = firstItems(missing, maxMissing);
  if (shown.length === 0) return '';
  return html`<h3>Try next, most valuable first</h3>
    <ol class="next">
      ${shown.map(
        ({ operation, outcome }) =>
          html`<li>
            <code>${outcome}</code> on <code>${operation}</code>
            <span>${findOutcome(outcome)?.response ?? ''}</span>
            <code class="how">force({ op: '${operation}', outcome: '${outcome}' })</code>
          </li>`,
      )}
    </ol>
    ${leftOut === 0 ? '' : html`<p class="left">${leftOut} more are in the table.</p>`}`;
}

/** A table of operations and outcomes that were tried or are worth trying. */
function coverageGrid({ operations, tried }: Coverage): Markup {
  const counts: Readonly<Record<string, Readonly<Record<string, number | undefined>> | undefined>> =
    tried;
  const columns = [
    ...new Set([
      ...coveragePriorities.map(({ operation }) => operation as string),
      ...Object.keys(counts),
    ]),
  ];
  const outcomes = [
    ...new Set([
      ...coveragePriorities.map(({ outcome }) => outcome),
      ...Object.values(counts).flatMap((ofOne) => Object.keys(ofOne ?? {})),
    ]),
  ];
  const { shown, leftOut } = firstItems(outcomes, maxRows);
  const worthTrying = new Set(
    coveragePriorities.map(({ operation, outcome }) => `${operation} ${outcome}`),
  );
  const cell = (operation: string, outcome: string): Markup => {
    const seen = counts[operation]?.[outcome];
    if (seen !== undefined) return seenCell(operation, seen);
    if (!worthTrying.has(`${operation} ${outcome}`)) return html`<td></td>`;
    return missedCell(operation, Object.hasOwn(operations, operation));
  };
  return html`<h3 id="grid">All outcomes</h3>
    <p class="legend">
      <span class="met">&check;</span> tried, with count; <span class="missed">&cir;</span> worth
      trying, never tried; <span class="unasked">&middot;</span> operation not used
    </p>
    <div class="scroll" role="region" aria-labelledby="grid" tabindex="0">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            ${columns.map((operation) => html`<th scope="col">${clip(operation, 40)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (outcome) =>
              html`<tr>
                <th scope="row">${clip(outcome, 60)}</th>
                ${columns.map((operation) => cell(operation, outcome))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${leftOutNote(leftOut, 'outcome', 'Run card-vault-sandbox coverage --out FILE to get all.')}`;
}

function seenCell(operation: string, count: number): Markup {
  return html`<td class="met" data-name="${operation}">&check;<span> ${count}</span></td>`;
}

function missedCell(operation: string, isUsed: boolean): Markup {
  return isUsed
    ? html`<td class="missed" data-name="${operation}">
        &cir;<span class="unseen"> never tried</span>
      </td>`
    : html`<td class="unasked">&middot;<span class="unseen"> not used</span></td>`;
}
