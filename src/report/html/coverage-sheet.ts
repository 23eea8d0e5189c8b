/** Which outcomes were met on which operations, and what to try next. */
import { findOutcome } from '../../outcomes/catalogue.ts';
import { coveragePriorities } from '../../outcomes/coverage-priorities.ts';
import { coverageReading, type Coverage } from '../coverage.ts';
import { atMost, clipped, html, leftOut, type Markup } from './markup.ts';

const mostRows = 150;
const mostMissing = 12;

/** A grid of what was tried, and the list of what was not. */
export function coverageSheet(coverage: Coverage): Markup {
  const { percent, tried, missing } = coverageReading(coverage);
  return html`<section aria-labelledby="coverage">
    <h2 id="coverage">Outcomes tried</h2>
    <p>
      <strong>${percent} %</strong> of what is worth trying on the operations that were asked:
      ${tried.length} of ${tried.length + missing.length}.
    </p>
    <div class="bar" aria-hidden="true"><div style="width:${percent}%"></div></div>
    ${nextList(missing)} ${gridOf(coverage)}
  </section>`;
}

function nextList(missing: ReturnType<typeof coverageReading>['missing']): Markup | '' {
  const { shown, left } = atMost(missing, mostMissing);
  if (shown.length === 0) return '';
  return html`<h3>The most valuable outcomes you never tried</h3>
    <ol class="next">
      ${shown.map(
        ({ operation, outcome }) =>
          html`<li>
            <code>${outcome}</code> on <code>${operation}</code>
            <span>${findOutcome(outcome)?.wire ?? ''}</span>
            <code class="how">force({ op: '${operation}', outcome: '${outcome}' })</code>
          </li>`,
      )}
    </ol>
    ${left === 0 ? '' : html`<p class="left">${left} more are in the grid.</p>`}`;
}

/** Operations with something worth trying or tried, then every outcome that one of them has. */
function gridOf({ operations, tried }: Coverage): Markup {
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
  const { shown, left } = atMost(outcomes, mostRows);
  const isWorth = new Set(
    coveragePriorities.map(({ operation, outcome }) => `${operation} ${outcome}`),
  );
  const wasAsked = (operation: string): boolean => Object.hasOwn(operations, operation);
  const cell = (operation: string, outcome: string): Markup => {
    const seen = counts[operation]?.[outcome];
    if (seen !== undefined) return html`<td class="met">&check;<span> ${seen}</span></td>`;
    if (!isWorth.has(`${operation} ${outcome}`)) return html`<td></td>`;
    return wasAsked(operation)
      ? html`<td class="missed">&cir;<span class="unseen"> never tried</span></td>`
      : html`<td class="unasked">&middot;<span class="unseen"> never asked</span></td>`;
  };
  return html`<h3 id="grid">Operation by outcome</h3>
    <p class="legend">
      <span class="met">&check;</span> tried, and how often; <span class="missed">&cir;</span> worth
      trying, never tried; <span class="unasked">&middot;</span> the operation was never asked
    </p>
    <div class="scroll" role="region" aria-labelledby="grid" tabindex="0">
      <table class="grid">
        <thead>
          <tr>
            <th scope="col">Outcome</th>
            ${columns.map((operation) => html`<th scope="col">${clipped(operation, 40)}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (outcome) =>
              html`<tr>
                <th scope="row">${clipped(outcome, 60)}</th>
                ${columns.map((operation) => cell(operation, outcome))}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${leftOut(left, 'outcome', 'All of them: card-vault-sandbox coverage --out FILE.')}`;
}
